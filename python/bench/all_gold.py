"""The wheel gives what the command gives: each page of collections of gold, byte for byte.

    python python/bench/all_gold.py ../shared/gold/pool/* ../shared/gold/single/* ...

For each site of a collection (`<site>/<page>.html.gz`, its address in `<page>.json`) the command
learns a wrapper into a folder; then the command and the package read every page with that folder.
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import forest_wrappers as fw


def pages_of(site):
    for file in sorted(site.glob("*.html.gz")):
        about = file.with_name(file.name.removesuffix(".html.gz") + ".json")
        url = json.loads(about.read_text()).get("url") if about.exists() else None
        host = f"https://{site.name.lower().replace('_', '-')}.example"
        if not url or not url.startswith("http"):
            url = f"{host}/{file.name.split('.')[0]}"
        yield url, gzip.decompress(file.read_bytes()).decode("utf-8", "replace")


def forest(*arguments, stdin):
    """The lines of JSON that the command prints."""
    command = [sys.executable, "-m", "forest_wrappers", *arguments]
    ran = subprocess.run(command, input=stdin, capture_output=True)
    return [line for line in ran.stdout.decode().splitlines() if line.startswith("{")]


def jsonl(pages):
    return "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in pages).encode()


def differences(pages):
    with tempfile.TemporaryDirectory() as sites:
        forest("learn", "-", "--sites", sites, stdin=jsonl(pages))
        command = forest("apply", "-", "--sites", sites, stdin=jsonl(pages))
        extractor = fw.Extractor(sites)
        urls, htmls = [url for url, _ in pages], [html for _, html in pages]
        package = [article.to_json() for article in extractor.extract_many(zip(urls, htmls), threads=2)]
    assert len(command) == len(package) == len(pages), (len(command), len(package), len(pages))
    differ = [url for url, a, b in zip(urls, command, package) if a != b]
    with_wrapper = sum(bool(json.loads(line).get("wrapper")) for line in command)
    return differ, with_wrapper


def main(collections):
    all_pages = all_differ = 0
    for collection in map(pathlib.Path, collections):
        total = differ = with_wrapper = 0
        for site in sorted(folder for folder in collection.iterdir() if folder.is_dir()):
            pages = list(dict(pages_of(site)).items())
            if not pages:
                continue
            unlike, wrapped = differences(pages)
            total, differ, with_wrapper = total + len(pages), differ + len(unlike), with_wrapper + wrapped
            for url in unlike[:3]:
                print("  differs:", url)
        print(f"{collection.name}: {total} pages, {with_wrapper} with a wrapper, {differ} differ", flush=True)
        all_pages, all_differ = all_pages + total, all_differ + differ
    print(f"{all_pages} pages, {all_differ} differ")
    return all_differ > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
