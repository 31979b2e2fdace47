"""Spark: wrappers of all sites of a data frame, and its articles.

A data frame of pages has the columns `url` (string) and `html` (string or binary).

>>> wrappers = learn_sites(pages)                                # doctest: +SKIP
>>> articles = extract(pages, wrappers)                          # doctest: +SKIP
>>> articles.groupBy("site", "status").count()                   # doctest: +SKIP
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import forest_wrappers as fw

from ._columns import COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Pages of a host that a wrapper is learned from at the most.
PER_HOST = 10

_LEARNED = "host string, wrapper string, error string"
_TYPES = {"string": "string", "double": "double", "list<string>": "array<string>"}
_ARTICLES = ", ".join(f"{name} {_TYPES[kind]}" for name, kind in COLUMNS.items())


def host_of(url: str | None) -> str | None:
    """The host of an address, without `www.`; None if it has none."""
    try:
        host = urlsplit(url or "").hostname
    except ValueError:
        return None
    return host.removeprefix("www.") if host else None


def learn_sites(pages: DataFrame, per_host: int = PER_HOST) -> DataFrame:
    """A wrapper a host, from a sample of its pages: `host`, `wrapper` (None where nothing was
    learned) and `error`, the reason. The pages of a host are sampled before they move: a host
    with most of the pages costs no more than another."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F
    from pyspark.sql.types import StringType

    host = F.udf(host_of, StringType())
    # A page's place in the sample goes by its address: the same sample on each run.
    place = F.xxhash64("url")
    hosts = pages.select(host("url").alias("host"), "url", place.alias("place"))
    rank = F.row_number().over(Window.partitionBy("host").orderBy("place", "url"))
    chosen = hosts.where("host is not null").withColumn("rank", rank)
    chosen = chosen.where(F.col("rank") <= per_host).select("host", "url")
    sample = pages.join(chosen, "url").dropDuplicates(["url"])
    return sample.groupBy("host").applyInPandas(_learned, _LEARNED)


def _learned(key: tuple[str], pages: Any) -> Any:
    import pandas

    # The order of the pages is that of their addresses, whatever moved first.
    sample = sorted(zip(pages["url"], pages["html"]), key=lambda page: page[0])
    try:
        wrapper, error = fw.learn(sample, site=key[0]).to_yaml(), None
    except fw.ForestError as why:
        wrapper, error = None, str(why)
    return pandas.DataFrame({"host": [key[0]], "wrapper": [wrapper], "error": [error]})


def extract(pages: DataFrame, wrappers: DataFrame, within: Any = None) -> DataFrame:
    """The articles of pages, one a page, by the wrappers that `learn_sites` gave. Their
    columns are those of the record. Where a host has no wrapper the page's own shape
    shows the article, and `status` is `fallback`. `within`, an accumulator, is given the
    seconds of the calls."""
    rows = wrappers.where("wrapper is not null").select("host", "wrapper").collect()
    known = pages.sparkSession.sparkContext.broadcast({row.host: row.wrapper for row in rows})

    def articles(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        with tempfile.TemporaryDirectory() as folder:
            extractor = fw.Extractor(folder)
            saved: set[str] = set()
            for batch in batches:
                urls = batch.column("url").to_pylist()
                hosts = {host for host in map(host_of, urls) if host in known.value}
                for host in hosts - saved:
                    fw.Wrapper.from_yaml(known.value[host]).save(folder)
                    saved.add(host)
                htmls = batch.column("html").to_pylist()
                begin = perf_counter()
                columns = extractor.to_columns(htmls, urls)
                if within is not None:
                    within.add(perf_counter() - begin)
                yield pyarrow.RecordBatch.from_pydict(columns, schema=fw.arrow_schema())

    return pages.select("url", "html").mapInArrow(articles, _ARTICLES)


def read_warc(spark: SparkSession, path: str) -> DataFrame:
    """The pages of WARC files: `url` and `html`. Each file is read by one task."""

    def pages(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            for content in batch.column("content").to_pylist():
                read = list(fw.warc_pages(content))
                urls = pyarrow.array([url for url, _ in read], pyarrow.string())
                htmls = pyarrow.array([html for _, html in read], pyarrow.binary())
                yield pyarrow.RecordBatch.from_arrays([urls, htmls], ["url", "html"])

    files = spark.read.format("binaryFile").load(path).select("content")
    return files.mapInArrow(pages, "url string, html binary")


def read_ranges(ranges: DataFrame, open_range: Any) -> DataFrame:
    """The pages of records of WARC files, as the columnar index of Common Crawl names them:
    `warc_filename`, `offset` and `length`. `open_range(filename, offset, length)` gives the
    bytes of a record, compressed or not."""

    def pages(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            urls, htmls = [], []
            for row in batch.to_pylist():
                record = open_range(row["warc_filename"], row["offset"], row["length"])
                for url, html in fw.warc_pages(record):
                    urls.append(url)
                    htmls.append(html)
            arrays = [pyarrow.array(urls, pyarrow.string()), pyarrow.array(htmls, pyarrow.binary())]
            yield pyarrow.RecordBatch.from_arrays(arrays, ["url", "html"])

    wanted = ranges.select("warc_filename", "offset", "length")
    return wanted.mapInArrow(pages, "url string, html binary")
