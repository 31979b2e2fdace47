"""Accounts for every record of web archives that were imported into an archive.

    python account.py ARCHIVE FILE...

Each record of the files (WARC, ARC, WACZ) must be in a WARC file of the archive: with its
type, address, date and HTTP head, and byte for byte with its content. A `response` of
another protocol than HTTP may be a `resource`. Prints the counts by type before and after.

Needs warcio (PyPI). Exit code 1 and a line for each missing record where there is one.
"""

import collections
import hashlib
import pathlib
import sys
import zipfile

from warcio.archiveiterator import ArchiveIterator


def streams(files):
    for file in files:
        if file.suffix == ".wacz":
            archive = zipfile.ZipFile(file)
            for name in archive.namelist():
                if name.startswith("archive/"):
                    yield archive.open(name)
        else:
            yield open(file, "rb")


def records(files):
    """Type, address, second, head and digest of the content of each record."""
    for stream in streams(files):
        with stream:
            # Without the reader's own view of HTTP: the block as it is.
            for record in ArchiveIterator(stream, no_record_parse=False, arc2warc=True):
                head = record.rec_headers
                date = head.get_header("WARC-Date") or ""
                seconds = "".join(c for c in date if c.isdigit())[:14]
                http = record.http_headers
                lines = http.to_str() if http else ""
                content = record.raw_stream.read()
                address = head.get_header("WARC-Target-URI") or ""
                kind = record.rec_type
                if record.format == "arc" and kind == "warcinfo":
                    # warcio makes up the block; ours is the one of the file.
                    lines, content = "", b""
                yield kind, address.strip("<>"), seconds, lines, hashlib.sha256(content).hexdigest()


def main(archive, *files):
    before = list(records(map(pathlib.Path, files)))
    stored = list(records(sorted(pathlib.Path(archive, "warc").glob("*.warc*.gz"))))
    held = collections.Counter(stored)
    addresses = collections.Counter(record[:3] for record in stored)
    missing = []
    for record in before:
        kind, *rest = record
        as_resource = ("resource", *rest)
        of_arc = kind == "warcinfo" and record[4] == hashlib.sha256(b"").hexdigest()
        if not (held[record] or kind == "response" and held[as_resource] or of_arc and addresses[record[:3]]):
            missing.append(record)
    for record in missing[:50]:
        print("missing:", *record[:3], record[4][:12])
    counts = [dict(sorted(collections.Counter(record[0] for record in all).items())) for all in (before, stored)]
    print(f"account: {len(before) - len(missing)} of {len(before)} records found; before {counts[0]}, after {counts[1]}")
    return 1 if missing or not before else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
