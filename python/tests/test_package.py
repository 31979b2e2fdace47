import json
import multiprocessing
import pathlib
import subprocess
import sys

import forest_wrappers as fw
import pytest
from sites import GOLD, pages_of

STORY = "<title>News</title><article>" + "".join(
    f"<p>The ferry number {n} leaves an hour later, says the master of the harbour.</p>"
    for n in range(9)
)


def test_one_page():
    article = fw.extract(STORY + "</article>", url="https://a.example/1")
    assert article.status == "ok"
    assert article.text.count("\n") == 8
    assert article.site == "a.example"
    assert "ferry number 3" in article.markdown()
    assert article.html().startswith("<p>")
    assert "ferry" in article._repr_html_()
    assert fw.extract("") is None


def test_bytes_without_text_are_no_article(wrapper):
    for mark in [b"%PDF-1.7\n", b"PK\x03\x04", b"\x1f\x8b\x08\0", b"\x89PNG\0"]:
        page = mark + STORY.encode()
        assert fw.extract(page) is None
        article = fw.Extractor(wrapper).extract(page)
        assert (article.status, article.text) == ("error", "")


def test_text_and_bytes_are_the_same_page():
    latin = "<meta charset=latin1><p>Une journée d’été".replace("’", "'")
    assert fw.text(latin) == fw.text(latin.encode("latin1"))


def test_a_wrapper_is_learned_and_saved(pages, wrapper, tmp_path):
    assert wrapper.site == "harbour-gazette.example"
    assert wrapper.body[0][0].startswith("//")
    assert wrapper.report.startswith("<!DOCTYPE html>")
    file = wrapper.save(tmp_path)
    assert pathlib.Path(file).name == "harbour-gazette.example.yaml"
    assert list(tmp_path.iterdir()) == [pathlib.Path(file)]
    again = fw.Wrapper.load(file)
    assert again.to_yaml() == wrapper.to_yaml()
    assert fw.Wrapper.from_yaml(again.to_yaml()).body == wrapper.body
    url, html = pages[0]
    for extractor in (fw.Extractor(tmp_path), fw.Extractor(file), fw.Extractor(wrapper)):
        assert extractor.extract(html, url=url).status == "ok"
    other = fw.Extractor(tmp_path).extract(html, url="https://other.example/a")
    assert other.status == "fallback"
    assert "no wrapper for other.example" in " ".join(other.warnings)


def test_nothing_is_learned_from_one_page(pages):
    with pytest.raises(fw.Abstained, match="good page"):
        fw.learn(pages[:1])


def test_learning_from_a_folder_and_a_feed():
    site = GOLD / "harbour-gazette.example"
    assert fw.learn(str(site), site="gazette").site == "gazette"
    feed = (site / "feed.xml").read_bytes()
    assert fw.learn(pages_of(site.name), feed=feed).site == site.name


def test_errors_have_the_command_s_message(tmp_path):
    with pytest.raises(fw.ForestError, match="there is no such file"):
        fw.Extractor(tmp_path / "none.yaml")
    with pytest.raises(fw.ForestError, match="format: 1"):
        fw.Wrapper.from_yaml("site: a")
    with pytest.raises(fw.ForestError, match="no profile"):
        fw.filter("<p>a", profile="none")
    with pytest.raises(ValueError, match="2 pages and 1 addresses"):
        fw.Extractor(tmp_path).to_columns(["<p>a", "<p>b"], ["https://a.example/"])
    with pytest.raises(TypeError):
        fw.extract(3)


def test_many_pages_come_in_order_one_a_page(pages, wrapper):
    extractor = fw.Extractor(wrapper)
    one_by_one = [extractor.extract(html, url=url).to_json() for url, html in pages]
    for threads in (1, 4):
        asked = []

        def source():
            for page in pages * 40:
                asked.append(page)
                yield page

        articles = extractor.extract_many(source(), threads=threads)
        first = next(articles).to_json()
        assert len(asked) <= 32 * threads
        rest = [article.to_json() for article in articles]
        assert [first, *rest] == one_by_one * 40


def test_a_broken_iterator_gives_what_came_before(pages, wrapper):
    def source():
        yield pages[0]
        raise OSError("gone")

    articles = fw.Extractor(wrapper).extract_many(source())
    assert next(articles).status == "ok"
    with pytest.raises(OSError, match="gone"):
        next(articles)


def test_columns_have_a_value_a_page(pages, wrapper):
    urls, htmls = zip(*pages)
    columns = fw.Extractor(wrapper).to_columns(htmls, urls, threads=2)
    assert {len(values) for values in columns.values()} == {len(pages)}
    assert columns["fetched_url"] == list(urls)
    assert set(columns["status"]) == {"ok"}


def test_records_with_the_keys_of_others(pages, wrapper):
    url, html = pages[0]
    article = fw.Extractor(wrapper).extract(html, url=url)
    record = article.to_dict()
    assert record == json.loads(article.to_json())
    assert article.to_dict("trafilatura")["raw_text"] == article.text
    assert article.to_dict("newspaper")["publish_date"] == article.date
    with pytest.raises(ValueError):
        article.to_dict("other")


def test_a_wrapper_is_checked(pages, wrapper):
    assert fw.check(wrapper, pages)["verdict"] == "ok"
    other = pages_of("meridian-daily.example")
    assert fw.check(wrapper, other)["verdict"] == "drift"


def test_evaluation():
    figures = fw.eval(GOLD, methods=["onepage"])
    assert figures["methods"][0]["two_gram"]["f1"] > 0.8


def test_filter_keeps_the_page():
    page = "<nav><a href=/>a</a></nav><script>x</script>" + STORY
    assert "<script" not in fw.filter(page)
    assert fw.filter(page, format="text").count("ferry") == 9


def _title(page):
    url, html = page
    return fw.extract(html, url=url).title


def test_a_process_may_fork_after_it_has_worked(pages, wrapper):
    extractor = fw.Extractor(wrapper)
    titles = [a.title for a in extractor.extract_many(pages, threads=4)]
    fw.check(wrapper, pages)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_title, pages) == titles


def test_the_command_and_its_records(pages, wrapper, tmp_path):
    file = wrapper.save(tmp_path)
    lines = "".join(json.dumps({"url": u, "html": h.decode()}) + "\n" for u, h in pages)
    forest = [sys.executable, "-m", "forest_wrappers"]
    run = subprocess.run(
        [*forest, "apply", "-", "--wrapper", str(file)],
        input=lines.encode(), capture_output=True, check=True,
    )
    extractor = fw.Extractor(wrapper)
    expected = [extractor.extract(h.decode(), url=u).to_json() for u, h in pages]
    assert run.stdout.decode().splitlines() == expected
    usage = subprocess.run([*forest, "nothing"], capture_output=True)
    assert usage.returncode == 2 and b"Usage" in usage.stderr


def test_the_examples_run():
    import doctest

    for name in fw.__all__:
        value = getattr(fw, name)
        for test in doctest.DocTestFinder().find(value, name, module=False, globs={}):
            result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
            assert result.failed == 0, name


def test_the_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    from mypy import stubtest

    options = ["forest_wrappers._native", "--ignore-disjoint-bases"]
    assert stubtest.test_stubs(stubtest.parse_options(options)) == 0
