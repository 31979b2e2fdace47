"""The made-up sites of the repository's gold."""

import pathlib

GOLD = pathlib.Path(__file__).parents[2] / "gold"


def pages_of(site):
    """The pages of a site of the gold: address and bytes, by name."""
    from html.parser import HTMLParser

    class Canonical(HTMLParser):
        url = None

        def handle_starttag(self, tag, attrs):
            attrs = dict(attrs)
            if tag == "link" and attrs.get("rel") == "canonical":
                self.url = attrs.get("href")

    pages = []
    for file in sorted((GOLD / site).glob("*.html")):
        html = file.read_bytes()
        parser = Canonical()
        parser.feed(html.decode("utf-8", "replace"))
        pages.append((parser.url or f"https://{site}/{file.stem}", html))
    return pages
