//! The characters that a page shows in other ways than by writing them: pictures of letters and
//! emoji, and formulas whose TeX stands in a script, beside MathML, or in the name of a picture.
//!
//! A picture of a letter becomes a text node. Behind a formula comes a text node with its TeX,
//! and other copies of it (for the eye, for the ear) are no content: a formula is read once.

use super::mathml::tex_of;
use super::sink::{Data, LinkedNode, LinkedTree, NONE};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, local_name, ns};

/// Bytes of the name of a picture that is an emoji: a family has 25.
const MAX_EMOJI_BYTES: usize = 40;

/// Nodes on each side of an emoji that are looked at for words.
const MAX_BESIDE: usize = 8;

/// Bytes of a formula at the most.
const MAX_TEX_BYTES: usize = 10_000;

/// Nodes below a formula that are looked at for its TeX.
const MAX_LOOKED_AT: usize = 1_000;

/// Writes out what a tree shows as characters. One pass.
pub(super) fn write_out(links: &mut LinkedTree) {
    for at in 0..links.nodes.len() as u32 {
        write_node(links, at);
    }
}

#[inline]
fn write_node(links: &mut LinkedTree, at: u32) {
    let Data::Element { name, attrs, .. } = &links.get(at).data else {
        return;
    };
    if is_hidden(links, at) {
        return;
    }
    if name.ns == ns!(html) {
        match name.local {
            local_name!("img") => picture(links, at),
            local_name!("script") => script(links, at),
            local_name!("span") | local_name!("div") if is_drawn(attrs) => drawn(links, at),
            _ => {}
        }
    } else if name.local == local_name!("math") {
        math(links, at);
    }
}

fn value<'a>(attrs: &'a [Attribute], name: &LocalName) -> Option<&'a str> {
    let attr = attrs.iter().find(|attr| attr.name.local == *name)?;
    Some(&attr.value)
}

fn attrs(links: &LinkedTree, at: u32) -> &[Attribute] {
    match &links.get(at).data {
        Data::Element { attrs, .. } => attrs,
        _ => &[],
    }
}

fn has_class(attrs: &[Attribute], is_it: impl Fn(&str) -> bool) -> bool {
    value(attrs, &local_name!("class"))
        .is_some_and(|classes| classes.split_ascii_whitespace().any(is_it))
}

/// An `img`: an emoji, an initial, a formula, or a picture.
fn picture(links: &mut LinkedTree, at: u32) {
    let own = attrs(links, at);
    let Some(alt) = value(own, &local_name!("alt")).map(str::trim) else {
        return;
    };
    if alt.is_empty() || alt.len() > MAX_TEX_BYTES {
        return;
    }
    let is_smiley = || {
        has_class(own, |class| {
            class.contains("emoji") || class.contains("smiley")
        })
    };
    let is_letters = alt.len() <= MAX_EMOJI_BYTES
        && (is_emoji(alt) && is_in_line(links, at) || is_smiley() || is_initial(links, at, alt));
    if is_letters {
        let text = StrTendril::from_slice(alt);
        links.at(at).data = Data::Text(text);
    } else if is_tex(alt) || has_class(own, is_formula_class) {
        let tex = alt.to_owned();
        push_formula(links, at, &tex, false);
    }
}

/// True for emoji and nothing else.
fn is_emoji(text: &str) -> bool {
    let is_picture = |c: char| {
        matches!(c, '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21aa}'
            | '\u{231a}'..='\u{23ff}' | '\u{25aa}'..='\u{27bf}' | '\u{2934}'..='\u{2b55}'
            | '\u{1f000}'..='\u{1faff}')
    };
    let joins = |c: char| {
        matches!(
            c,
            '\u{200d}' | '\u{20e3}' | '\u{fe0e}' | '\u{fe0f}' | '\u{e0020}'..='\u{e007f}'
        )
    };
    text.contains(is_picture) && text.chars().all(|c| is_picture(c) || joins(c))
}

