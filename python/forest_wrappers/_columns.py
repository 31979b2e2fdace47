"""Articles as columns."""

import json
from collections.abc import Iterable
from typing import Any

# The columns and their types, as the names of Arrow's and Spark's.
COLUMNS = {
    "fetched_url": "string",
    "url": "string",
    "site": "string",
    "title": "string",
    "text": "string",
    "authors": "list<string>",
    "date_published": "string",
    "date_modified": "string",
    "language": "string",
    "images": "list<string>",
    "tags": "list<string>",
    "kind": "string",
    "status": "string",
    "confidence": "double",
    "warnings": "list<string>",
    "error": "string",
}


def arrow_schema() -> Any:
    """The `pyarrow.Schema` of `Extractor.to_columns`: the types are the same for any pages."""
    import pyarrow

    kinds = {
        "string": pyarrow.string(),
        "double": pyarrow.float64(),
        "list<string>": pyarrow.list_(pyarrow.string()),
    }
    return pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])


def columns(
    extractor: Any, htmls: Iterable[Any], urls: Iterable[Any] | None, threads: int
) -> dict[str, list[Any]]:
    """A list of values for each column, one a page."""
    htmls = list(htmls)
    urls = [None] * len(htmls) if urls is None else list(urls)
    if len(htmls) != len(urls):
        raise ValueError(f"{len(htmls)} pages and {len(urls)} addresses")
    out: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for article in extractor.extract_many(zip(urls, htmls), threads=threads):
        for name, value in row(article).items():
            out[name].append(value)
    return out


def row(article: Any) -> dict[str, Any]:
    """The value of each column."""
    record = json.loads(article.to_json())
    record["images"] = [image["url"] for image in record["images"]]
    record["warnings"] = article.warnings
    return {name: record[name] for name in COLUMNS}
