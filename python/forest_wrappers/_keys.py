"""Records with the keys of other extractors."""

from typing import Any

# For each key the record's, or a function of the record.
_TRAFILATURA = {
    "title": "title",
    "author": lambda r: "; ".join(r["authors"]) or None,
    "hostname": "site",
    "date": lambda r: (r["date_published"] or "")[:10] or None,
    "fingerprint": lambda r: None,
    "id": "id",
    "license": lambda r: None,
    "comments": lambda r: None,
    "raw_text": "text",
    "text": "text",
    "language": "language",
    "image": lambda r: r["images"][0]["url"] if r["images"] else None,
    "pagetype": lambda r: None,
    "source": "url",
    "source-hostname": "site",
    "excerpt": lambda r: None,
    "categories": lambda r: "",
    "tags": lambda r: ", ".join(r["tags"]),
}

_NEWSPAPER = {
    "url": "url",
    "source_url": lambda r: "https://" + r["site"] if r["site"] else None,
    "title": "title",
    "authors": "authors",
    "publish_date": "date_published",
    "text": "text",
    "top_image": lambda r: r["images"][0]["url"] if r["images"] else "",
    "images": lambda r: [image["url"] for image in r["images"]],
    "keywords": "tags",
    "tags": "tags",
    "meta_lang": "language",
    "canonical_link": "url",
}

_KEYS = {"trafilatura": _TRAFILATURA, "newspaper": _NEWSPAPER}


def renamed(record: dict[str, Any], keys: str) -> dict[str, Any]:
    """The record with these keys; what it does not have is None or empty."""
    if keys == "forest":
        return record
    if keys not in _KEYS:
        raise ValueError(f"keys are forest, trafilatura or newspaper, not {keys!r}")
    of = lambda key: key(record) if callable(key) else record[key]
    return {name: of(key) for name, key in _KEYS[keys].items()}
