"""datatrove: articles as a step of a pipeline."""

from __future__ import annotations

from typing import Any

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

import forest_wrappers as fw


class ForestExtractor(PipelineStep):
    """Puts the article in the place of a document's HTML.

    The step sees the address of a document (`metadata["url"]`), as datatrove's own extractors do
    not, and so the wrapper of its site. Documents without an article are left out.

    `wrappers` is a folder of wrapper files; without it the page's own shape shows the
    article. The record's other fields go to the metadata.
    """

    type = "🛢️ - EXTRAC"
    name = "🌲 forest"

    def __init__(self, wrappers: str | None = None) -> None:
        super().__init__()
        self.wrappers = wrappers

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> Any:
        extractor = fw.Extractor(self.wrappers) if self.wrappers else None
        for document in data or ():
            with self.track_time():
                url = document.metadata.get("url")
                read = extractor.extract if extractor else fw.extract
                article = read(document.text, url=url)
            if article is None or not article.text:
                self.stat_update("dropped")
                continue
            self.stat_update("forwarded")
            record = article.to_dict()
            document.text = record.pop("text")
            for key in ("title", "authors", "date_published", "language", "status", "confidence"):
                document.metadata[key] = record[key]
            yield document
