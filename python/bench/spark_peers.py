"""The Spark job beside the command and two peers, on a made-up crawl.

python spark_peers.py [PAGES]        # default 4000; needs Java, pip and the wheel in ./wheels

It makes a venv with PySpark, Resiliparse, trafilatura and the wheel, and a crawl of the pages of `gold/` as
WARC and as Parquet; then measures, on two cores each: the command, the time within our call
and of the whole job, and the same job with each peer, written as cc-pyspark writes its jobs: a
function from a record to a row, over the records of each file.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["pyspark", "pandas<3", "pyarrow", "resiliparse", "trafilatura", "lxml_html_clean", "warcio"]
FILES = 8


def in_venv(folder):
    """The interpreter of a venv with the peers and the wheel."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        wheels = [str(wheel) for wheel in pathlib.Path("wheels").glob("*.whl")]
        if not wheels:
            sys.exit("no wheel in ./wheels: maturin build --release -o wheels")
        subprocess.run([python, "-m", "pip", "install", "-q", *PEERS, *wheels], check=True)
    return python


def record(url, html):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    lines = ["WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: {url}"]
    lines += ["Content-Type: application/http; msgtype=response"]
    lines += [f"Content-Length: {len(head) + len(html)}"]
    return gzip.compress("\r\n".join(lines).encode() + b"\r\n\r\n" + head + html + b"\r\n\r\n", 6)


def made_up(folder, count):
    """`count` pages of the gold's sites as WARC files and as Parquet files."""
    import pyarrow
    import pyarrow.parquet

    sys.path.insert(0, str(HERE.parent / "tests"))
    from sites import GOLD, pages_of

    sites = sorted(site.name for site in GOLD.iterdir() if len(list(site.glob("*.html"))) >= 4)
    pages = [page for site in sites for page in pages_of(site)]
    all_pages = [(f"{url}?n={n}", html) for n in range(count // len(pages) + 1) for url, html in pages]
    all_pages = all_pages[:count]
    for name in ("warc", "parquet"):
        (folder / name).mkdir()
    for at in range(FILES):
        part = all_pages[at::FILES]
        (folder / "warc" / f"{at}.warc.gz").write_bytes(b"".join(record(*page) for page in part))
        urls, htmls = zip(*part)
        columns = {"url": urls, "html": pyarrow.array(htmls, pyarrow.binary())}
        file = folder / "parquet" / f"{at}.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), file, compression="zstd")
    return all_pages


def our_job(spark, pages, wrappers, out):
    from forest_wrappers import spark as on_spark

    within = spark.sparkContext.accumulator(0.0)
    on_spark.extract(pages, wrappers, within=within).write.mode("overwrite").parquet(out)
    return within.value


def peer_job(spark, files, name, out):
    """A job as cc-pyspark's: a function of each record of each file of a partition."""

    def rows(paths):
        from warcio.archiveiterator import ArchiveIterator

        if name == "trafilatura":
            from trafilatura import extract as text_of
        else:
            from resiliparse.extract.html2text import extract_plain_text
            from resiliparse.parse.encoding import bytes_to_str, detect_encoding
            from resiliparse.parse.html import HTMLTree

            def text_of(html):
                tree = HTMLTree.parse(bytes_to_str(html, detect_encoding(html)))
                return extract_plain_text(tree, main_content=True)

        for path in paths:
            with open(path, "rb") as stream:
                for record in ArchiveIterator(stream):
                    if record.rec_type == "response":
                        html = record.content_stream().read()
                        yield record.rec_headers.get_header("WARC-Target-URI"), text_of(html)

    found = spark.sparkContext.parallelize(files, len(files)).mapPartitions(rows)
    spark.createDataFrame(found, "url string, text string").write.mode("overwrite").parquet(out)


def measure(folder, count):
    from pyspark.sql import SparkSession

    import forest_wrappers as fw
    from forest_wrappers import spark as on_spark

    pages = made_up(folder, count)
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = session.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    frame = spark.read.parquet(str(folder / "parquet"))
    wrappers = on_spark.learn_sites(frame).persist()
    sites = folder / "sites"
    for row in wrappers.where("wrapper is not null").collect():
        fw.Wrapper.from_yaml(row.wrapper).save(sites)

    lines = [json.dumps({"url": url, "html": html.decode("utf-8", "replace")}) for url, html in pages]
    (folder / "pages.jsonl").write_text("\n".join(lines) + "\n")
    warcs = sorted(str(path) for path in (folder / "warc").iterdir())

    def command(*sources):
        forest = [sys.executable, "-m", "forest_wrappers", "apply", *sources, "--sites", str(sites)]
        begin = time.perf_counter()
        with open(folder / "command.jsonl", "wb") as out:
            subprocess.run([*forest, "--jobs", "2"], stdout=out, stderr=subprocess.DEVNULL)
        return time.perf_counter() - begin

    # Lines lose the charset of pages that are not UTF-8: equality is asked of the WARC files.
    took = {"command, JSON lines": command(str(folder / "pages.jsonl")), "command, WARC": command(*warcs)}
    within = {}
    for name, source in [("Parquet", lambda: frame), ("WARC", lambda: on_spark.read_warc(spark, str(folder / "warc")))]:
        for _ in range(2):  # the first starts workers and the JVM's compiler
            begin = time.perf_counter()
            within[name] = our_job(spark, source(), wrappers, str(folder / "out"))
            took[f"our job, {name}"] = time.perf_counter() - begin
    # Without our call: the same rows through the JVM and Arrow.
    through = frame.select("url", "html").mapInArrow(lambda batches: batches, "url string, html binary")
    begin = time.perf_counter()
    through.write.mode("overwrite").parquet(str(folder / "none"))
    took["the same rows through Arrow, no call"] = time.perf_counter() - begin
    records = map(json.loads, (folder / "command.jsonl").open())
    by_command = {record["fetched_url"]: (record["text"], record["title"], record["status"]) for record in records}
    by_spark = spark.read.parquet(str(folder / "out")).collect()
    differing = sum(by_command.get(row.fetched_url) != (row.text, row.title, row.status) for row in by_spark)
    for peer in ("resiliparse", "trafilatura"):
        begin = time.perf_counter()
        peer_job(spark, warcs, peer, str(folder / "peer"))
        took[f"{peer}, WARC"] = time.perf_counter() - begin
    spark.stop()
    print(f"{len(pages)} pages, {sum(len(html) for _, html in pages) / len(pages) / 1000:.1f} kB each")
    for name, seconds in took.items():
        print(f"{name}: {seconds:.1f} s, {len(pages) / seconds:.0f} pages a second")
    for name, seconds in within.items():
        print(f"within our call, {name}: {seconds:.1f} s of a core, {2 * len(pages) / seconds:.0f} pages a second on two")
    print(f"of {len(by_spark)} rows {differing} differ from the command's")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    if os.environ.get("IN_VENV"):
        with tempfile.TemporaryDirectory() as folder:
            measure(pathlib.Path(folder), count)
        return
    python = in_venv(pathlib.Path("bench-venv").resolve())
    environment = {**os.environ, "IN_VENV": "1", "PYSPARK_PYTHON": str(python), "PYTHONSAFEPATH": "1"}
    sys.exit(subprocess.run([python, __file__, str(count)], env=environment).returncode)


if __name__ == "__main__":
    main()
