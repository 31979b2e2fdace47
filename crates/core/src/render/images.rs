//! The pictures of what is kept.

use super::shown::Region;
use super::text::parted_text;
use forest_html::page::links::Base;
use forest_html::page::{Kind, Mask, NodeId, Page};
use forest_html::text::fold;
use html5ever::local_name;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Pictures of an article at the most.
pub const MAX_IMAGES: usize = 100;

/// Bytes of a caption at the most; a longer one is cut at a word. The longest of
/// a news agency are three sentences and a credit.
const MAX_CAPTION_BYTES: usize = 1000;

/// A picture of an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Its address: absolute where the page's is known.
    pub url: String,
    /// The text of its caption, the `figcaption` of its `figure` or an element with the class of
    /// one, white space folded.
    pub caption: Option<String>,
}

/// Names that HTML and Markdown have in the place of pictures' addresses.
#[derive(Debug, Clone, Default)]
pub struct PictureNames(Arc<HashMap<String, String>>);

impl PictureNames {
    pub fn new(names: HashMap<String, String>) -> PictureNames {
        PictureNames(Arc::new(names))
    }

    /// [`image_url`], or its name.
    pub fn of<'a>(&'a self, page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
        let url = image_url(page, n, base)?;
        Some(match self.0.get(&*url) {
            Some(name) => Cow::Borrowed(name),
            None => url,
        })
    }
}

/// The kept pictures in document order, each address once.
///
/// A picture's address is the one that a script would load late (`data-src` and
/// its kin), else its `src` if it is no stand-in, else the largest of its `srcset` or of the
/// `source`s of its `picture`, else that of the `noscript` beside it. Data addresses and pictures of one pixel are left
/// out. A caption counts whether or not its own nodes are kept.
///
/// ```
/// use forest_core::render::images;
/// use forest_html::page::links::Base;
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<figure><img src=/a.jpg><figcaption>A  tree</figcaption></figure>");
/// let images = images(&page, &Mask::all(&page), &Base::of(&page));
/// assert_eq!(images[0].url, "/a.jpg");
/// assert_eq!(images[0].caption.as_deref(), Some("A tree"));
/// ```
pub fn images(page: &Page, body: &Mask, base: &Base) -> Vec<Image> {
    let mut images: Vec<Image> = Vec::new();
    let mut places: Vec<NodeId> = Vec::new();
    let Some(region) = Region::of(page, body) else {
        return images;
    };
    let mut addresses: HashSet<String> = HashSet::new();
    for n in (region.start.0..region.end.0).map(NodeId) {
        if images.len() < MAX_IMAGES
            && page.kind(n) == Kind::Element
            && page.is_content(n)
            && body.contains(n)
            && !is_of_formula(page, n)
            && let Some(url) = image_url(page, n, base)
            && addresses.insert(url.clone().into_owned())
        {
            let url = url.into_owned();
            images.push(Image { url, caption: None });
            places.push(n);
        }
    }
    for (figure, caption) in captions_by_element_or_class(page, &Pictures::of(page)) {
        let from = places.partition_point(|&n| n < figure);
        let to = places.partition_point(|&n| n < page.end(figure));
        let mut bare = images[from..to]
            .iter_mut()
            .filter(|image| image.caption.is_none());
        let Some(first) = bare.next() else { continue };
        let text = Some(caption_text(page, caption)).filter(|text| !text.is_empty());
        first.caption.clone_from(&text);
        bare.for_each(|image| image.caption.clone_from(&text));
    }
    images
}

/// The kept nodes without the captions of pictures: `figcaption` in a `figure`.
///
/// ```
/// use forest_core::render::{text, without_captions};
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<p>One.<figure><img src=/a.jpg><figcaption>A tree</figcaption></figure>");
/// assert_eq!(text(&page, &without_captions(&page, &Mask::all(&page))), "One.");
/// ```
pub fn without_captions(page: &Page, body: &Mask) -> Mask {
    let mut out = body.clone();
    for (_, caption) in captions(page, &Pictures::of(page)) {
        out.drop_subtree(page, caption);
    }
    out
}

