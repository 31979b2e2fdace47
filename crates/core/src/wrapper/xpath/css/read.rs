//! A CSS selector as an expression that selects the same elements.
//!
//! [Selectors Level 4](https://www.w3.org/TR/selectors-4/) as far as it asks for what
//! stands in a page: names, ids, classes, attributes, places among siblings, `:not()`,
//! `:is()`, `:where()`, `:has()`, and the combinators. Of the dialects of scrapers
//! `:contains()`, and at the end `::text` and `::attr(name)`. What asks for a state of a
//! browser (`:hover`) is refused.

use super::parse::{Parser, number};
use crate::wrapper::expression::literal;
use crate::wrapper::xpath::{XPath, XPathFault};

/// Levels of parentheses at the most.
const MAX_DEPTH: usize = 8;

impl XPath {
    /// Compiles a CSS selector.
    ///
    /// # Errors
    ///
    /// If it is no selector, asks for what a page does not show, or becomes an expression
    /// that is over one of the bounds. `byte` is of the selector.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// assert_eq!(XPath::from_css("ul > li, #a")?.source(), "//ul/li | //*[@id='a']");
    /// assert_eq!(XPath::from_css("p[").unwrap_err().byte, Some(2));
    /// # Ok::<(), forest_core::wrapper::xpath::XPathFault>(())
    /// ```
    pub fn from_css(selector: &str) -> Result<XPath, XPathFault> {
        let paths: Vec<String> = chains(selector)?
            .iter()
            .map(|(chain, last)| format!("{}{last}", path(chain, true)))
            .collect();
        XPath::compile(&paths.join(" | ")).map_err(|fault| XPathFault {
            byte: None,
            ..fault
        })
    }
}

/// The alternatives of a selector, each with what it takes of its elements.
fn chains(selector: &str) -> Result<Vec<(Chain, String)>, XPathFault> {
    let mut reader = SelectorReader {
        parser: Parser::of(selector)?,
        depth: 0,
        deep: false,
    };
    let mut all = Vec::new();
    loop {
        let chain = reader.chain(Combinator::Descendant)?;
        all.push((chain, reader.taken()?));
        match reader.parser.peek() {
            None => return Ok(all),
            Some(',') => reader.parser.skip(),
            Some(c) => return Err(reader.parser.fault(&format!("`{c}` stands in no selector"))),
        }
    }
}

/// The combinator between an element and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// A compound selector and the combinator before it.
struct CombinedCompound {
    combinator: Combinator,
    tag: Option<String>,
    conditions: Vec<String>,
}

/// Elements that follow each other, the last is selected.
type Chain = Vec<CombinedCompound>;

/// The path to what a chain selects, from the root, or from an element.
fn path(chain: &Chain, from_root: bool) -> String {
    let mut out = String::new();
    for (at, link) in chain.iter().enumerate() {
        let first = at == 0 && !from_root;
        let mut conditions = link.conditions.clone();
        let tag = link.tag.as_deref();
        match link.combinator {
            Combinator::Descendant if first => out.push_str("descendant::"),
            Combinator::Descendant => out.push_str("//"),
            Combinator::Child if first => {}
            Combinator::Child => out.push('/'),
            Combinator::Next | Combinator::Later => {
                out.push_str(if first { "" } else { "/" });
                out.push_str("following-sibling::");
            }
        }
        if link.combinator == Combinator::Next {
            out.push_str("*[1]");
            conditions.splice(0..0, tag.map(|tag| format!("self::{tag}")));
        } else {
            out.push_str(tag.unwrap_or("*"));
        }
        if !conditions.is_empty() {
            out.push_str(&format!("[{}]", conditions.join(" and ")));
        }
    }
    out
}

