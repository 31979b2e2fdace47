"""DuckDB: the articles of a Parquet file of pages (`url`, `html`), asked for in SQL.

python on_duckdb.py PAGES.parquet SITES/ ARTICLES.parquet
"""

import sys

import duckdb
import pyarrow

import forest_wrappers as fw


def main(pages: str, sites: str, out: str) -> None:
    extractor = fw.Extractor(sites)
    names = ["title", "text", "status"]

    def article(htmls, urls):
        columns = extractor.to_columns(htmls.to_pylist(), urls.to_pylist())
        return pyarrow.StructArray.from_arrays([pyarrow.array(columns[n], "string") for n in names], names)

    of = duckdb.struct_type({name: "VARCHAR" for name in names})
    database = duckdb.connect()
    database.create_function(
        "article", article, ["BLOB", "VARCHAR"], of, type="arrow", null_handling="special"
    )
    found = f"SELECT url, article(html, url) AS a FROM read_parquet('{pages}')"
    database.execute(f"COPY (SELECT url, a.* FROM ({found})) TO '{out}' (FORMAT parquet)")


if __name__ == "__main__":
    main(*sys.argv[1:])
