"""A parser for fundus (tried with 0.5.7), written by forest from a wrapper that was learned.

It reads the articles of SITE. To use it within fundus, put this file beside the other
parsers of a country, src/fundus/publishers/xx/, and name it in the __init__.py there, as
the parser of a Publisher whose sources have RSSFeed(FEED).
"""

import datetime
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

import lxml.etree

from fundus.parser import ArticleBody, BaseParser, ParserProxy, attribute
from fundus.parser.data import ArticleSection, TextSequence
from fundus.parser.utility import (
    generic_author_parsing,
    generic_date_parsing,
    generic_topic_parsing,
    normalize_whitespace,
)

SITE: str = $SITE$
FEED: Optional[str] = $FEED$

# The layouts of the site, tried in order. Of each the XPath expressions of the body, of which
# the first that has text counts, of what is taken out of it and kept in it, and of the fields.
TEMPLATES: List[Dict[str, List[str]]] = [
$TEMPLATES$]

# Elements that begin and end a line.
_BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup "
    "hr html legend li listing main menu nav ol optgroup option p plaintext pre search section "
    "select summary table tbody td textarea tfoot th thead title tr ul xmp".split()
)
_HEADINGS = frozenset(["h2", "h3", "h4", "h5", "h6"])
# Elements whose text is no part of an article.
_UNREAD = frozenset(
    "annotation annotation-xml audio button canvas datalist head iframe noembed noframes noscript "
    "script select style svg template textarea video".split()
)


def _select(doc: Any, expression: str) -> List[Any]:
    found = doc.getroottree().xpath(expression)
    return found if isinstance(found, list) else [str(found)]


def _values(doc: Any, expressions: List[str]) -> List[str]:
    """The texts of the first expression that gives any."""
    for expression in expressions:
        texts = [node if isinstance(node, str) else node.text_content() for node in _select(doc, expression)]
        if texts := [text for text in map(normalize_whitespace, texts) if text]:
            return texts
    return []


# A text, which lxml knows by the element before it: the element, and whether it is behind it.
_Text = Tuple[Any, bool]


def _nodes(doc: Any, expressions: List[str]) -> Tuple[Set[Any], Set[_Text]]:
    """The elements and the texts that expressions select."""
    elements: Set[Any] = set()
    texts: Set[_Text] = set()
    for expression in expressions:
        for node in _select(doc, expression):
            if not isinstance(node, str):
                elements.add(node)
            elif (owner := getattr(node, "getparent", lambda: None)()) is not None and not node.is_attribute:
                texts.add((owner, node.is_tail))
    return elements, texts


def _lines(doc: Any, template: Dict[str, List[str]], body: str) -> Iterator[Tuple[bool, str]]:
    """The text of the article, a line a block; whether it is a heading comes before it."""
    tops, top_texts = _nodes(doc, [body])
    stripped, stripped_texts = _nodes(doc, template["strip"])
    kept, kept_texts = _nodes(doc, template["keep"])
    line: List[str] = []
    heading = False
    # For each open element whether its text is the article's, and whether it may be.
    open_elements: List[Tuple[bool, bool]] = [(False, True)]

    def text(value: Optional[str], owner: Any, is_tail: bool) -> None:
        shown, readable = open_elements[-1]
        of = (owner, is_tail)
        if value and readable and (of in kept_texts or ((shown or of in top_texts) and of not in stripped_texts)):
            line.append(value)

    def ended() -> Iterator[Tuple[bool, str]]:
        if content := normalize_whitespace("".join(line)):
            yield heading, content
        line.clear()

    for event, node in lxml.etree.iterwalk(doc, events=("start", "end", "comment", "pi")):
        if event == "start":
            if node.tag in _BLOCKS:
                yield from ended()
                heading = node.tag in _HEADINGS
            shown, readable = open_elements[-1]
            shown = node in kept or ((shown or node in tops) and node not in stripped)
            open_elements.append((shown, readable and node.tag not in _UNREAD))
            text(node.text, node, False)
            continue
        if event == "end":
            open_elements.pop()
            if node.tag in _BLOCKS:
                yield from ended()
                heading = False
        if node is not doc:
            text(node.tail, node, True)
    yield from ended()


class $CLASS$(ParserProxy):
    class V1(BaseParser):
        def _article(self) -> Tuple[Optional[Dict[str, List[str]]], List[Tuple[bool, str]]]:
            """The template that fits, and the lines of the article."""
            if (found := self.precomputed.cache.get("article")) is None:
                doc = self.precomputed.doc
                tried = (
                    (template, list(_lines(doc, template, body))) for template in TEMPLATES for body in template["body"]
                )
                found = next(((template, lines) for template, lines in tried if lines), (None, []))
                self.share(article=found)
            return found

        def _field(self, name: str) -> List[str]:
            template, _ = self._article()
            return _values(self.precomputed.doc, template[name]) if template else []

        @attribute
        def title(self) -> Optional[str]:
            if found := self._field("title"):
                return found[0]
            return self.precomputed.meta.get("og:title") or next(iter(_values(self.precomputed.doc, ["//title"])), None)

        @attribute
        def body(self) -> Optional[ArticleBody]:
            _, lines = self._article()
            sections: List[Tuple[List[str], List[str]]] = [([], [])]
            for heading, line in lines:
                if heading and sections[-1][1]:
                    sections.append(([], []))
                sections[-1][0 if heading and not sections[-1][1] else 1].append(line)
            return ArticleBody(
                summary=TextSequence([]),
                sections=[
                    ArticleSection(headline=TextSequence(headline), paragraphs=TextSequence(paragraphs))
                    for headline, paragraphs in sections
                ],
            )

        @attribute
        def authors(self) -> List[str]:
            return generic_author_parsing(self._field("author") or self.precomputed.ld.bf_search("author"))

        @attribute
        def publishing_date(self) -> Optional[datetime.datetime]:
            ld, meta = self.precomputed.ld, self.precomputed.meta
            for said in (*self._field("date"), ld.bf_search("datePublished"), meta.get("article:published_time")):
                try:
                    if date := generic_date_parsing(said):
                        return date
                except (ValueError, OverflowError):
                    continue
            return None

        @attribute
        def topics(self) -> List[str]:
            return generic_topic_parsing(self._field("tags") or self.precomputed.meta.get("keywords"))
