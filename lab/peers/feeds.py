#!/usr/bin/env python3
"""Feeds as forest reads them beside feedparser: python3 lab/peers/feeds.py [-v] LAB TESTS

LAB is the command forest-lab, TESTS the folder `tests` of feedparser's source package; feedparser,
chardet (which it guesses charsets with) and webencodings must be installed. Each feed is read by both; the values that feedparser has are compared
as text without white space: equal, different, missing here, or different for a reason that a
standard gives, or for what its own test expects. `-v` prints each that is not equal. Left out are
the folder `sanitize`, as contents are cleaned where they are shown, tests of a server's charset, and
CDF, a format of 1997 that forest does not read.
"""

import argparse
import collections
import datetime
import html.parser
import json
import pathlib
import re
import subprocess
import urllib.parse

import feedparser
import webencodings

BASE = "http://127.0.0.1:8097/"


class Words(html.parser.HTMLParser):
    """The text of HTML, without what is not shown."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.parts, self.hidden = [], 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, _):
        self.hidden += tag in ("script", "style")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)


def words(text, is_html=True):
    """A text without white space."""
    shown = "".join(Words(text).parts) if is_html and text else text or ""
    return "".join(shown.split())


def when(parsed):
    """A time of feedparser as RFC 3339 in UTC."""
    return parsed and datetime.datetime(*parsed[:6]).strftime("%Y-%m-%dT%H:%M:%SZ")


def utc(date):
    """A time of forest's in the same form."""
    if not date or not date.get("time"):
        return None
    time = datetime.datetime.fromisoformat(date["time"].replace("Z", "+00:00"))
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def web(address):
    """An address of the web, normalised; others are names."""
    parts = urllib.parse.urlsplit(address or "")
    if parts.scheme not in ("http", "https"):
        return None
    return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/").geturl()


def shown(detail):
    """The text of a value with its type."""
    return words(detail.get("value"), detail.get("type") != "text/plain") if detail else ""


def reason(data, key, value, found, feed):
    """Why a value that is not feedparser's is right, if a standard says so."""
    comment = "".join(data[:2000].decode("latin-1").split("-->")[0].split())
    charset = re.search(r"encoding=='([^']+)'", comment)
    if found and repr(found) in comment:
        return "its own test expects this"
    if found and charset and found in words(data.decode(charset[1], "replace")):
        return "its own test expects this charset"
    label = re.search(rb"""<\?xml[^>]*encoding=['"]([^'"]+)""", data)
    if label and webencodings.lookup(label[1].decode("latin-1")) is None:
        return "Encoding Standard 4.2: no such label"
    if data.startswith("<?xm".encode("cp037")):
        return "Encoding Standard 4.2: no EBCDIC"
    if label and label[1] in (b"macintosh", b"mac", b"x-mac-roman", b"csmacintosh"):
        return "Encoding Standard 4.2: macintosh"
    if key[1] == "id" and found and found.lower() == value.lower():
        return "RFC 4287 4.2.6.1: ids are not normalised"
    if key[1] == "id" and urllib.parse.urlsplit(found or "").scheme != "http":
        return "RFC 4287 4.2.6: an id is a name and not resolved"
    if key == (None, "site"):
        return "RFC 4287 4.2.6: an id is a name, not a link" if not feed.get("links") else None
    if key[1] == "link" and not found:
        return "RFC 4287 4.2.6: a relative id is no link" if value.startswith(BASE) else None
    if b"<!ENTITY" in data:
        return "entities of a feed's own are not expanded: RFC 7303, 10"
    if re.search(rb"&[lr]ang;", data):
        return "HTML Standard 13.5: rang; is U+27E9"
    return None


