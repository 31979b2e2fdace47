"""Articles from web pages, by wrappers that are learned, one a site.

>>> import forest_wrappers as fw
>>> wrapper = fw.learn([(url, html), ...])          # ten pages of a site   # doctest: +SKIP
>>> article = fw.Extractor(wrapper).extract(html, url=url)                 # doctest: +SKIP
>>> article.title, article.text, article.status                            # doctest: +SKIP
"""

from ._columns import arrow_schema
from ._native import (
    Abstained,
    Article,
    Extractor,
    ForestError,
    Wrapper,
    check,
    eval,
    extract,
    filter,
    learn,
    text,
    warc_pages,
)

__all__ = [
    "Abstained",
    "Article",
    "Extractor",
    "ForestError",
    "Wrapper",
    "arrow_schema",
    "check",
    "eval",
    "extract",
    "filter",
    "learn",
    "text",
    "warc_pages",
]
