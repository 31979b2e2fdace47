"""Spark in `local-cluster[2,1,1024]` while an executor is killed: nothing may be lost.

    python python/bench/killed_executor.py

Learns the sites of the project's own gold, extracts some thousand copies of their pages, kills
an executor once the first rows are there, and compares all rows with those of one process.
"""

import os
import pathlib
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

import forest_wrappers as fw  # noqa: E402
from forest_wrappers import spark as on_spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from sites import GOLD, pages_of  # noqa: E402

COPIES = 40


def executors():
    """The processes of executors."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command:
            yield int(folder.name)


def main():
    sites = [folder.name for folder in sorted(GOLD.glob("*.example")) if (folder / "feed.xml").exists()]
    pages = {url: html for site in sites for url, html in pages_of(site)}
    pages = [(f"{url}?copy={n}", html) for n in range(COPIES) for url, html in pages.items()]
    master = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    spark = master.config("spark.task.maxFailures", "8").getOrCreate()
    frame = spark.createDataFrame(pages, "url string, html binary").repartition(24).persist()
    print(f"{frame.count()} pages of {len(sites)} sites, executors: {sorted(executors())}")
    wrappers = on_spark.learn_sites(frame).persist()
    learned = wrappers.collect()
    killed = []

    with tempfile.TemporaryDirectory() as done:

        def slowly(batches):
            for batch in batches:
                yield batch
            pathlib.Path(done, str(os.getpid()) + str(time.time())).touch()
            time.sleep(0.3)

        def kill_one():
            while not any(pathlib.Path(done).iterdir()):
                time.sleep(0.05)
            victim = min(executors())
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        killer = threading.Thread(target=kill_one)
        killer.start()
        again = frame.mapInArrow(slowly, "url string, html binary")
        rows = on_spark.extract(again, wrappers).collect()
        killer.join()
    print(f"killed executor {killed}, running now: {sorted(executors())}")
    with tempfile.TemporaryDirectory() as folder:
        for row in learned:
            if row.wrapper:
                fw.Wrapper.from_yaml(row.wrapper).save(folder)
        urls, htmls = zip(*pages)
        columns = fw.Extractor(folder).to_columns(htmls, urls)
    found = {row.fetched_url: row.asDict() for row in rows}
    differ = sum(
        {name: values[at] for name, values in columns.items()} != found.get(url)
        for at, url in enumerate(urls)
    )
    print(f"{len(rows)} rows of {len(pages)} pages, {differ} differ from those of one process")
    spark.stop()
    sys.exit(differ > 0 or len(rows) != len(pages) or not killed)


main()
