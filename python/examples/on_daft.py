"""Daft: the articles of a Parquet file of pages (`url`, `html`).

python on_daft.py PAGES.parquet SITES/ ARTICLES/
"""

import sys

import daft
from daft import DataType

import forest_wrappers as fw

TEXT = DataType.string()
ARTICLE = DataType.struct({"title": TEXT, "text": TEXT, "status": TEXT, "confidence": DataType.float64()})


def main(pages: str, sites: str, out: str) -> None:
    @daft.func.batch(return_dtype=ARTICLE)
    def article(html: daft.Series, url: daft.Series):
        columns = fw.Extractor(sites).to_columns(html.to_pylist(), url.to_pylist())
        names = ARTICLE.fields
        rows = zip(*(columns[name] for name in names))
        return [dict(zip(names, row)) for row in rows]

    frame = daft.read_parquet(pages)
    found = frame.select(frame["url"], article(frame["html"], frame["url"]).alias("article"))
    found.select("url", daft.col("article").unnest()).write_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