/// True if words stand beside a node in its element: a picture alone may be named by an emoji.
fn is_in_line(links: &LinkedTree, at: u32) -> bool {
    let is_words =
        |node: u32| matches!(&links.get(node).data, Data::Text(text) if !text.trim().is_empty());
    let beside = |next: fn(&LinkedNode) -> u32| {
        let nodes = std::iter::successors(Some(at), move |&node| {
            Some(next(links.get(node))).filter(|&next| next != NONE)
        });
        nodes.skip(1).take(MAX_BESIDE)
    };
    let mut around = beside(|node| node.previous).chain(beside(|node| node.next));
    around.any(is_words)
}

/// True for a letter whose word goes on in the text behind the picture.
fn is_initial(links: &LinkedTree, at: u32, alt: &str) -> bool {
    let mut letters = alt.chars();
    let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    if !is_letter {
        return false;
    }
    let mut next = links.get(at).next;
    if next == NONE {
        next = links.get(links.get(at).parent).next;
    }
    next != NONE
        && matches!(&links.get(next).data, Data::Text(text) if text.starts_with(char::is_lowercase))
}

/// True for a class that pictures of formulas have.
fn is_formula_class(class: &str) -> bool {
    let of_wikipedia = class.starts_with("mwe-math-fallback-image");
    of_wikipedia
        || matches!(
            class,
            "latex" | "tex" | "katex" | "math-tex" | "ql-img-inline-formula"
        )
}