/// The kept nodes with the captions of kept pictures, also where these are not kept.
///
/// ```
/// use forest_core::render::{text, with_captions, without_captions};
/// use forest_html::page::{Mask, Page};
///
/// let page = Page::from_html("<p>One.<figure><img src=/a.jpg><figcaption>A tree</figcaption></figure>");
/// let without = without_captions(&page, &Mask::all(&page));
/// assert_eq!(text(&page, &with_captions(&page, &without)), "One.\nA tree");
/// ```
pub fn with_captions(page: &Page, body: &Mask) -> Mask {
    let mut out = body.clone();
    for (figure, caption) in captions(page, &Pictures::of(page)) {
        if body.contains(figure) {
            out.keep_subtree(page, caption);
        }
    }
    out
}

/// The figures with a picture, each with its caption. A figure without one is a table, a
/// program, a quotation: its caption is part of it.
fn captions(page: &Page, pictures: &Pictures) -> Vec<(NodeId, NodeId)> {
    let has_picture = |figure: &NodeId| pictures.within(page, *figure) > 0;
    let of_figure = |caption: NodeId| {
        let mut around = page.ancestors(caption);
        let figure = around.find(|&up| page.is(up, &local_name!("figure")))?;
        Some(figure)
            .filter(has_picture)
            .map(|figure| (figure, caption))
    };
    let captions = page
        .elements()
        .filter(|&n| page.is(n, &local_name!("figcaption")));
    captions.filter_map(of_figure).collect()
}

/// The pictures of a page, and whatever a figure shows in their place.
struct Pictures(Vec<NodeId>);

impl Pictures {
    fn of(page: &Page) -> Pictures {
        Pictures(page.elements().filter(|&n| is_picture(page, n)).collect())
    }

    /// The number of those in a subtree.
    fn within(&self, page: &Page, top: NodeId) -> usize {
        let before = |n: NodeId| self.0.partition_point(|&picture| picture < n);
        before(page.end(top)) - before(top)
    }
}

fn is_picture(page: &Page, n: NodeId) -> bool {
    let shows = [
        "img", "picture", "svg", "video", "audio", "iframe", "amp-img", "object",
    ];
    page.name(n)
        .is_some_and(|name| shows.contains(&&*name.local))
}

/// Names that blogs and shops give to the class of a caption.
const CAPTION_CLASSES: [&str; 8] = [
    "wp-caption-text",
    "caption-text",
    "image-caption",
    "img-caption",
    "photo-caption",
    "picture-caption",
    "figcaption",
    "caption",
];

/// Elements between a caption by its class and the element that it shares with its picture.
const UP_TO_PICTURE: usize = 3;

/// The figures with their captions, innermost figures first: by element, and by the caption's
/// class where the nearest element around it with a picture has no other text.
fn captions_by_element_or_class(page: &Page, pictures: &Pictures) -> Vec<(NodeId, NodeId)> {
    let is_caption = |n: &NodeId| {
        let classes = page.attr(*n, "class").unwrap_or_default();
        let mut classes = classes.split_ascii_whitespace();
        classes.any(|class| CAPTION_CLASSES.contains(&class))
    };
    let figure_of = |caption: NodeId| {
        let mut around = page.ancestors(caption).skip(1).take(UP_TO_PICTURE);
        let figure =
            around.find(|&up| pictures.within(page, up) > pictures.within(page, caption))?;
        let own = page.text(caption).trim().len();
        (!page.is(figure, &local_name!("figure")) && page.text(figure).trim().len() == own)
            .then_some(figure)
    };
    let mut all: Vec<(NodeId, NodeId)> = captions(page, pictures);
    let by_class = page.elements().filter(is_caption);
    all.extend(by_class.filter_map(|n| Some((figure_of(n)?, n))));
    // Of two captions of a figure the first one counts.
    all.sort_by_key(|&(figure, caption)| (Reverse(figure), caption));
    all.dedup_by_key(|pair| pair.0);
    all
}

