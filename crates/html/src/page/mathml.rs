//! MathML as TeX: presentation elements (MathML Core, section 3) with the commands of LaTeX and
//! amsmath for the same things. Without it a fraction is read as its two numbers in a row.

use super::sink::{Data, LinkedTree, NONE};

/// Elements within each other that are read.
const MAX_DEPTH: usize = 48;

/// Elements and texts of a formula that are read.
const MAX_NODES: usize = 2_000;

/// Functions that are commands.
const FUNCTIONS: [&str; 24] = [
    "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "deg", "det", "dim", "exp", "gcd",
    "inf", "ker", "lim", "ln", "log", "max", "min", "sin", "sinh", "sup", "tan", "tanh",
];

/// Large operators and their commands.
const OPERATORS: [(&str, &str); 8] = [
    ("∑", "\\sum"),
    ("∏", "\\prod"),
    ("∐", "\\coprod"),
    ("∫", "\\int"),
    ("⋃", "\\bigcup"),
    ("⋂", "\\bigcap"),
    ("⋁", "\\bigvee"),
    ("⋀", "\\bigwedge"),
];

/// Functions whose limits stand below and above.
const WITH_LIMITS: [&str; 5] = ["\\lim", "\\max", "\\min", "\\sup", "\\inf"];

/// The TeX of the MathML below `math`; `None` where its texts in a row say as much, and for a
/// formula that is too large.
pub(super) fn tex_of(links: &LinkedTree, math: u32) -> Option<String> {
    let mut reader = MathmlReader {
        links,
        nodes: MAX_NODES,
        has_structure: false,
    };
    let tex = reader.row(math, 0)?;
    (reader.has_structure && !tex.is_empty()).then_some(tex)
}

struct MathmlReader<'t> {
    links: &'t LinkedTree,
    /// Nodes that may still be read.
    nodes: usize,
    /// True if something is not said by the texts in a row.
    has_structure: bool,
}

