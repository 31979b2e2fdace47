"""NeMo Curator: articles as a `DocumentExtractor` of its downloads."""

from __future__ import annotations

from typing import Any

from nemo_curator.stages.text.download import DocumentExtractor

import forest_wrappers as fw

from ._columns import COLUMNS, row


class ForestExtractor(DocumentExtractor):
    """The article of a record with `url` and `content`, as the iterator of WARC files gives
    it. Records without an article are left out.

    `wrappers` is a folder of wrapper files; without it the page's own shape shows the
    article. The columns are those of `Extractor.to_columns`, and the record's `warc_id` and
    `source_id`.
    """

    def __init__(self, wrappers: str | None = None) -> None:
        super().__init__()
        self.wrappers = wrappers
        self._extractor: fw.Extractor | None = None

    # A stage is sent to its workers: each opens the folder for itself.
    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_extractor": None}

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        html, url = record.get("content"), record.get("url")
        if not html:
            return None
        if self.wrappers and self._extractor is None:
            self._extractor = fw.Extractor(self.wrappers)
        read = self._extractor.extract if self._extractor else fw.extract
        article = read(html, url=url)
        if article is None or not article.text:
            return None
        kept = {name: record.get(name) for name in ("warc_id", "source_id")}
        return {**row(article), **kept}

    def input_columns(self) -> list[str]:
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        return [*COLUMNS, "warc_id", "source_id"]