def theirs(parsed):
    """The values that feedparser has, by (item, field)."""
    feed = parsed.feed
    yield (None, "title"), shown(feed.get("title_detail"))
    yield (None, "site"), web(feed.get("link"))
    yield (None, "language"), (feed.get("language") or "").replace("_", "-")
    yield (None, "description"), shown(feed.get("subtitle_detail"))
    for at, entry in enumerate(parsed.entries):
        content = entry.get("content") or []
        yield (at, "title"), shown(entry.get("title_detail"))
        yield (at, "link"), web(entry.get("link"))
        yield (at, "id"), entry.get("id")
        yield (at, "published"), when(entry.get("published_parsed"))
        if not entry.get("published_parsed"):
            yield (at, "date"), when(dict.get(entry, "updated_parsed"))
        names = {words(author.get("name")): 1 for author in entry.get("authors", [])}
        yield (at, "authors"), "|".join(filter(None, names))
        yield (at, "text"), shown(content[0] if content else entry.get("summary_detail"))
        tags = [tag.get("label") or tag.get("term") for tag in entry.get("tags", [])]
        yield (at, "tags"), "|".join(words(tag) for tag in tags if tag)
        files = [web(file.get("href")) for file in entry.get("enclosures", [])]
        yield (at, "files"), "|".join(filter(None, files))


def ours(feed):
    """The values that forest has, by (item, field)."""
    yield (None, "title"), words(feed["title"], False)
    yield (None, "site"), web(feed["site"])
    yield (None, "language"), feed["language"]
    yield (None, "description"), words(feed["description"], False)
    for at, item in enumerate(feed["items"]):
        yield (at, "title"), words(item["title"], False)
        yield (at, "link"), web(item["link"])
        yield (at, "id"), item["id"]
        yield (at, "published"), utc(item["published"])
        yield (at, "date"), utc(item["updated"]) or utc(item["published"])
        yield (at, "authors"), "|".join(words(name, False) for name in item["authors"])
        yield (at, "text"), words(item["content"]) or words(item["summary"], False)
        yield (at, "tags"), "|".join(words(tag, False) for tag in item["categories"])
        yield (at, "files"), "|".join(file["url"] for file in item.get("enclosures", []))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("lab")
    parser.add_argument("tests", type=pathlib.Path)
    args = parser.parse_args()
    files = sorted(
        path.relative_to(args.tests)
        for path in args.tests.rglob("*")
        if path.suffix in (".xml", ".json") and "sanitize" not in path.parts
    )
    command = [pathlib.Path(args.lab).resolve(), "feeds", "--base", BASE, *files]
    read = subprocess.run(command, cwd=args.tests, check=True, capture_output=True, text=True)
    kinds = collections.defaultdict(collections.Counter)
    for path, line in zip(files, read.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        data = (args.tests / path).read_bytes()
        if b"<CHANNEL" in data or re.search(rb"(?i)header: *content-type:[^\n]*charset", data):
            continue
        headers = {"content-location": BASE + str(path)}
        try:
            parsed = feedparser.parse(data, response_headers=headers)
        except Exception as error:  # It fails on some of its own tests.
            print(f"{path}: feedparser: {error}")
            continue
        own = dict(ours(answer["feed"])) if "feed" in answer else {}
        kind = kinds["/".join(path.parts[:-1])]
        for key, value in theirs(parsed):
            if not value:
                continue
            found = own.get(key)
            why = found != value and reason(data, key, value, found, parsed.feed)
            result = (
                "equal" if found == value
                else "better" if why
                else "different" if found
                else "missing"
            )
            kind[result] += 1
            if args.verbose and result != "equal":
                print(f"{path}\t{key}\t{value!r}\t{found!r}\t{why or answer.get('error', '')}")
    total = collections.Counter()
    results = ("equal", "better", "different", "missing")
    print(f"{'kind':24}", *(f"{result:>9}" for result in results))
    for name, counts in sorted(kinds.items()):
        total += counts
        print(f"{name:24}", *(f"{counts[result]:9}" for result in results))
    print(f"{'all':24}", *(f"{total[result]:9}" for result in results))
    share = (total["equal"] + total["better"]) / sum(total.values())
    print(f"equal or better: {share:.4f}")


if __name__ == "__main__":
    main()