/// A caption's text in a line: a credit may follow it without a space.
fn caption_text(page: &Page, caption: NodeId) -> String {
    let mut caption = fold(&parted_text(page, &Mask::subtrees(page, &[caption])));
    if caption.len() > MAX_CAPTION_BYTES {
        let cut = caption.floor_char_boundary(MAX_CAPTION_BYTES);
        let word = caption[..cut].rfind(' ').unwrap_or(cut);
        caption.truncate(word);
        caption.push('…');
    }
    caption
}

/// True for a picture of a formula, which stands behind it as text.
pub(super) fn is_of_formula(page: &Page, n: NodeId) -> bool {
    let next = page.end(n);
    next.index() < page.len() && page.is_formula(next)
}

/// The address of a picture element; `None` for other elements, for data and for
/// pictures of one pixel.
pub fn image_url<'a>(page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
    let tag = page.tag(n)?;
    // The sizes of an `amp-img` are a ratio.
    let is_image = *tag == local_name!("img") && !is_pixel(page, n) || **tag == *"amp-img";
    if !is_image {
        return None;
    }
    let own = page.attr(n, "src").filter(|src| !is_placeholder(src));
    late_address(page, n, base)
        .or_else(|| own.and_then(|url| base.resolve(url)))
        .or_else(|| from_set(page, n, base))
        .or_else(|| named_picture(page, n, base))
        .or_else(|| {
            let picture = page
                .parent(n)
                .filter(|&p| page.is(p, &local_name!("picture")))?;
            page.children(picture)
                .filter(|&n| page.is(n, &local_name!("source")))
                .take(MAX_IMAGES)
                .find_map(|source| from_set(page, source, base))
        })
        .or_else(|| around_picture(page, n, base))
        .or_else(|| page.attr(n, "src").and_then(|url| base.resolve(url)))
}

/// True for the address of a picture that stands in for one that comes late.
fn is_placeholder(src: &str) -> bool {
    const NAMES: [&str; 8] = [
        "blank",
        "spacer",
        "placeholder",
        "transparent",
        "pixel",
        "1x1",
        "loading",
        "lazy",
    ];
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    NAMES.iter().any(|name| stem.eq_ignore_ascii_case(name))
        || src.trim_start().starts_with("data:")
}

/// The address of a picture in an attribute of a script's own, whatever its name.
fn named_picture<'a>(page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
    let mut own = page
        .attrs(n)
        .filter(|(name, _)| name.local.starts_with("data-"));
    own.find_map(|(_, value)| base.resolve(value).filter(|_| names_picture(value)))
}

/// True for one address whose path ends as a picture's does.
fn names_picture(value: &str) -> bool {
    const ENDS: [&str; 6] = ["jpg", "jpeg", "png", "webp", "gif", "avif"];
    let path = value.trim().split(['?', '#']).next().unwrap_or_default();
    let end = path.rsplit_once('.').map_or("", |(_, end)| end);
    !path.contains(char::is_whitespace) && ENDS.iter().any(|e| end.eq_ignore_ascii_case(e))
}

/// Elements around a picture without an address that may have it.
const AROUND: usize = 2;

/// The address that a picture without one has in the `noscript` beside it, or in an attribute
/// of an element that holds nothing else.
fn around_picture<'a>(page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
    let next = Some(page.end(n)).filter(|next| next.index() < page.len());
    let stand_in = next.filter(|&n| page.is(n, &local_name!("noscript")));
    if let Some(noscript) = stand_in {
        let twin = Page::from_html(page.text(noscript));
        let url = twin.elements().find_map(|n| {
            let src = page_src(&twin, n)?;
            Some(base.resolve(src)?.into_owned())
        });
        if let Some(url) = url {
            return Some(Cow::Owned(url));
        }
    }
    let around = page.ancestors(n).skip(1).take(AROUND);
    let mut around = around.take_while(|&up| page.text(up).trim().is_empty());
    around.find_map(|up| from_set(page, up, base).or_else(|| named_picture(page, up, base)))
}