/// That an element is one that a chain selects.
fn condition(chain: &Chain) -> String {
    let mut before: Option<String> = None;
    for link in chain {
        let mut all: Vec<String> = link.tag.iter().map(|tag| format!("self::{tag}")).collect();
        all.extend(link.conditions.iter().cloned());
        if let Some(before) = before {
            let axis = match link.combinator {
                Combinator::Descendant => "ancestor::*",
                Combinator::Child => "parent::*",
                Combinator::Next => "preceding-sibling::*[1]",
                Combinator::Later => "preceding-sibling::*",
            };
            all.push(format!("{axis}[{before}]"));
        }
        before = Some(if all.is_empty() {
            "self::*".to_owned()
        } else {
            all.join(" and ")
        });
    }
    before.unwrap_or_default()
}

struct SelectorReader<'s> {
    parser: Parser<'s>,
    depth: usize,
    /// The pseudo-element at the end is asked of all elements below.
    deep: bool,
}

impl SelectorReader<'_> {
    /// Compounds up to a comma, a parenthesis or the end.
    fn chain(&mut self, first: Combinator) -> Result<Chain, XPathFault> {
        let mut chain = Vec::new();
        let mut combinator = first;
        loop {
            self.parser.space();
            chain.push(self.compound(combinator)?);
            if self.parser.starts_with("::") {
                return Ok(chain);
            }
            let space = self.parser.space();
            if self.parser.starts_with("::") {
                self.deep = true;
                return Ok(chain);
            }
            combinator = match self.parser.peek() {
                None | Some(',' | ')') => return Ok(chain),
                Some(c) => match combinator_of(c) {
                    Some(combinator) => {
                        self.parser.skip();
                        combinator
                    }
                    None if space => Combinator::Descendant,
                    None => return Ok(chain),
                },
            };
        }
    }

    /// `a#b.c[d]:e`.
    fn compound(&mut self, combinator: Combinator) -> Result<CombinedCompound, XPathFault> {
        let begin = self.parser.at();
        let mut tag = None;
        let mut conditions = Vec::new();
        if self.parser.take('*') {
        } else if self.parser.begins_name() {
            tag = Some(self.lower_case_name("an element", "no element has such a name")?);
        }
        loop {
            match self.parser.peek() {
                Some('#') => {
                    self.parser.skip();
                    let id = self.parser.name("an id")?;
                    conditions.push(format!("@id={}", literal(&id)));
                }
                Some('.') => {
                    self.parser.skip();
                    let class = self.parser.name("a class")?;
                    conditions.push(word("class", &class));
                }
                Some('[') => conditions.push(self.attribute()?),
                Some(':') if !self.parser.starts_with("::") => {
                    conditions.push(self.pseudo(tag.as_deref())?);
                }
                Some('|') => {
                    return Err(self
                        .parser
                        .fault("a page has no namespaces: leave out what stands before `|`"));
                }
                _ => break,
            }
        }
        if self.parser.at() == begin {
            let found = match self.parser.peek() {
                None => "the selector ends where an element should be named".to_owned(),
                Some(c) => format!("`{c}` stands where an element should be named"),
            };
            return Err(self.parser.fault(&found));
        }
        Ok(CombinedCompound {
            combinator,
            tag,
            conditions,
        })
    }

    /// A name of HTML, which are in lower case, or the fault with `refusal`.
    fn lower_case_name(&mut self, what: &str, refusal: &str) -> Result<String, XPathFault> {
        let begin = self.parser.at();
        let name = self.parser.name(what)?.to_ascii_lowercase();
        if is_xml_name(&name) {
            Ok(name)
        } else {
            Err(self.parser.fault_at(begin, refusal))
        }
    }

    fn attribute(&mut self) -> Result<String, XPathFault> {
        self.parser.skip();
        self.parser.space();
        let name = self.lower_case_name("an attribute", "no attribute has such a name")?;
        self.parser.space();
        if self.parser.take(']') {
            return Ok(format!("@{name}"));
        }
        let operator = match self.parser.peek() {
            Some(c @ ('~' | '|' | '^' | '$' | '*')) => {
                self.parser.skip();
                Some(c)
            }
            _ => None,
        };
        self.parser
            .expect('=', "an attribute is followed by `=` or `]`")?;
        self.parser.space();
        let mut value = self.parser.value()?;
        let spaced = self.parser.space();
        let mut of = format!("@{name}");
        if spaced && matches!(self.parser.peek(), Some('i' | 'I' | 's' | 'S')) {
            if matches!(self.parser.peek(), Some('i' | 'I')) {
                value = value.to_ascii_lowercase();
                of = format!("translate({of},'{}','{}')", LETTERS[0], LETTERS[1]);
            }
            self.parser.skip();
            self.parser.space();
        }
        self.parser.expect(']', "a `]` is missing")?;
        Ok(compared(&of, operator, &value))
    }

    /// `:first-child`, `:not(a, b)`.
    fn pseudo(&mut self, tag: Option<&str>) -> Result<String, XPathFault> {
        let begin = self.parser.at();
        self.parser.skip();
        let name = self
            .parser
            .name("what follows a colon")?
            .to_ascii_lowercase();
        if self.parser.take('(') {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                let reason = format!("nested deeper than {MAX_DEPTH} parentheses");
                return Err(self.parser.fault(&reason));
            }
            let condition = self.function(&name, tag, begin)?;
            self.depth -= 1;
            self.parser.space();
            self.parser.expect(')', "a `)` is missing")?;
            return Ok(condition);
        }
        let sibling = |axis: &str, name: &str| format!("not({axis}-sibling::{name})");
        let both = |name: &str| {
            let (before, after) = (sibling("preceding", name), sibling("following", name));
            format!("{before} and {after}")
        };
        let of_type = || {
            tag.ok_or_else(|| {
                let reason = format!("`:{name}` needs the name of an element before it");
                self.parser.fault_at(begin, &reason)
            })
        };
        Ok(match &*name {
            "first-child" => sibling("preceding", "*"),
            "last-child" => sibling("following", "*"),
            "only-child" => both("*"),
            "first-of-type" => sibling("preceding", of_type()?),
            "last-of-type" => sibling("following", of_type()?),
            "only-of-type" => both(of_type()?),
            "root" => "not(parent::*)".to_owned(),
            "empty" => "not(*) and not(text())".to_owned(),
            _ => {
                let reason = format!(
                    "`:{name}` is not known here, or asks for what a page alone does not show"
                );
                return Err(self.parser.fault_at(begin, &reason));
            }
        })
    }

    /// The condition of a pseudo-class with parentheses.
    fn function(
        &mut self,
        name: &str,
        tag: Option<&str>,
        begin: usize,
    ) -> Result<String, XPathFault> {
        let any = |conditions: Vec<String>| conditions.join(" or ");
        match name {
            "not" => Ok(format!("not({})", any(self.list()?))),
            "is" | "where" | "matches" => Ok(format!("({})", any(self.list()?))),
            "has" => Ok(format!("({})", any(self.relative()?))),
            "contains" | "-soup-contains" => {
                self.parser.space();
                Ok(format!("contains(., {})", literal(&self.parser.value()?)))
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let axis = if name.contains("last") {
                    "following-sibling"
                } else {
                    "preceding-sibling"
                };
                let of = match (name.ends_with("type"), tag) {
                    (false, _) => "*",
                    (true, Some(tag)) => tag,
                    (true, None) => {
                        let reason = format!("`:{name}()` needs the name of an element before it");
                        return Err(self.parser.fault_at(begin, &reason));
                    }
                };
                let (step, first) = self.parser.nth()?;
                Ok(nth(&format!("count({axis}::{of})"), step, first))
            }
            _ => {
                let reason = format!(
                    "`:{name}()` is not known here, or asks for what a page alone does not show"
                );
                Err(self.parser.fault_at(begin, &reason))
            }
        }
    }

    /// Selectors that an element may be one of, as conditions.
    fn list(&mut self) -> Result<Vec<String>, XPathFault> {
        let mut all = Vec::new();
        loop {
            let chain = self.chain(Combinator::Descendant)?;
            all.push(condition(&chain));
            if !self.parser.take(',') {
                return Ok(all);
            }
        }
    }

    /// Selectors of what is around an element, as paths from it.
    fn relative(&mut self) -> Result<Vec<String>, XPathFault> {
        let mut all = Vec::new();
        loop {
            self.parser.space();
            let first = self.parser.peek().and_then(combinator_of);
            if first.is_some() {
                self.parser.skip();
            }
            let chain = self.chain(first.unwrap_or(Combinator::Descendant))?;
            all.push(path(&chain, false));
            if !self.parser.take(',') {
                return Ok(all);
            }
        }
    }

    /// `::text`, `::attr(name)` at the end of an alternative, as steps.
    fn taken(&mut self) -> Result<String, XPathFault> {
        if !self.parser.starts_with("::") {
            return Ok(String::new());
        }
        let begin = self.parser.at();
        self.parser.skip();
        self.parser.skip();
        let name = self.parser.name("what follows two colons")?;
        let slash = if std::mem::take(&mut self.deep) {
            "//"
        } else {
            "/"
        };
        let step = match &*name {
            "text" => format!("{slash}text()"),
            "attr" => {
                self.parser
                    .expect('(', "`::attr` is followed by `(` and a name")?;
                self.parser.space();
                let name = self.lower_case_name("an attribute", "no attribute has such a name")?;
                self.parser.space();
                self.parser.expect(')', "a `)` is missing")?;
                format!("{slash}@{name}")
            }
            _ => {
                let reason =
                    format!("`::{name}` is no part of a page; there are ::text and ::attr()");
                return Err(self.parser.fault_at(begin, &reason));
            }
        };
        self.parser.space();
        Ok(step)
    }
}

