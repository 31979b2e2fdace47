import pathlib
import sys

import forest_wrappers as fw
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from sites import pages_of  # noqa: E402


@pytest.fixture(scope="session")
def pages():
    return pages_of("harbour-gazette.example")


@pytest.fixture(scope="session")
def wrapper(pages):
    return fw.learn(pages)
