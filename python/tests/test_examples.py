"""The examples of engines, each run where its package is installed."""

import pathlib
import subprocess
import sys

import forest_wrappers as fw
import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("engine", ["ray", "dask", "daft", "duckdb"])
def test_an_engine_gives_the_articles_of_one_process(engine, pages, wrapper, tmp_path):
    pytest.importorskip(engine)
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    wrapper.save(tmp_path / "sites")
    # Several groups of rows, so that there is something to share out.
    urls, htmls = zip(*pages * 3)
    table = pyarrow.table({"url": urls, "html": pyarrow.array(htmls, pyarrow.binary())})
    parquet.write_table(table, tmp_path / "pages.parquet", row_group_size=7)
    out = tmp_path / ("out.parquet" if engine == "duckdb" else "out")
    arguments = [tmp_path / "pages.parquet", tmp_path / "sites", out]
    script = EXAMPLES / f"on_{engine}.py"
    # Ray's workers import from the folder in which they are begun: not from the sources.
    command = [sys.executable, script, *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    columns = fw.Extractor(wrapper).to_columns(htmls, urls)
    names = ["title", "text", "status"]
    found = parquet.read_table(out).select(names).to_pylist()
    key = lambda row: str(list(row.values()))
    expected = [dict(zip(names, row)) for row in zip(*(columns[name] for name in names))]
    assert sorted(found, key=key) == sorted(expected, key=key)
