//! An expression as a condition: whether a node is one of those that it selects.

use super::expr::{operands, split_outside};
use super::{XPath, alternatives};
use xpath_eval::{
    Axis, Expr, FilterExpr, LocationPath, NodeTest, PathExpr, PrimaryExpr, QName, Step,
};

/// The condition that a node is one that an absolute path selects: its steps read from the
/// last to the first.
///
/// # Errors
///
/// If there is no condition, with the reason: the path counts, or has an axis without a reverse.
///
/// ```
/// use forest_core::wrapper::xpath::backwards;
///
/// let condition = backwards("//div[@id='a']/p//b").unwrap();
/// assert_eq!(condition, "self::b[ancestor::*[self::p[parent::*[self::div[@id='a']]]]]");
/// assert!(backwards("//p[2]").unwrap_err().contains("counts"));
/// ```
pub fn backwards(source: &str) -> Result<String, String> {
    let refuse = |why: &str| Err(why.to_owned());
    let xpath = XPath::parse(source).map_err(|error| error.to_string())?;
    let steps = match &xpath.expr {
        Expr::Path(PathExpr::Location(LocationPath {
            is_absolute: true,
            steps,
        })) => steps,
        Expr::Union(..) => {
            let parts = alternatives(source).into_iter().map(backwards);
            let parts: Vec<String> = parts.collect::<Result<_, _>>()?;
            return Ok(parts.join(" or "));
        }
        _ => return refuse("it is no path from the root"),
    };
    if steps
        .iter()
        .flat_map(|step| &step.predicates)
        .any(|p| !is_truth(p))
    {
        return refuse("it counts, which cannot be asked of a single element");
    }
    // The steps as they are written.
    let written = split_outside(source, '/').into_iter();
    let mut written = written.filter(|step| !step.is_empty());
    let mut condition: Option<String> = None;
    let mut deep = false;
    for step in steps {
        if is_deep(step) {
            deep = true;
            continue;
        }
        let Some(test) = written.next().and_then(|text| test_of(step, text)) else {
            return refuse("it goes a way that has no way back");
        };
        let way = match (step.axis, deep) {
            (Axis::Child, false) => "parent::*",
            (Axis::Child, true) | (Axis::Descendant, _) => "ancestor::*",
            (Axis::FollowingSibling, false) => "preceding-sibling::*",
            (Axis::PrecedingSibling, false) => "following-sibling::*",
            _ => return refuse("it goes a way that has no way back"),
        };
        condition = Some(match (condition, deep || step.axis == Axis::Descendant) {
            (Some(before), _) => format!("{test}[{way}[{before}]]"),
            (None, true) => test,
            (None, false) if step.axis == Axis::Child => format!("{test}[not(parent::*)]"),
            _ => return refuse("the root has nothing beside it"),
        });
        deep = false;
    }
    match condition {
        Some(condition) if !deep => Ok(condition),
        _ => refuse("it gives other nodes than elements"),
    }
}

/// Returns true for the step that `//` stands for.
fn is_deep(step: &Step) -> bool {
    step.axis == Axis::DescendantOrSelf
        && step.node_test == NodeTest::Node
        && step.predicates.is_empty()
}

/// `self::` and the test of a step, with its predicates as they are written.
fn test_of(step: &Step, written: &str) -> Option<String> {
    let name = match &step.node_test {
        NodeTest::AnyName => "*",
        NodeTest::Node => "node()",
        NodeTest::QName(QName {
            prefix: None,
            local,
        }) => local,
        _ => return None,
    };
    let predicates = match (step.predicates.is_empty(), written.find('[')) {
        (true, None) => "",
        (false, Some(at)) => &written[at..],
        _ => return None,
    };
    Some(format!("self::{name}{predicates}"))
}

/// Returns true if a predicate is true or false of a node alone, whatever its place is.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Or(a, b) | Expr::And(a, b) => is_truth(a) && is_truth(b),
        Expr::Equality(a, _, b) | Expr::Relational(a, _, b) => !counts(a) && !counts(b),
        Expr::Union(..) => true,
        Expr::Path(PathExpr::Location(_) | PathExpr::FilterLocation(..)) => true,
        Expr::Path(PathExpr::Filter(FilterExpr { primary, .. })) => match primary {
            PrimaryExpr::Parenthesized(inner) => is_truth(inner),
            PrimaryExpr::Function(call) => match &*call.name.local {
                "not" | "boolean" => call.args.iter().all(|arg| !counts(arg) && is_truth(arg)),
                "contains" | "starts-with" => call.args.iter().all(|arg| !counts(arg)),
                "true" | "false" | "lang" => true,
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// Returns true if an expression asks for the place of a node among others: outside of paths, whose
/// predicates are about other nodes.
fn counts(expr: &Expr) -> bool {
    let of_other_nodes = matches!(
        expr,
        Expr::Union(..) | Expr::Path(PathExpr::Location(_) | PathExpr::FilterLocation(..))
    );
    let is_place = match expr {
        Expr::Path(PathExpr::Filter(filter)) => match &filter.primary {
            PrimaryExpr::Function(call) => matches!(&*call.name.local, "position" | "last"),
            _ => false,
        },
        _ => false,
    };
    is_place || !of_other_nodes && operands(expr).into_iter().any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Page;

    const PAGE: &str = "<div id=a class=x><p>1<b>2</b></p><p>3</p><i>4</i></div><p>5<b>6</b><div><p><b>7</b></p></div>";

    /// Asserts that a condition is true of the nodes that its expression selects.
    fn check(source: &str) {
        let page = Page::from_html(PAGE);
        let nodes = |source: &str| XPath::parse(source).expect(source).nodes(&page);
        let condition = backwards(source).expect(source);
        assert!(!nodes(source).is_empty(), "{source}");
        assert_eq!(
            nodes(&format!("//node()[{condition}]")),
            nodes(source),
            "{source}: {condition}"
        );
    }

    #[test]
    fn what_is_selected_is_what_the_condition_is_true_of() {
        for source in [
            "//p",
            "/html/body/p",
            "//div[@id='a' or @id='b'][@class]//b",
            "//div/descendant::b",
            "//p/following-sibling::node()",
            "//i/preceding-sibling::*[b]",
            "//p[normalize-space()='3'] | //p[normalize-space()='3']/following-sibling::node()",
            "//*[contains(concat(' ',normalize-space(@class),' '),' x ')]//p[count(b)=1]",
            "//p[b[1]]",
            "//b[.='/' or .='7']",
        ] {
            check(source);
        }
    }

    #[test]
    fn what_counts_or_turns_back_has_none() {
        for source in [
            "//p[1]",
            "//p[last()]",
            "//p[position() > 1]",
            "//p[not(position()=1)]",
            "//p[count(b)]",
            "(//p)[@id]",
            "p",
            "//p/..",
            "//p/text()",
            "//p/@id",
            "//p//following-sibling::b",
            "/",
            "count(//p)",
        ] {
            assert!(
                backwards(source).is_err(),
                "{source}: {:?}",
                backwards(source)
            );
        }
    }
}
