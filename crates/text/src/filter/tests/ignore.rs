//! The switches of figure 1.

use super::*;

#[test]
fn nothing_on_leaves_the_page() {
    let html = "<p class=\"a\" onclick=\"x\">1 &lt; 2<!--c--><br>é</p><script>a<b</script>";
    check(&FilterSettings::none(), html, html);
}

#[test]
fn foreign_elements_keep_the_prefixes_of_their_attributes() {
    let html = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\
                <use xlink:href=\"#a\" xml:lang=\"en\"></use></svg>";
    check(&FilterSettings::none(), html, html);
}

#[test]
fn advertisements_by_their_server() {
    let ads = only(|s| s.ads = true);
    check(
        &ads,
        "<p><a href='https://ad.doubleclick.net/x'><b>buy</b></a><img src=//www.taboola.com/1.gif>\
         <a href=/doubleclick.net/>kept</a><iframe src='http://adnxs.com'></iframe></p>",
        "<p><a href=\"/doubleclick.net/\">kept</a></p>",
    );
}

#[test]
fn the_links_of_advertisements_are_listed_by_a_setting_of_their_own() {
    let ads =
        |listed| only(|s| (s.ads, s.removed_links, s.removed_ad_links) = (true, true, listed));
    let html = "<p>a<a href='https://doubleclick.net/'>buy</a></p>";
    check(&ads(false), html, "<p>a</p>");
    check(
        &ads(true),
        html,
        "<p>a</p><nav class=\"forest-removed-links\"><ul>\
         <li><a href=\"https://doubleclick.net/\">buy</a></li></ul></nav>",
    );
}

#[test]
fn scripts_and_noscript() {
    let with = only(|s| (s.scripts, s.noscript) = (true, true));
    let html = "<p onclick=x>a<script>b</script><noscript><b>c</b></noscript><!--d--></p>";
    check(&with, html, "<p>a<b>c</b></p>");
    let without = only(|s| s.scripts = true);
    check(&without, html, "<p>a</p>");
}

#[test]
fn styles() {
    let html = "<p></p><style>a</style><div style=b>1</div><p style=c>2</p>";
    let styles = only(|s| s.styles = true);
    check(&styles, html, "<p></p><div>1</div><p>2</p>");
    let of_div = only(|s| s.div_styles = true);
    check(
        &of_div,
        html,
        "<p></p><style>a</style><div>1</div><p style=\"c\">2</p>",
    );
}

#[test]
fn images_and_their_alt_texts() {
    let html = "<p>1<img src=a alt='x &amp; y'><img src=b>\
                <a href=c><img src=d alt=z></a><a href=e><img src=f>2</a></p>";
    let images = only(|s| s.images = true);
    check(
        &images,
        html,
        "<p>1<a href=\"c\"><img src=\"d\" alt=\"z\"></a><a href=\"e\"><img src=\"f\">2</a></p>",
    );
    let alt = only(|s| (s.images, s.image_alt) = (true, true));
    assert!(body(html, &alt).starts_with("<p>1 x &amp; y<a"));
    let links = only(|s| s.image_links = true);
    check(
        &links,
        html,
        "<p>1<img src=\"a\" alt=\"x &amp; y\"><img src=\"b\"><a href=\"e\">2</a></p>",
    );
    let alt = only(|s| (s.image_links, s.image_link_alt) = (true, true));
    assert!(body(html, &alt).ends_with("<a href=\"c\">z </a><a href=\"e\">2</a></p>"));
}

#[test]
fn an_alt_text_touches_no_word() {
    let alt = only(|s| (s.images, s.image_alt) = (true, true));
    let image = |alt: &str| format!("<img src=a alt='{alt}'>");
    let (x, y) = (image("x"), image("y"));
    check(&alt, &format!("<p>1{x}2</p>"), "<p>1 x 2</p>");
    check(&alt, &format!("<p>1 {x} 2</p>"), "<p>1 x 2</p>");
    check(&alt, &format!("<p>1</p>{x}<p>2</p>"), "<p>1</p> x<p>2</p>");
    check(&alt, &format!("{x}{y}<i>2</i>"), "x y <i>2</i>");
    let pictures = format!("<picture>{x}</picture><picture>{y}</picture>");
    check(&alt, &pictures, "x y");
}

#[test]
fn pictures_of_the_content_are_lost_as_published_and_kept_by_a_setting() {
    let html = "<img src=a width=400 height=300><img src=b width=400 height=20>\
                <figure><img src=c></figure>";
    let paper = only(|s| s.images = true);
    check(&paper, html, "<figure></figure>");
    let mended = only(|s| (s.images, s.keep_images_from) = (true, 100));
    check(
        &mended,
        html,
        "<img src=\"a\" width=\"400\" height=\"300\"><figure><img src=\"c\"></figure>",
    );
}

#[test]
fn text_links() {
    let links = only(|s| s.text_links = true);
    check(
        &links,
        "<p>1<a href=a>x</a><a name=b>y</a><a href=c><img src=d></a></p>",
        "<p>1<a name=\"b\">y</a><a href=\"c\"><img src=\"d\"></a></p>",
    );
}

#[test]
fn an_alt_text_that_becomes_a_text_link_goes_as_one() {
    let both = only(|s| (s.image_links, s.image_link_alt, s.text_links) = (true, true, true));
    check(&both, "<p>1<a href=a><img src=b alt=c></a></p>", "<p>1</p>");
}

#[test]
fn forms_and_their_parts() {
    let html = "<form><input><textarea>a</textarea><button>b</button>\
                <select><option>c</option></select>d</form>";
    let check = |set: fn(&mut FilterSettings), expected: &str| check(&only(set), html, expected);
    check(|s| s.forms = true, "");
    check(
        |s| s.inputs = true,
        "<form><button>b</button><select><option>c</option></select>d</form>",
    );
    check(
        |s| s.buttons = true,
        "<form><input><textarea>a</textarea><select><option>c</option></select>d</form>",
    );
    check(
        |s| s.selects = true,
        "<form><input><textarea>a</textarea><button>b</button>d</form>",
    );
}

#[test]
fn meta_but_for_the_charset() {
    let meta = only(|s| s.meta = true);
    let page = Page::from_html("<meta charset=latin1><meta name=a content=b><title>é</title>");
    let html = filter(&page, &meta).html().text;
    assert!(
        html.contains("<head><meta charset=\"utf-8\"><title>é"),
        "{html}"
    );
    assert!(!html.contains("name"), "{html}");
    let page = Page::from_html("<meta name=a content=b><title>é</title>");
    let html = filter(&page, &meta).html().text;
    assert!(
        html.contains("<head><meta charset=\"utf-8\"><title>é"),
        "{html}"
    );
}

#[test]
fn frames_and_plugins() {
    let html = "1<iframe src=a>b</iframe><object data=c>d</object><embed src=e>";
    check(
        &only(|s| s.frames = true),
        html,
        "1<object data=\"c\">d</object><embed src=\"e\">",
    );
    check(
        &only(|s| s.embeds = true),
        html,
        "1<iframe src=\"a\">b</iframe>",
    );
}

#[test]
fn widths_of_cells() {
    check(
        &only(|s| s.cell_widths = true),
        "<table width=9><tbody><tr><td width=8 class=a>1</td><th width=7>2</th></tr></tbody></table>",
        "<table width=\"9\"><tbody><tr><td class=\"a\">1</td><th>2</th></tr></tbody></table>",
    );
}
