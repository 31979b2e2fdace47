//! Checks of an expression before it is used.

use super::XPath;
use super::expr::{attribute_step, filter, gives_nodes, path, visit};
use xpath_eval::{Axis, Expr, FunctionCall, NodeTest, PathExpr, PrimaryExpr, QName, Step};

/// The functions of XPath 1.0, section 4, with the numbers of arguments that they
/// take.
const FUNCTIONS: [(&str, usize, usize); 27] = [
    ("last", 0, 0),
    ("position", 0, 0),
    ("count", 1, 1),
    ("id", 1, 1),
    ("local-name", 0, 1),
    ("namespace-uri", 0, 1),
    ("name", 0, 1),
    ("string", 0, 1),
    ("concat", 2, usize::MAX),
    ("starts-with", 2, 2),
    ("contains", 2, 2),
    ("substring-before", 2, 2),
    ("substring-after", 2, 2),
    ("substring", 2, 3),
    ("string-length", 0, 1),
    ("normalize-space", 0, 1),
    ("translate", 3, 3),
    ("boolean", 1, 1),
    ("not", 1, 1),
    ("true", 0, 0),
    ("false", 0, 0),
    ("lang", 1, 1),
    ("number", 0, 1),
    ("sum", 1, 1),
    ("floor", 1, 1),
    ("ceiling", 1, 1),
    ("round", 1, 1),
];

impl XPath {
    /// The first name in the expression that no page has: a function that
    /// XPath 1.0 does not have or that takes another number of arguments, a
    /// variable, a namespace. Such an expression never gives anything.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// let xpath = XPath::parse("//p[ends-with(@id, 'a')]")?;
    /// assert_eq!(xpath.unknown().as_deref(), Some("XPath 1.0 has no function ends-with()"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unknown(&self) -> Option<String> {
        let mut found = None;
        visit(&self.expr, &mut |expr| {
            found = found.take().or_else(|| unknown_in(expr));
        });
        found
    }

    /// Of an expression that gives an attribute, the expression of the elements that have
    /// it, and its name; `None` of others, and where it gives several.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// let of = |source: &str| XPath::parse(source).unwrap().owner_and_attribute();
    /// assert_eq!(of("//meta[@name='x']/@content").unwrap().0, "//meta[@name='x'][@content]");
    /// assert_eq!(of("//a/@href | //link/@href").unwrap().0, "(//a/@href | //link/@href)/..");
    /// assert_eq!(of("//a"), None);
    /// ```
    pub fn owner_and_attribute(&self) -> Option<(String, String)> {
        let name = attribute_of(&self.expr)?;
        let source = &self.source;
        let owner = match (&self.expr, source.strip_suffix(&format!("/@{name}"))) {
            (Expr::Path(PathExpr::Location(_)), Some(path)) if !path.ends_with('/') => {
                format!("{path}[@{name}]")
            }
            _ => format!("({source})/.."),
        };
        Some((owner, name.to_owned()))
    }

    /// Returns true if the expression gives attributes, and no other nodes.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// let of = |source: &str| XPath::parse(source).unwrap().gives_attribute();
    /// assert!(of("//a/@href") && of("(//a/@*)[1] | //b/@id"));
    /// assert!(!of("//img[ancestor::a/@href]") && !of("//a/@href/.."));
    /// ```
    pub fn gives_attribute(&self) -> bool {
        gives_attribute(&self.expr)
    }

    /// Returns true if the steps that the expression takes may grow with the square of a page,
    /// so that it may be too much for a large one: it walks over siblings, or over the page, for
    /// each of several nodes.
    ///
    /// ```
    /// use forest_core::wrapper::xpath::XPath;
    ///
    /// let grows = |source: &str| XPath::parse(source).unwrap().grows_with_square();
    /// assert!(grows("//h2/following-sibling::p[1]"));
    /// assert!(grows("//p[count(//a) > 3]"));
    /// assert!(!grows("//h2/following-sibling::p"));
    /// assert!(!grows("//div[@id='a']/p[last()]/@class"));
    /// ```
    pub fn grows_with_square(&self) -> bool {
        let mut grows = false;
        visit(&self.expr, &mut |expr| {
            let Some(path) = path(expr) else { return };
            let is_top = is_alternative(expr, &self.expr);
            // The step below the root, as in `//a`, is one pass.
            let below_root = usize::from(is_top && path.is_absolute);
            let mut steps = path.steps.iter().skip(below_root);
            grows |= steps.any(walks) || path.is_absolute && !is_top;
        });
        grows && self.direct.is_none()
    }

    /// Returns true if the expression gives a set of nodes, and not a string, a number or
    /// a truth value.
    pub fn gives_nodes(&self) -> bool {
        gives_nodes(&self.expr)
    }
}

