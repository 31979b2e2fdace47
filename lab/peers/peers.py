#!/usr/bin/env python3
"""The speed of forest beside its peers: python3 lab/peers/peers.py [--rounds N] FOLDER...

Builds the Rust tools and a virtual environment with the Python tools in target/peers, runs all
of them on the pages of collections of gold, each in a process of its own and in turn, on one
core, and prints medians of ratios to html5ever (into RcDom, same bytes, same round), pages a
second, and the memory that the rounds take at most.
"""

import argparse
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "target" / "peers"
RUST = [
    "html5ever", "parse", "apply", "onepage", "text", "dom_smoothie", "trafilatura-rs",
]
PYTHON = ["resiliparse", "trafilatura"]


def pages(folder):
    """The bytes of a collection's pages."""
    for path in sorted(pathlib.Path(folder).glob("*/*.html*")):
        data = path.read_bytes()
        yield gzip.decompress(data) if path.suffix == ".gz" else data


def tool(name):
    """The function of a Python tool, from bytes to text."""
    if name == "trafilatura":
        import trafilatura

        return trafilatura.extract
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(data):
        tree = HTMLTree.parse_from_bytes(data, detect_encoding(data))
        return extract_plain_text(tree, main_content=True)

    return extract


def work(name, folder):
    """A round for each line of input, as the Rust tools do."""
    run, all_pages = tool(name), list(pages(folder))
    print(len(all_pages), flush=True)
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass
    for _ in sys.stdin:
        start = time.perf_counter()
        for data in all_pages:
            run(data)
        print(time.perf_counter() - start, flush=True)


def install():
    """The commands of the tools, built and installed where they are not yet."""
    cargo = ["cargo", "build", "--release", "--quiet", "--target-dir", TARGET / "cargo"]
    subprocess.run(cargo, cwd=HERE, check=True)
    venv = TARGET / "venv"
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "resiliparse", "trafilatura", "lxml_html_clean"]
    subprocess.run(pip, check=True)
    rust = TARGET / "cargo" / "release" / "forest-peers"
    return {name: [rust, name] for name in RUST} | {
        name: [python, __file__, "--work", name] for name in PYTHON
    }


class Worker:
    """A tool in a process of its own."""

    def __init__(self, command, folder):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*command, folder], stdin=pipe, stdout=pipe, text=True)
        self.pages = int(self.process.stdout.readline())

    def round(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def peak_mb(self):
        """The most memory since the pages were read."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        peak = [int(line.split()[1]) for line in lines if line.startswith("VmHWM")]
        return f"{peak[0] / 1024:.0f}" if peak else "-"

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def compare(folder, rounds, commands):
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    workers = {name: Worker(command, folder) for name, command in commands.items()}
    count = workers["html5ever"].pages
    if any(worker.pages != count for worker in workers.values()):
        sys.exit(f"{folder}: the tools do not see the same pages")
    times = {name: [] for name in workers}
    for turn in range(rounds + 1):
        for name, worker in workers.items():
            seconds = worker.round()
            # The first round fills the caches.
            if turn:
                times[name].append(seconds)
    print(f"{folder}: {count} pages, {rounds} rounds, one core")
    print("| tool | html5ever parses a page | lowest, highest | pages a second | MB at most |")
    print("| --- | --- | --- | --- | --- |")
    for name, worker in workers.items():
        ratios = [own / base for own, base in zip(times[name], times["html5ever"])]
        speed = count / statistics.median(times[name])
        print(
            f"| {name} | {statistics.median(ratios):.2f} | {min(ratios):.2f}, {max(ratios):.2f} "
            f"| {speed:.0f} | {worker.peak_mb()} |"
        )
        worker.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    args = parser.parse_args()
    if args.work:
        work(args.work, args.folders[0])
        return
    commands = install()
    for folder in args.folders:
        compare(folder, args.rounds, commands)


if __name__ == "__main__":
    main()
