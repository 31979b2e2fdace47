"""Dask: the articles of a Parquet file of pages (`url`, `html`).

python on_dask.py PAGES.parquet SITES/ ARTICLES/
"""

import sys

import dask.dataframe as dd
import pandas

import forest_wrappers as fw


def articles(pages: pandas.DataFrame, sites: str) -> pandas.DataFrame:
    """The articles of a partition."""
    return pandas.DataFrame(fw.Extractor(sites).to_columns(pages["html"], pages["url"]))


def main(pages: str, sites: str, out: str) -> None:
    frame = dd.read_parquet(pages, columns=["url", "html"])
    columns = articles(pandas.DataFrame({"url": [], "html": []}), sites)
    found = frame.map_partitions(articles, sites, meta=columns)
    # Partitions agree on the types of columns that are empty in some of them.
    found.to_parquet(out, schema=fw.arrow_schema(), write_index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