/// The `src` of an `img`, where it is no stand-in.
fn page_src(page: &Page, n: NodeId) -> Option<&str> {
    let src = page.attr(n, "src").filter(|src| !is_placeholder(src));
    src.filter(|_| page.is(n, &local_name!("img")))
}

/// The address that a script would load late.
pub(super) fn late_address<'a>(page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
    const LATE: [&str; 9] = [
        "data-src",
        "data-original",
        "data-lazy-src",
        "data-original-src",
        "data-hi-res-src",
        "data-orig-file",
        "data-actualsrc",
        "data-lazy",
        "data-url",
    ];
    let mut late = LATE.iter().filter_map(|name| page.attr(n, name));
    late.find_map(|url| base.resolve(url))
}

/// The largest picture of a `srcset`.
fn from_set<'a>(page: &'a Page, n: NodeId, base: &Base) -> Option<Cow<'a, str>> {
    let set = ["data-srcset", "data-lazy-srcset", "srcset"];
    let url = set.iter().find_map(|name| largest(page.attr(n, name)?))?;
    base.resolve(url)
}

/// The address with the largest width or density in a `srcset`, the first of
/// equals. Addresses may hold commas; a candidate ends at a comma before white
/// space or at the comma after its descriptor.
fn largest(set: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = set;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return best.map(|(_, url)| url);
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        let (url, size, after) = match url.strip_suffix(',') {
            Some(url) => (url, "", after),
            None => {
                let end = after.find(',').unwrap_or(after.len());
                (url, after[..end].trim(), &after[end..])
            }
        };
        rest = after;
        let size = size.trim_end_matches(['w', 'x']).parse().unwrap_or(1.0);
        if best.is_none_or(|(largest, _)| size > largest) && !url.starts_with("data:") {
            best = Some((size, url));
        }
    }
}