/// True for text with commands of TeX.
fn is_tex(text: &str) -> bool {
    let has_command = text
        .match_indices('\\')
        .any(|(at, _)| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_quoted = text.len() > 2 && text.starts_with('$') && text.ends_with('$');
    is_quoted && text.contains(['\\', '^', '_', '='])
        || has_command && text.contains(['{', '^', '_', '=', ' '])
}

/// A `script` that is a formula of MathJax.
fn script(links: &mut LinkedTree, at: u32) {
    let Some(display) = tex_script(attrs(links, at)) else {
        return;
    };
    let tex = text_of(links, at);
    push_formula(links, at, &tex, display);
}

/// True for the script of a formula that stands in lines of its own; `None` for other scripts.
fn tex_script(attrs: &[Attribute]) -> Option<bool> {
    let kind = value(attrs, &local_name!("type"))?.trim();
    let of_tex = kind
        .strip_prefix("math/tex")
        .or_else(|| kind.strip_prefix("math/latex"))?;
    Some(of_tex.contains("display"))
}

/// True for what MathJax and KaTeX draw of a formula.
fn is_drawn(attrs: &[Attribute]) -> bool {
    has_class(attrs, |class| {
        class.starts_with("MathJax") || class == "katex-html"
    })
}

/// Takes out what is drawn of a formula whose source stands beside it.
fn drawn(links: &mut LinkedTree, at: u32) {
    let parent = links.get(at).parent;
    let is_katex = has_class(attrs(links, at), |class| class == "katex-html");
    let mut sibling = if is_katex {
        links.get(parent).first
    } else {
        links.get(at).next
    };
    let mut has_source = false;
    for _ in 0..3 {
        if sibling == NONE || has_source {
            break;
        }
        let own = attrs(links, sibling);
        has_source = if is_katex {
            has_class(own, |class| class == "katex-mathml")
        } else {
            tex_script(own).is_some()
        };
        sibling = links.get(sibling).next;
    }
    if has_source {
        hide(links, at);
    }
}

/// MathML, with its TeX or as TeX. What has none, or too much, stays.
fn math(links: &mut LinkedTree, at: u32) {
    let display = value(attrs(links, at), &LocalName::from("display")) == Some("block");
    let Some(tex) = tex_beside(links, at).or_else(|| tex_of(links, at)) else {
        return;
    };
    // A picture with the same name is its copy.
    if has_fallback(links, at) || push_formula(links, at, &tex, display) {
        hide(links, at);
    }
}

/// The source that stands in MathML as an annotation.
fn tex_beside(links: &LinkedTree, math: u32) -> Option<String> {
    let is_source = |kind: &str| kind.contains("tex") || kind.contains("TeX");
    let nodes = std::iter::successors(Some(math), |&node| {
        Some(links.after(math, node)).filter(|&next| next != NONE)
    });
    let annotation = nodes.take(MAX_LOOKED_AT).find(|&node| {
        matches!(&links.get(node).data, Data::Element { name, attrs, .. }
            if name.local == local_name!("annotation")
                && value(attrs, &LocalName::from("encoding")).is_some_and(is_source))
    })?;
    Some(text_of(links, annotation)).filter(|tex| !tex.trim().is_empty())
}

/// True if the element around MathML is followed by a picture of the formula.
fn has_fallback(links: &LinkedTree, math: u32) -> bool {
    let around = links.get(math).parent;
    if around == NONE {
        return false;
    }
    let next = links.get(around).next;
    next != NONE
        && has_class(attrs(links, next), |class| {
            class.starts_with("mwe-math-fallback-image")
        })
}

/// Takes what is below an element out of the tree.
fn hide(links: &mut LinkedTree, at: u32) {
    links.at(at).first = NONE;
    links.at(at).last = NONE;
}

/// True for a node whose element was hidden: what is put behind it would show again.
fn is_hidden(links: &LinkedTree, at: u32) -> bool {
    let parent = links.get(at).parent;
    parent != NONE && links.get(parent).first == NONE
}

fn text_of(links: &LinkedTree, top: u32) -> String {
    let mut text = String::new();
    let mut node = links.after(top, top);
    for _ in 0..MAX_LOOKED_AT {
        if node == NONE || text.len() > MAX_TEX_BYTES {
            break;
        }
        if let Data::Text(part) = &links.get(node).data {
            text.push_str(part);
        }
        node = links.after(top, node);
    }
    text
}

/// Puts a formula behind the node that shows it: `$...$`, or `$$...$$` in lines of its own; as it
/// is if it has no marks of TeX. False if it is empty or too long.
fn push_formula(links: &mut LinkedTree, at: u32, tex: &str, display: bool) -> bool {
    let mut tex = tex.trim();
    while let Some(inner) = tex.strip_prefix('$').and_then(|tex| tex.strip_suffix('$')) {
        tex = inner.trim();
    }
    if let Some(inner) = tex
        .strip_prefix("{\\displaystyle")
        .and_then(|rest| rest.strip_suffix('}'))
    {
        tex = inner.trim();
    }
    if tex.is_empty() || tex.len() > MAX_TEX_BYTES {
        return false;
    }
    let is_plain = !tex.contains(['\\', '^', '_', '{', '&']);
    let mark = match (is_plain, display) {
        (true, false) => "",
        (_, true) => "$$",
        _ => "$",
    };
    let formula = links.add(Data::Formula(StrTendril::from(format!(
        "{mark}{tex}{mark}"
    ))));
    links.insert_behind(at, formula);
    true
}

#[cfg(test)]
mod tests {
    use crate::page::plain::text_of_html;
    use crate::page::{Page, Scripting, Source};
    use html5ever::local_name;

    fn check(html: &str, expected: &str) {
        assert_eq!(text_of_html(html), expected, "{html}");
    }

    #[test]
    fn pictures_of_letters_are_letters() {
        check("a <img alt=🍞 src=b> c", "a 🍞 c");
        check("a <img alt='👩‍👩‍👧' src=b>", "a 👩‍👩‍👧");
        check("<p><img alt=🍞 src=b> <img alt=🍞 src=b> a", "🍞 🍞 a");
        check("<p><img class=emoji alt=🍞 src=b>", "🍞");
        check("a <img class=wp-smiley alt=:) src=b>", "a :)");
        check("<p><img alt=T src=t.gif>he oven", "The oven");
        check(
            "<p><span class=dropcap><img alt=É src=t.gif></span>tait",
            "Était",
        );
    }

    #[test]
    fn a_browser_gets_them_as_they_were_written() {
        let html = b"<p>a <img alt=e src=b> <script type=math/tex>x^2</script> c";
        let page = Page::parse_for(Scripting::Off, html, Source::default(), 1000);
        assert!(!page.text(page.root()).contains('$'));
        let images = page.elements().filter(|&n| page.is(n, &local_name!("img")));
        assert_eq!(images.count(), 1);
        check("a <script type=math/tex>x^2</script> c", "a $x^2$ c");
    }

    #[test]
    fn other_pictures_are_not() {
        check("a <img alt='A tree 🍞' src=b>", "a");
        check("<p><img alt=🍞 src=b></p>a", "a");
        check("<img alt=T src=t> he oven", "he oven");
        check("<img alt=T src=t>He", "He");
        check("<img alt=© src=t>a", "a");
        check("<img alt='C:\\Users' src=t>a", "a");
    }

    #[test]
    fn a_formula_is_its_tex_once() {
        check("a <img class=latex alt='q = mc' src=b> c", "a q = mc c");
        check("a <img alt='\\frac{a}{b}' src=b>", "a $\\frac{a}{b}$");
        check("a <img alt='$x^2$' src=b>", "a $x^2$");
        let script = "<script type='math/tex'>q = \\Delta t</script>";
        check(
            &format!("a <span class=MathJax_Preview>q</span>{script}."),
            "a $q = \\Delta t$.",
        );
        check(
            &format!("a <span class=MathJax><math><mi>q</mi></math></span>{script}."),
            "a $q = \\Delta t$.",
        );
        check(
            "<script type='math/tex; mode=display'>x_1</script>",
            "$$x_1$$",
        );
        let math = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>";
        check(&format!("a {math} b"), "a $x^2$ b");
        check(
            &format!(
                "<span class=katex><span class=katex-mathml>{math}</span><span class=katex-html aria-hidden=true>x2</span></span>"
            ),
            "$x^2$",
        );
        check(
            &format!(
                "<span><span class=mwe-math-mathml-a11y>{math}</span><img class=mwe-math-fallback-image-inline alt='{{\\displaystyle x^2}}' src=x></span>"
            ),
            "$x^2$",
        );
    }

    #[test]
    fn a_formula_in_what_is_hidden_is_not_read_again() {
        let square = "<math><msup><mi>q</mi><mn>2</mn></msup></math>";
        let script = "<script type='math/tex'>q^2</script>";
        check(
            &format!("a <span class=MathJax>{square}</span>{script}."),
            "a $q^2$.",
        );
        check(
            &format!("a <math><msup><mi>x</mi><mn>2</mn></msup>{square}</math> b"),
            "a $x^2q^2$ b",
        );
        check(
            &format!("a <span class=MathJax><span>{square}</span></span>{script}."),
            "a $q^2$.",
        );
    }

    #[test]
    fn mathml_whose_tex_is_empty_or_too_long_stays() {
        let math = |tex: &str| {
            format!(
                "a <math><semantics><mi>x</mi><annotation encoding=TeX>{tex}</annotation></semantics></math> b"
            )
        };
        check(&math(""), "a x b");
        check(&math("x^2"), "a $x^2$ b");
        let long = "x".repeat(super::MAX_TEX_BYTES + 1);
        assert!(text_of_html(&math(&long)).starts_with("a x"));
        let long = format!("<math><msup><mi>{long}</mi><mn>2</mn></msup></math>");
        assert!(text_of_html(&long).starts_with("xxx"));
        check(
            "<math><msup><mi>x</mi><mtext>5$</mtext></msup></math>",
            "$x^{\\text{5\\$}}$",
        );
    }

    #[test]
    fn other_scripts_stay() {
        check("a<script type=text/javascript>x^2</script>", "a");
        check("<span class=MathJax>x</span><b>y</b>", "xy");
    }
}
