"""What learning all sites of a crawl takes, on a made-up crawl: the figures of docs/scale.md.

python whole_web.py [--hosts 1000000] [--pages 30000000] [--part 1000] [--exponent 1.0]

Hosts have pages by Zipf's law. First the crawl is drawn as numbers: which hosts can be learned,
and which pages are theirs. Then a part of it is written as WARC files, the pages of each host those of
one site of `gold/` in turn, and `forest learn --from-warc` and `forest apply` run over it.
"""

import argparse
import array
import bisect
import gzip
import itertools
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from sites import GOLD, pages_of  # noqa: E402
from spark_peers import record  # noqa: E402

PER_HOST = 10


def drawn(hosts, pages, exponent):
    """The host of each page."""
    up_to = list(itertools.accumulate(rank ** -exponent for rank in range(1, hosts + 1)))
    draw = random.Random(1).random
    for _ in range(pages):
        yield min(bisect.bisect(up_to, draw() * up_to[-1]), hosts - 1)


def counts(hosts, pages, exponent):
    of = array.array("L", bytes(8 * hosts))
    for host in drawn(hosts, pages, exponent):
        of[host] += 1
    print(f"{pages} pages of {hosts} hosts, exponent {exponent}; the largest has {of[0]}")
    for least in (1, 2, 3, PER_HOST):
        with_it = [n for n in of if n >= least]
        share = 100 * sum(with_it) / pages
        print(f"hosts with {least} pages or more: {len(with_it)}, with {share:.1f} % of the pages")
    sample = sum(min(n, PER_HOST) for n in of)
    print(f"pages of a sample of {PER_HOST} a host: {sample}, {100 * sample / pages:.1f} % of the pages")


def timed(arguments, out=subprocess.DEVNULL):
    """Seconds, core seconds and the most memory in MB of the command."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "forest_wrappers", *map(str, arguments)]
    run = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, 1, 3):
        sys.exit(run.stderr)
    core = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begin, core, after.ru_maxrss / 1000, run.stderr


def contents(hosts, pages, exponent, folder):
    sites = sorted(site.name for site in GOLD.iterdir() if len(list(site.glob("*.html"))) >= 4)
    lent = [[html for _, html in pages_of(site)] for site in sites]
    warc, size, begin = folder / "crawl.warc.gz", 0, time.perf_counter()
    with warc.open("wb") as out:
        for n, host in enumerate(drawn(hosts, pages, exponent)):
            html = lent[host % len(lent)][n % len(lent[host % len(lent)])]
            size += len(html)
            out.write(record(f"https://h{host}.example/{n}", html))
    print(f"\nwritten: {pages} pages of {hosts} hosts, {size // pages} bytes a page, {time.perf_counter() - begin:.0f} s")
    found = folder / "sites"
    wall, core, memory, said = timed(["learn", "--from-warc", warc, "--per-host", PER_HOST, "--sites", found])
    files = [path.read_bytes() for path in found.iterdir()]
    print(said.strip().splitlines()[-1])
    print(f"learn: {wall:.1f} s, {core:.1f} core seconds, at most {memory:.0f} MB")
    sampling = min_time(warc, folder)
    print(f"of these reading and sampling: {sampling:.1f} core seconds, {1000 * sampling / pages:.2f} ms a page")
    each = (core - sampling) / max(len(files), 1)
    print(f"a site learned: {1000 * each:.0f} ms of a core")
    raw, packed = map(sum, zip(*((len(yaml), len(zlib.compress(yaml))) for yaml in files)))
    print(f"a wrapper: {raw // len(files)} bytes, {packed // len(files)} compressed")
    wall, core, memory, _ = timed(["apply", warc, "--sites", found, "--jobs", 2])
    print(f"apply: {wall:.1f} s, {1000 * core / pages:.2f} ms of a core a page, at most {memory:.0f} MB")


def min_time(warc, folder):
    """Core seconds of the pass alone: one page a host teaches nothing."""
    return timed(["learn", "--from-warc", warc, "--per-host", 1, "--sites", folder / "none"])[1]


def main():
    of = argparse.ArgumentParser()
    of.add_argument("--hosts", type=int, default=1_000_000)
    of.add_argument("--pages", type=int, default=30_000_000)
    of.add_argument("--part", type=int, default=1000)
    of.add_argument("--exponent", type=float, default=1.0)
    args = of.parse_args()
    counts(args.hosts, args.pages, args.exponent)
    with tempfile.TemporaryDirectory() as folder:
        contents(args.hosts // args.part, args.pages // args.part, args.exponent, pathlib.Path(folder))


if __name__ == "__main__":
    main()