/// True if a picture or a frame says that it is at most one pixel wide or high: a tracker
/// or a spacer.
pub(super) fn is_pixel(page: &Page, n: NodeId) -> bool {
    ["width", "height"].iter().any(|name| {
        let size = page.attr(n, name).map(str::trim);
        matches!(size, Some("0" | "1" | "0px" | "1px"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_html::page::Source;

    fn check(html: &str, expected: &[(&str, Option<&str>)]) {
        let source = Source {
            url: Some("https://a.example/b/c"),
            ..Source::default()
        };
        let page = Page::parse(html.as_bytes(), source);
        let found = images(&page, &Mask::all(&page), &Base::of(&page));
        let found: Vec<_> = found
            .iter()
            .map(|i| (&*i.url, i.caption.as_deref()))
            .collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn the_address_is_the_late_one_else_src_else_the_largest_of_the_set() {
        let d = [("https://a.example/b/d.jpg", None)];
        check("<img src=d.jpg>", &d);
        check("<img src=d.jpg srcset='e.jpg 2x'>", &d);
        check("<img src='data:image/gif;base64,R0' data-src=d.jpg>", &d);
        check("<img src=wait.gif data-original=d.jpg>", &d);
        check("<img srcset='e.jpg 100w, d.jpg 900w,f.jpg 200w'>", &d);
        check("<img srcset='d.jpg, e.jpg'>", &d);
        check(
            "<picture><source srcset='d.jpg 2x'><img src=''></picture>",
            &d,
        );
        check("<amp-img src=d.jpg></amp-img>", &d);
        check(
            "<img srcset='w_1,h_2/d.jpg 2x, e.jpg 1x'>",
            &[("https://a.example/b/w_1,h_2/d.jpg", None)],
        );
    }

    #[test]
    fn a_stand_in_gives_way_to_what_is_named() {
        let d = [("https://a.example/b/d.jpg", None)];
        check(
            "<img src=blank.gif data-orig-file=d.jpg data-small=e.jpg>",
            &d,
        );
        check("<img src='data:image/svg+xml,x' data-any-name=d.jpg>", &d);
        check(
            "<div data-srcset='e.jpg 1w, d.jpg 9w'><img src='data:image/gif;base64,R0'></div>",
            &d,
        );
        check("<img alt=''><noscript><img src=d.jpg></noscript>", &d);
        check("<img src=d.jpg data-any-name=e.jpg>", &d);
        check(
            "<img src=blank.gif>",
            &[("https://a.example/b/blank.gif", None)],
        );
    }

    #[test]
    fn captions_are_known_by_their_class() {
        check(
            "<div><img src=/1><p class=wp-caption-text>one</div>",
            &[("https://a.example/1", Some("one"))],
        );
        check(
            "<div><a><img src=/1></a><span class=image-caption>a <i>b</i></span></div>",
            &[("https://a.example/1", Some("a b"))],
        );
        check(
            "<div><img src=/1><p>Text.<p class=caption>one</div>",
            &[("https://a.example/1", None)],
        );
    }

    #[test]
    fn a_credit_is_no_part_of_a_word() {
        check(
            "<figure><img src=/1><figcaption><span>At dusk</span><span>Photo: Tam</span></figcaption></figure>",
            &[("https://a.example/1", Some("At dusk Photo: Tam"))],
        );
        check(
            "<figure><img src=/1><figcaption>At <b>d</b><i>u</i>sk</figcaption></figure>",
            &[("https://a.example/1", Some("At dusk"))],
        );
    }

    #[test]
    fn formulas_are_no_pictures() {
        check("<img class=latex src=/1 alt=x^2>", &[]);
    }

    #[test]
    fn data_pixels_and_repetitions_are_left_out() {
        check(
            "<img src='data:image/png;base64,A'><img><img src='javascript:x'>",
            &[],
        );
        check(
            "<img src=t.gif width=1 height=1><img src=s.gif height=0>",
            &[],
        );
        check(
            "<img src=d.jpg><img src=d.jpg>",
            &[("https://a.example/b/d.jpg", None)],
        );
    }

    #[test]
    fn captions_are_those_of_the_innermost_figure() {
        check(
            "<figure><figure><img src=/1><figcaption>one</figcaption></figure>
             <img src=/2><figcaption>all <b>of</b> them</figcaption></figure><img src=/3>",
            &[
                ("https://a.example/1", Some("one")),
                ("https://a.example/2", Some("all of them")),
                ("https://a.example/3", None),
            ],
        );
    }

    #[test]
    fn a_picture_alone_is_kept_and_keeps_its_caption() {
        let page = Page::from_html(
            "<figure><a><img src=/1></a><figcaption>c</figcaption></figure><img src=/2>",
        );
        let img = page
            .elements()
            .find(|&n| page.is(n, &local_name!("img")))
            .expect("img");
        let found = images(&page, &Mask::subtrees(&page, &[img]), &Base::of(&page));
        assert_eq!(
            found,
            [Image {
                url: "/1".to_owned(),
                caption: Some("c".to_owned())
            }]
        );
    }

    #[test]
    fn pictures_and_captions_are_bounded() {
        let imgs: String = (0..500).map(|i| format!("<img src=/{i}>")).collect();
        let html = format!(
            "<figure>{imgs}<figcaption>{}</figcaption></figure>",
            "word ".repeat(10_000)
        );
        let page = Page::from_html(&html);
        let found = images(&page, &Mask::all(&page), &Base::of(&page));
        assert_eq!(found.len(), MAX_IMAGES);
        let caption = found[0].caption.as_deref().expect("caption");
        assert!(caption.len() <= MAX_CAPTION_BYTES + '…'.len_utf8() && caption.ends_with("word…"));
    }
}