impl MathmlReader<'_> {
    /// The nodes in an element, without white space and comments, as many as may be read.
    fn children(&self, of: u32) -> Vec<u32> {
        let links = self.links;
        let first = Some(links.get(of).first).filter(|&first| first != NONE);
        let next = |&at: &u32| Some(links.get(at).next).filter(|&next| next != NONE);
        let is_operand = |at: &u32| match &links.get(*at).data {
            Data::Text(text) => !text.trim().is_empty(),
            Data::Element { .. } => true,
            _ => false,
        };
        let children = std::iter::successors(first, next).filter(is_operand);
        children.take(self.nodes + 1).collect()
    }

    fn row(&mut self, of: u32, depth: usize) -> Option<String> {
        let mut row = String::new();
        for child in self.children(of) {
            push_part(&mut row, &self.node(child, depth + 1)?);
        }
        Some(row)
    }

    /// The operands of an element, each one group.
    fn groups<const N: usize>(&mut self, of: u32, depth: usize) -> Option<[String; N]> {
        let mut children = self.children(of).into_iter();
        let mut groups = [const { String::new() }; N];
        for group in &mut groups {
            if let Some(child) = children.next() {
                *group = self.node(child, depth + 1)?;
            }
        }
        self.has_structure = true;
        Some(groups)
    }

    fn node(&mut self, at: u32, depth: usize) -> Option<String> {
        self.nodes = self.nodes.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        let name = match &self.links.get(at).data {
            Data::Text(text) => return Some(escaped(text.trim())),
            Data::Element { name, .. } => name.local.clone(),
            _ => return Some(String::new()),
        };
        Some(match &*name {
            "mi" => identifier(&self.text(at)?),
            "mn" => escaped(&self.text(at)?),
            "mo" => operator(&self.text(at)?),
            "mtext" | "ms" => format!("\\text{{{}}}", escaped(&self.text(at)?)),
            "mfrac" => {
                let [above, below] = self.groups(at, depth)?;
                format!("\\frac{{{above}}}{{{below}}}")
            }
            "msqrt" => {
                self.has_structure = true;
                format!("\\sqrt{{{}}}", self.row(at, depth)?)
            }
            "mroot" => {
                let [radicand, index] = self.groups(at, depth)?;
                format!("\\sqrt[{index}]{{{radicand}}}")
            }
            "msup" => {
                let [base, above] = self.groups(at, depth)?;
                format!("{}^{}", grouped(&base), grouped(&above))
            }
            "msub" => {
                let [base, below] = self.groups(at, depth)?;
                format!("{}_{}", grouped(&base), grouped(&below))
            }
            "msubsup" => {
                let [base, below, above] = self.groups(at, depth)?;
                let (below, above) = (grouped(&below), grouped(&above));
                format!("{}_{below}^{above}", grouped(&base))
            }
            "munder" => {
                let [base, below] = self.groups(at, depth)?;
                under(&base, &below)
            }
            "mover" => {
                let [base, above] = self.groups(at, depth)?;
                over(&base, &above)
            }
            "munderover" => {
                let [base, below, above] = self.groups(at, depth)?;
                if has_limits(&base) {
                    format!("{base}_{}^{}", grouped(&below), grouped(&above))
                } else {
                    over(&under(&base, &below), &above)
                }
            }
            "mtable" => self.table(at, depth)?,
            "mfenced" => self.fenced(at, depth)?,
            // Only the first child of these is shown.
            "semantics" | "maction" => match self.children(at).first() {
                Some(&child) => self.node(child, depth + 1)?,
                None => String::new(),
            },
            "annotation" | "annotation-xml" | "mphantom" | "mspace" => String::new(),
            _ => self.row(at, depth)?,
        })
    }

    fn table(&mut self, table: u32, depth: usize) -> Option<String> {
        self.has_structure = true;
        let mut rows = Vec::new();
        for row in self.children(table) {
            let mut cells = Vec::new();
            for cell in self.children(row) {
                cells.push(self.node(cell, depth + 2)?);
            }
            rows.push(cells.join(" & "));
        }
        Some(format!(
            "\\begin{{matrix}}{}\\end{{matrix}}",
            rows.join(" \\\\ ")
        ))
    }

    fn fenced(&mut self, at: u32, depth: usize) -> Option<String> {
        let attr = |name: &str| match &self.links.get(at).data {
            Data::Element { attrs, .. } => attrs
                .iter()
                .find(|attr| *attr.name.local == *name)
                .map(|attr| attr.value.to_string()),
            _ => None,
        };
        let fence = |name, default: &str| attr(name).unwrap_or_else(|| default.to_owned());
        let (open, close) = (fence("open", "("), fence("close", ")"));
        let separator = fence("separators", ",");
        let separator = separator.trim().chars().next().map(String::from);
        let mut members = Vec::new();
        for child in self.children(at) {
            members.push(self.node(child, depth + 1)?);
        }
        let members = members.join(&escaped(&separator.unwrap_or_default()));
        Some(escaped(&open) + &members + &escaped(&close))
    }

    /// The text of a token.
    fn text(&mut self, token: u32) -> Option<String> {
        let mut text = String::new();
        let mut at = self.links.after(token, token);
        while at != NONE {
            self.nodes = self.nodes.checked_sub(1)?;
            if let Data::Text(part) = &self.links.get(at).data {
                text.push_str(part);
            }
            at = self.links.after(token, at);
        }
        // Signs of products and functions that nobody sees.
        text.retain(|c| !matches!(c, '\u{2061}'..='\u{2064}'));
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Adds a part, behind a space where it would lengthen the command before it.
fn push_part(row: &mut String, part: &str) {
    let letters = row.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ends_with_command = letters.ends_with('\\') && letters.len() < row.len();
    if ends_with_command && part.starts_with(|c: char| c.is_ascii_alphabetic()) {
        row.push(' ');
    }
    row.push_str(part);
}

fn identifier(name: &str) -> String {
    if FUNCTIONS.contains(&name) {
        format!("\\{name}")
    } else if name.chars().nth(1).is_some() && name.chars().all(char::is_alphabetic) {
        format!("\\mathrm{{{name}}}")
    } else {
        escaped(name)
    }
}

fn operator(name: &str) -> String {
    let command = OPERATORS.iter().find(|(sign, _)| *sign == name);
    command.map_or_else(|| escaped(name), |(_, command)| (*command).to_owned())
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\backslash "),
            '~' => out.push_str("\\sim "),
            '^' => out.push_str("\\hat{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            // The minus sign and the prime of Unicode are what TeX writes so.
            '\u{2212}' => out.push('-'),
            '\u{2032}' => out.push('\''),
            _ => out.push(c),
        }
    }
    out
}

/// An operand in braces, unless it is one letter, digit or command.
fn grouped(operand: &str) -> String {
    let mut chars = operand.chars();
    let is_one = chars.next().is_some_and(|c| !"\\'^_&".contains(c)) && chars.next().is_none();
    let is_command = operand
        .strip_prefix('\\')
        .is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic()));
    if is_one || is_command {
        operand.to_owned()
    } else {
        format!("{{{operand}}}")
    }
}