/// ASCII's letters, the large and the small ones.
const LETTERS: [&str; 2] = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"];

fn combinator_of(c: char) -> Option<Combinator> {
    match c {
        '>' => Some(Combinator::Child),
        '+' => Some(Combinator::Next),
        '~' => Some(Combinator::Later),
        _ => None,
    }
}

/// That an attribute has a word.
fn word(attribute: &str, word: &str) -> String {
    let text = literal(&format!(" {word} "));
    format!("contains(concat(' ',normalize-space(@{attribute}),' '),{text})")
}

/// A comparison of an attribute's value; `false()` where CSS defines that nothing matches.
fn compared(of: &str, operator: Option<char>, value: &str) -> String {
    let text = literal(value);
    let nothing = || "false()".to_owned();
    match operator {
        None => format!("{of}={text}"),
        Some('|') => {
            let longer = literal(&format!("{value}-"));
            format!("({of}={text} or starts-with({of},{longer}))")
        }
        Some('~') if value.is_empty() || value.contains(char::is_whitespace) => nothing(),
        Some('~') => {
            let text = literal(&format!(" {value} "));
            format!("contains(concat(' ',normalize-space({of}),' '),{text})")
        }
        Some(_) if value.is_empty() => nothing(),
        Some('^') => format!("starts-with({of},{text})"),
        Some('$') => {
            let less = value.chars().count() - 1;
            format!("substring({of},string-length({of})-{less})={text}")
        }
        Some(_) => format!("contains({of},{text})"),
    }
}

/// That so many siblings before (or behind) fit `an+b`, from 1.
fn nth(count: &str, step: i64, first: i64) -> String {
    let first = first - 1;
    match step {
        0 => format!("{count}={}", number(first)),
        1.. => format!("{count}>={0} and ({count}-{0}) mod {step}=0", number(first)),
        _ => format!(
            "{count}<={0} and ({0}-{count}) mod {1}=0",
            number(first),
            -step
        ),
    }
}

/// A name as XPath reads it.
fn is_xml_name(name: &str) -> bool {
    let mut chars = name.chars();
    let first = |c: char| c.is_alphabetic() || c == '_';
    let other = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    chars.next().is_some_and(first) && chars.all(other)
}

#[cfg(test)]
mod tests;