/// True of a step that may lead from one node to many that it shares with others.
fn walks(step: &Step) -> bool {
    !matches!(
        step.axis,
        Axis::Child | Axis::SelfAxis | Axis::Parent | Axis::Attribute
    )
}

/// True of `part` if it is `whole`, or one of its alternatives.
fn is_alternative(part: &Expr, whole: &Expr) -> bool {
    std::ptr::eq(part, whole)
        || match whole {
            Expr::Union(a, b) => is_alternative(part, a) || is_alternative(part, b),
            _ => match filter(whole).map(|filter| &filter.primary) {
                Some(PrimaryExpr::Parenthesized(inner)) => is_alternative(part, inner),
                _ => false,
            },
        }
}

/// Returns true if each node that an expression gives is an attribute.
fn gives_attribute(expr: &Expr) -> bool {
    match expr {
        Expr::Union(a, b) => gives_attribute(a) && gives_attribute(b),
        Expr::Path(PathExpr::Location(path) | PathExpr::FilterLocation(_, path)) => {
            let last = path.steps.last();
            last.is_some_and(|step| step.axis == Axis::Attribute)
        }
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => gives_attribute(inner),
            _ => false,
        },
        _ => false,
    }
}

/// The name of the attributes that an expression gives, if it gives no other nodes.
fn attribute_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Union(a, b) => attribute_of(a).filter(|name| attribute_of(b) == Some(name)),
        Expr::Path(PathExpr::Location(path) | PathExpr::FilterLocation(_, path)) => {
            attribute_step(path.steps.last()?)
        }
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => attribute_of(inner),
            _ => None,
        },
        _ => None,
    }
}

/// The reason why no page has what an expression names, the parts of it apart.
fn unknown_in(expr: &Expr) -> Option<String> {
    let called = filter(expr).and_then(|filter| in_primary(&filter.primary));
    called.or_else(|| {
        let mut steps = path(expr)?.steps.iter();
        let prefix = steps.find_map(|step| match &step.node_test {
            NodeTest::NamespaceWildcard(prefix) => Some(prefix),
            NodeTest::QName(QName { prefix, .. }) => prefix.as_ref(),
            _ => None,
        })?;
        Some(format!("a page has no namespace {prefix}:"))
    })
}

fn in_primary(primary: &PrimaryExpr) -> Option<String> {
    match primary {
        PrimaryExpr::Variable(name) => Some(format!("there is no variable ${}", shown(name))),
        PrimaryExpr::Function(FunctionCall { name, args }) => {
            let known = FUNCTIONS
                .iter()
                .find(|(known, ..)| name.prefix.is_none() && *known == name.local);
            let shown = shown(name);
            match known {
                None => Some(format!("XPath 1.0 has no function {shown}()")),
                Some((_, least, most)) => (!(*least..=*most).contains(&args.len()))
                    .then(|| format!("{shown}() does not take {} arguments", args.len())),
            }
        }
        _ => None,
    }
}

fn shown(name: &QName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.clone(),
    }
}
