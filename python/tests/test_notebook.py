"""The notebook runs from its first cell to its last, and shows what it should."""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_runs(notebook):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    book = nbformat.read(notebook, as_version=4)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code"), "no outputs are kept"
    resources = {"metadata": {"path": str(notebook.parent)}}
    nbclient.NotebookClient(book, timeout=120, resources=resources).execute()
    shown = [output.data for cell in book.cells if cell.cell_type == "code"
             for output in cell.outputs if output.output_type == "execute_result"]
    html = [data["text/html"] for data in shown if "text/html" in data]
    assert html[0].startswith("<h3>") and html[1].startswith("<iframe sandbox")
