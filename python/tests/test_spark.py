"""Spark on the made-up sites, local, with two cores."""

import gzip
import os
import pathlib

import forest_wrappers as fw
import pytest
from sites import pages_of

pytest.importorskip("pyspark")

from forest_wrappers import spark as on_spark  # noqa: E402

SITES = ["harbour-gazette.example", "meridian-daily.example", "kitchen-ledger.example"]


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    yield session
    session.stop()


def all_pages():
    # One host has most of the pages.
    # Two pages of a site may say that they are one.
    pages = list({url: html for site in SITES for url, html in pages_of(site)}.items())
    url, html = pages[0]
    return pages + [(f"{url}?copy={n}", html) for n in range(200)]



@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(all_pages(), "url string, html binary").repartition(5)


@pytest.fixture(scope="module")
def wrappers(frame):
    return on_spark.learn_sites(frame).persist()


def test_a_wrapper_a_host(wrappers):
    rows = {row.host: row for row in wrappers.collect()}
    assert sorted(rows) == sorted(SITES)
    for host, row in rows.items():
        assert row.error is None
        assert fw.Wrapper.from_yaml(row.wrapper).site == host


def test_the_sample_of_a_host_is_bounded_and_the_same_each_time(spark, frame, wrappers):
    again = on_spark.learn_sites(frame.repartition(2))
    key = lambda row: row.host
    assert sorted(again.collect(), key=key) == sorted(wrappers.collect(), key=key)


def test_hosts_from_which_nothing_is_learned_say_why(spark):
    one = spark.createDataFrame([("https://a.example/1", b"<p>a")], "url string, html binary")
    (row,) = on_spark.learn_sites(one).collect()
    assert row.wrapper is None and "good page" in row.error
    (article,) = on_spark.extract(one, on_spark.learn_sites(one)).collect()
    assert article.status == "fallback"


def test_articles_are_those_of_one_process(frame, wrappers, tmp_path):
    for row in wrappers.collect():
        fw.Wrapper.from_yaml(row.wrapper).save(tmp_path)
    pages = all_pages()
    urls, htmls = zip(*pages)
    columns = fw.Extractor(tmp_path).to_columns(htmls, urls)
    found = {row.fetched_url: row.asDict() for row in on_spark.extract(frame, wrappers).collect()}
    assert len(found) == len(pages)
    # The folder of the wrappers is another in each process: nothing says its name.
    for at, url in enumerate(urls):
        assert {name: values[at] for name, values in columns.items()} == found[url]


def test_a_killed_worker_is_begun_again(spark, frame, wrappers, tmp_path):
    flag = str(tmp_path / "killed")
    partitions = frame.repartition(4)

    def kill_once(batches):
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
        else:
            os._exit(9)

    again = partitions.mapInArrow(kill_once, "url string, html binary")
    assert on_spark.extract(again, wrappers).count() == len(all_pages())
    assert pathlib.Path(flag).exists()


def warc(pages):
    out = b""
    for url, html in pages:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        lines = ["WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: {url}"]
        lines.append(f"Content-Length: {len(head) + len(html)}")
        record = "\r\n".join(lines).encode() + b"\r\n\r\n" + head + html + b"\r\n\r\n"
        out += gzip.compress(record)
    return out


def test_pages_of_warc_files_and_of_ranges(spark, tmp_path):
    pages = pages_of(SITES[0])
    file = tmp_path / "crawl.warc.gz"
    file.write_bytes(warc(pages))
    rows = on_spark.read_warc(spark, str(file)).collect()
    assert [(row.url, bytes(row.html)) for row in rows] == pages

    first = len(warc(pages[:1]))
    second = len(warc(pages[:2])) - first

    def open_range(name, offset, length):
        with open(name, "rb") as archive:
            archive.seek(offset)
            return archive.read(length)

    columns = "warc_filename string, offset long, length long"
    ranges = spark.createDataFrame([(str(file), first, second)], columns)
    (row,) = on_spark.read_ranges(ranges, open_range).collect()
    assert (row.url, bytes(row.html)) == pages[1]
