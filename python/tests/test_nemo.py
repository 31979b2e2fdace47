"""The extractor of NeMo Curator, in the stage that its downloads use."""

import pickle

import pytest

pytest.importorskip("nemo_curator.stages.text.download")

from forest_wrappers.nemo import ForestExtractor  # noqa: E402
from nemo_curator.stages.text.download.base.iterator import (  # noqa: E402
    DocumentIterateExtractStage,
    DocumentIterator,
)
from nemo_curator.tasks import FileGroupTask  # noqa: E402


class Pages(DocumentIterator):
    """Records as the iterator of WARC files gives them."""

    def __init__(self, pages):
        self.pages = pages

    def iterate(self, file_path):
        for at, (url, html) in enumerate(self.pages):
            yield {"url": url, "warc_id": str(at), "source_id": file_path, "content": html}

    def output_columns(self):
        return ["url", "warc_id", "source_id", "content"]


@pytest.mark.parametrize("with_wrapper", [True, False])
def test_the_rows_of_a_stage_are_articles(pages, wrapper, tmp_path, with_wrapper):
    wrapper.save(tmp_path)
    extractor = ForestExtractor(str(tmp_path) if with_wrapper else None)
    extractor = pickle.loads(pickle.dumps(extractor))
    records = [*pages, ("https://a.example/empty", b"")]
    stage = DocumentIterateExtractStage(iterator=Pages(records), extractor=extractor)
    file = tmp_path / "a.warc.gz"
    file.write_bytes(b"")
    task = FileGroupTask(dataset_name="crawl", data=[str(file)])
    frame = stage.process(task).to_pandas()
    assert list(frame["warc_id"]) == [str(at) for at in range(len(pages))]
    assert set(frame["status"]) == {"ok"}
    assert set(extractor.output_columns()) <= set(frame.columns)
