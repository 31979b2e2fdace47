"""Replays an archive with pywb, as its users do, and compares what comes with what is stored.

    python replay.py ARCHIVE

The WARC files of the archive's pages become a collection of pywb, which indexes them and
serves them on loopback. Every stored answer with status 200 must come back as the page that
it was, byte for byte and with its own content type, and every revisit as the page that it
refers to, if that is in the archive. Redirects and failures must come back with their status,
redirects to an address, but for those to another spelling of their own. The index must have
one line for each response, revisit and resource, and no other.

Needs pywb, with its surt, and warcio (PyPI). Exit code 1 and a line for each difference where there is one.
"""

import collections
import gzip
import hashlib
import io
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from surt import surt
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader

PAGES = ("response", "revisit", "resource")
BIN = pathlib.Path(sys.executable).parent


def stored(files):
    """The pages of the files: type, address, time, status, content type, the stated digest of
    the payload, the digest of its bytes without codings, of a revisit None, and the target."""
    for file in files:
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "warcinfo":
                    continue
                head = record.rec_headers
                date = head.get_header("WARC-Date")
                http = record.http_headers
                body = record.raw_stream.read()
                if http and "chunked" in (http.get_header("Transfer-Encoding") or ""):
                    chunks = ChunkedDataReader(io.BytesIO(body))
                    body = b"".join(iter(chunks.read, b""))
                # Who does not ask for gzip does not get it.
                if http and http.get_header("Content-Encoding") == "gzip" and body[:2] == b"\x1f\x8b":
                    body = gzip.decompress(body)
                yield (
                    record.rec_type,
                    head.get_header("WARC-Target-URI"),
                    "".join(c for c in date[:19] if c.isdigit()),
                    http.get_statuscode() if http else "200",
                    # A revisit without a head has that of the page that it refers to.
                    http.get_header("Content-Type") if http else
                    head.get_header("Content-Type") if record.rec_type == "resource" else None,
                    head.get_header("WARC-Payload-Digest"),
                    None if record.rec_type == "revisit" else hashlib.sha256(body).hexdigest(),
                    http.get_header("Location") if http else None,
                )


def serve(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [BIN / "wayback", "-b", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server, port
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    sys.exit("pywb does not answer")


def replayed(port, page):
    """What is wrong with a page as pywb gives it; None if nothing is."""
    kind, url, at, _, content_type, _, digest, _ = page
    address = f"http://127.0.0.1:{port}/life/{at}id_/{url}"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            body, came = answer.read(), answer.headers.get("Content-Type", "")
    except urllib.error.HTTPError as error:
        return f"{kind} {url} {at}: status {error.code}"
    if hashlib.sha256(body).hexdigest() != digest:
        return f"{kind} {url} {at}: other bytes than those stored"
    if content_type and came.split(";")[0].strip() != content_type.split(";")[0].strip():
        return f"{kind} {url} {at}: {came} instead of {content_type}"
    return None


def leads_to_itself(page):
    """True of a redirect to an address with the same key: pywb gives the page in its place."""
    return bool(page[7]) and surt(page[1]) == surt(urllib.parse.urljoin(page[1], page[7]))


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_):
        return None


def replayed_status(port, page):
    """What is wrong with a redirect or a failure as pywb gives it; None if nothing is."""
    kind, url, at, status = page[:4]
    address = f"http://127.0.0.1:{port}/life/{at}id_/{url}"
    try:
        urllib.request.build_opener(Stay).open(address, timeout=60).close()
        came, to = "200", None
    except urllib.error.HTTPError as error:
        came, to = str(error.code), error.headers.get("Location")
    if came != status or status in ("301", "302", "303", "307", "308") and not to:
        return f"{kind} {url} {at}: status {came} instead of {status}, Location {to}"
    return None


def main(archive):
    files = sorted(pathlib.Path(archive, "warc").glob("*.warc.gz"))
    pages = list(stored(files))
    faults = [f"{page[0]} with the address {page[1]}" for page in pages if page[0] not in PAGES + ("request",)]
    pages = [page for page in pages if page[0] in PAGES]
    with tempfile.TemporaryDirectory() as folder:
        for arguments in (["init", "life"], ["add", "life", *map(str, map(pathlib.Path.resolve, files))]):
            subprocess.run([BIN / "wb-manager", *arguments], cwd=folder, check=True, capture_output=True)
        indexes = pathlib.Path(folder, "collections/life/indexes").glob("*.cdxj")
        lines = sum(len(index.read_text().splitlines()) for index in indexes)
        if lines != len(pages):
            faults.append(f"{lines} lines in the index for {len(pages)} pages")
        server, port = serve(folder)
        try:
            # A revisit gives the bytes of a page with its digest.
            by_digest = {page[5]: page[6] for page in pages if page[6] and page[3] == "200"}
            pages = [page[:6] + (page[6] or by_digest.get(page[5]), page[7]) for page in pages]
            # A revisit of a redirect has no page, and one of a page elsewhere none here.
            found = [
                page for page in pages
                if page[6] and page[1].startswith("http")
                and (page[3] == "200" or page[0] == "revisit" and page[3] in ("200", "304"))
            ]
            # Two pages of one address and second cannot be told from each other.
            seen = {}
            for page in pages:
                seen.setdefault((page[1], page[2]), set()).add(page[6])
            wanted = [page for page in found if len(seen[page[1], page[2]]) == 1]
            # Where one address has several answers in a second, pywb may give another.
            times = collections.Counter((page[1], page[2]) for page in pages)
            others = [
                page for page in pages
                if page[0] == "response" and page[3][:1] in "345" and times[page[1], page[2]] == 1
                and not leads_to_itself(page)
            ]
            with ThreadPoolExecutor(4) as pool:
                told = list(pool.map(lambda page: replayed(port, page), wanted))
                told += pool.map(lambda page: replayed_status(port, page), others)
                faults.extend(fault for fault in told if fault)
        finally:
            server.kill()
            server.wait()
    for fault in faults[:50]:
        print(fault)
    print(f"pywb: {len(wanted)} of {len(found)} pages replayed, {len(others)} redirects and failures, {lines} lines in the index, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
