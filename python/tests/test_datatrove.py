"""The step in a pipeline of datatrove."""

import pytest
from sites import pages_of

pytest.importorskip("datatrove")

from datatrove.data import Document  # noqa: E402
from forest_wrappers.datatrove import ForestExtractor  # noqa: E402


@pytest.mark.parametrize("with_wrapper", [True, False])
def test_the_text_of_documents_is_that_of_their_articles(pages, wrapper, tmp_path, with_wrapper):
    wrapper.save(tmp_path)
    documents = [
        Document(text=html.decode(), id=str(at), metadata={"url": url})
        for at, (url, html) in enumerate(pages)
    ]
    documents.append(Document(text="", id="empty", metadata={}))
    step = ForestExtractor(str(tmp_path) if with_wrapper else None)
    found = list(step.run(iter(documents)))
    assert [document.id for document in found] == [str(at) for at in range(len(pages))]
    assert all("<" not in document.text for document in found)
    assert found[0].metadata["title"] and found[0].metadata["status"] == "ok"
    assert step.stats["dropped"].total == 1