fn has_limits(base: &str) -> bool {
    WITH_LIMITS.contains(&base) || OPERATORS.iter().any(|(_, command)| *command == base)
}

fn under(base: &str, below: &str) -> String {
    if has_limits(base) {
        format!("{base}_{}", grouped(below))
    } else if matches!(below, "\\_" | "̲" | "¯") {
        format!("\\underline{{{base}}}")
    } else {
        format!("\\underset{{{below}}}{{{base}}}")
    }
}

fn over(base: &str, above: &str) -> String {
    let accent = match above {
        "¯" | "‾" | "\\_" | "―" => "\\overline",
        "\\hat{}" | "ˆ" | "\u{302}" => "\\hat",
        "\\sim " | "˜" | "\u{303}" => "\\tilde",
        "→" | "⃗" => "\\vec",
        "." | "˙" => "\\dot",
        "¨" | ".." => "\\ddot",
        _ if has_limits(base) => return format!("{base}^{}", grouped(above)),
        _ => return format!("\\overset{{{above}}}{{{base}}}"),
    };
    format!("{accent}{{{base}}}")
}

#[cfg(test)]
mod tests {
    use crate::page::plain::text_of_html;

    fn check(mathml: &str, expected: &str) {
        assert_eq!(
            text_of_html(&format!("a <math>{mathml}</math> b")),
            format!("a {expected} b"),
            "{mathml}"
        );
    }

    #[test]
    fn what_stands_above_and_below_is_tex() {
        check("<mfrac><mi>p</mi><mi>q</mi></mfrac>", "$\\frac{p}{q}$");
        check(
            "<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>",
            "$E=mc^2$",
        );
        check(
            "<msub><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow></msub>",
            "$x_{i+1}$",
        );
        check(
            "<msubsup><mi>x</mi><mi>i</mi><mn>10</mn></msubsup>",
            "$x_i^{10}$",
        );
        check(
            "<msqrt><mi>a</mi><mo>−</mo><mi>b</mi></msqrt>",
            "$\\sqrt{a-b}$",
        );
        check("<mroot><mi>a</mi><mn>3</mn></mroot>", "$\\sqrt[3]{a}$");
        check(
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msup><mi>i</mi><mn>2</mn></msup>",
            "$\\sum_{i=1}^ni^2$",
        );
        check(
            "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>f</mi>",
            "$\\lim_{x→0}f$",
        );
        check("<mover><mi>v</mi><mo>→</mo></mover>", "$\\vec{v}$");
        check("<mover><mi>v</mi><mo>^</mo></mover>", "$\\hat{v}$");
        check("<mover><mi>v</mi><mi>n</mi></mover>", "$\\overset{n}{v}$");
        check(
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>",
            "$\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}$",
        );
        check(
            "<semantics><msup><mi>a</mi><mn>2</mn></msup><annotation-xml><apply/></annotation-xml></semantics>",
            "$a^2$",
        );
    }

    #[test]
    fn names_are_functions_words_and_letters() {
        let check = |name: &str, expected: &str| {
            check(
                &format!("<msup><mi>{name}</mi><mn>2</mn></msup><mi>x</mi>"),
                &format!("${expected}x$"),
            );
        };
        check("sin", "\\sin^2");
        check("rad", "{\\mathrm{rad}}^2");
        check("φ", "φ^2");
        check("%", "{\\%}^2");
        check("a", "a^2");
    }

    #[test]
    fn a_command_ends_before_a_letter() {
        check(
            "<mi>sin</mi><mi>x</mi><mo>+</mo><mi>cos</mi><mo>(</mo><msup><mi>x</mi><mi>y</mi></msup><mo>)</mo>",
            "$\\sin x+\\cos(x^y)$",
        );
        check(
            "<mi>sin</mi><mo>\u{2061}</mo><msup><mi>x</mi><mi>y</mi></msup>",
            "$\\sin x^y$",
        );
        check(
            "<mfenced><mi>x</mi><msup><mi>y</mi><mn>2</mn></msup></mfenced>",
            "$(x,y^2)$",
        );
        check(
            "<mfenced open=[><msup><mi>y</mi><mn>2</mn></msup></mfenced>",
            "$[y^2)$",
        );
    }

    #[test]
    fn texts_in_a_row_and_what_is_too_large_stay() {
        check("<mi>x</mi><mo>=</mo><mn>2</mn>", "x=2");
        let deep = "<msup>".repeat(60) + "<mi>x</mi>";
        check(&deep, "x");
        let long = "<msup><mi>x</mi><mn>2</mn></msup>".repeat(600);
        check(&long, &"x2".repeat(600));
    }
}
