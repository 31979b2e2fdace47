//! Articles from parts of pages are those of the whole pages.

use forest::extract::{ArticleRoad, Extractor, Options, SliceRefusal, differences};
use forest::gold::Collection;
use forest::learn::{LearnOptions, LearnOutcome, SamplePage, learn};
use forest::page::{MAX_PAGE_BYTES, Page, Source};
use forest::wrapper::Wrapper;

const TEMPLATE: &str = "- body: [\"//div[@id='story']\"]\n  strip: [\"//p[normalize-space()='Advertisement']\"]\n  \
    title: [//h1]\n  tags: [\"//ul[@class='tags']//a\"]\n  images: [\"//*[@class='lead']\"]\n  pages: 10\n  \
    evidence: {method: forest, signifiers: onepage, expected_f1: 0.97}\nexpect: {words: [100, 900], link_quota: [0, 0.1]}\n";

fn extractor(manners: &str) -> Extractor {
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{TEMPLATE}{manners}");
    Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper).expect("compiles")
}

fn options() -> Options {
    Options::default().with_html(true).with_markdown(true)
}

/// A page with `before` and `behind` around the part with its article, and `inside` in that.
fn page(before: &str, inside: &str, behind: &str) -> String {
    let sentences: String = (0..12)
        .map(|n| {
            format!(
                "<p>Nobody had told the baker of house {n}, who waited at the pier for an hour with <b>all</b> of his \
                 bread, when the ferry came.</p><p>Advertisement</p>"
            )
        })
        .collect();
    let links: String = (0..30)
        .map(|n| format!("<li><a href=/story/{n}><span>Other news {n}</span></a><script>a<b; '</div>'</script>"))
        .collect();
    format!(
        "<!doctype html><html lang=en><head><title>The ferry - Gazette</title><script type=application/ld+json>\
         {{\"@type\":\"NewsArticle\",\"author\":{{\"name\":\"A. Writer\"}},\"datePublished\":\"2024-05-06\"}}</script>\
         <style>p>i{{}}</style></head><body class=single><nav><ul>{links}</ul></nav>{before}<main><h1>The ferry</h1>\
         <div class=lead><img src=/l.jpg></div><div id=story>{sentences}{inside}<figure><img src=/p.jpg><figcaption>Pier\
         </figcaption></figure></div><ul class=tags><li><a href=/t>Sea</a></ul></main>{behind}<aside><h2>More</h2>\
         <ul>{links}</ul></aside></body></html>"
    )
}

/// The page without author and date in its head: they may be those of bylines.
fn without_names(html: &str) -> String {
    html.replace("\"author\"", "\"other\"")
        .replace("\"datePublished\"", "\"other\"")
}

/// The page's article from a part of it is that of the whole page; true if it was not refused.
#[track_caller]
fn check(extractor: &Extractor, html: &[u8], url: &str) -> bool {
    let source = Source {
        url: Some(url),
        content_type: None,
    };
    let Ok(article) = extractor.sliced(html, source, MAX_PAGE_BYTES, &options()) else {
        return false;
    };
    let whole = extractor.extract(&extractor.parse(html, source), &options());
    let none: [&str; 0] = [];
    assert_eq!(
        differences(&article, &whole),
        none,
        "{}",
        String::from_utf8_lossy(html)
    );
    true
}

const URL: &str = "https://a.example/news/2024/the-ferry";

#[test]
fn an_article_of_a_part_is_that_of_the_page() {
    let extractor = extractor("");
    assert!(check(&extractor, page("", "", "").as_bytes(), URL));
}

#[test]
fn hostile_shapes_are_refused_or_equal() {
    let shapes = [
        "<div>unclosed",
        "</div></main>",
        "<p>a<p>b</div>",
        "<b>bold <div>in <i>both</b> of</i></div>",
        "<p><strong>leaks</p><p>on</p>",
        "<a href=/x>one<div><a href=/y>two</a></div></a>",
        "<!-- <div id=story> --><div>c</div>",
        "<!--><div>d</div>-->",
        "<script>'<div id=story>'</script>",
        "<script><!-- <script> </script> --></script>",
        "<template><div id=story>e</div></template>",
        "<svg><title>f</title><path d=''/></svg>",
        "<svg><div>breaks out</div></svg>",
        "<svg><![CDATA[<div id=story>]]></svg>",
        "<svg><title>f</title><image href=/i.png /><script>a<b>c</script><g><path></g></svg>",
        "<nobr>f<nobr>g</nobr>h</nobr>",
        "<nobr>f<div>g<nobr>h</div>i</nobr>",
        "<p><nobr>f</p><nobr>g</nobr>",
        "<math><mi>x</mi></math>",
        "<table><tr><td><div>g<tr><td>h</table>",
        "<table>text<div>fostered</div><tr><td><b>i</table>j",
        "<table><form><tr><td><input></form></table>",
        "<form><div></form>k</div>",
        "<select><option>l<option>m</select>",
        "<select><div>n</div></select>",
        "<button>o<button>p</button>",
        "<ul><li>q<li>r<ul><li>s</ul></ul>",
        "<dl><dt>t<dd>u<div><dt>v</div></dl>",
        "<h2>w<h3>x</h3></h2>",
        "<div id=story>another</div>",
        "<p id=story>other tag</p>",
        "<textarea></div></textarea>",
        "<noscript><div></noscript>",
        "<iframe></div></iframe>",
        "<body class=more><html lang=de>",
        "</body><div>behind</div>",
        "<object><b></object>y</b>",
        "<div title='>'>z</div><div title=it's>a</div>",
        "<div/><br/></p></br>",
        "<ruby>b<rt>c<rt>d</ruby>",
        "<plaintext>",
        "<frameset>",
        "<div",
        "<!--",
        "<script>",
        "<p>e<table><tr><td>f</table>",
        "<time datetime=2020-01-01>g</time><div itemprop=datePublished content=2021-01-01></div>",
        "<a href=/news/>News</a><a rel=tag href=/u>Tag</a><h3>The ferry</h3>",
        "<p class=byline>By B. Other</p>",
        "<p>By B. Other</p>",
        "<div><span>Note</span> by B. Other</div>",
        "<div><p><b>By</b> <span>B. Other</span></p></div>",
        "<div>&nbsp;<b>Posted</b> by <a href=/x>B. Other</a></div>",
        "<div><script>var text = 'a script that is cut, as it is long';</script>By B. Other</div>",
        "<div class=author><span>B. Other</span> <span>C. Third</span></div>",
        "<a href=/author/b-other><span>B. Other, who is named in a span</span></a>",
        "<div class=author>B. Other has written <span>a long text about the sea, the ferry, the pier, the baker and          all of his bread</span>, which is no byline, and <span>many others</span></div>",
        "<b class=author>B. Other<p>in</p></b>",
        "<p><b class=author>B. Other</p><p>C. Third</p>",
        "<table>By B. Other<tr><td>cell</table>",
        "<table><tr><td>By <td>B. Other</table>",
        "<textarea class=author>B. Other</textarea>",
        "<i rel=author itemprop='x author'><span>B. Other</span></i>",
        "<p class=entry-date><span>May 5, 2024</span></p>",
        "<section class=comments><p class=author>B. Other</p></section>",
        "<!--forest:cut--><p>a</p>",
        "<section><i iTemProp=dateModified content=2022-01-01></i></section>",
        "<p><a rel=author href=/1>B. Other</a></p><div><i>1</i><i>2</i></div><p><a rel=author href=/2>C. Third</a></p>",
        "<a rel=author href=/1>B. Other</a>, <img src=/a> <a rel=author href=/2>C. Third</a>",
        "<a rel=author href=/1>B. Other</a><img src=/a> <br><hr><br> <a rel=author href=/2>C. Third</a>",
        "<!--forest:cut 3--><p>a</p>",
        "<p>a<br>b<img src=/i.jpg>c<hr>d</p>",
        "<p><b>a</p><img src=/i.jpg><span>b</span><div>c</div></b>",
        "<p><b>a</p><script>1</script><meta itemprop=x content=y><div>c</div></b>",
        "a<nav>b</nav>c <nav>d</nav> <nav>e</nav> f",
        "<table><tr><script>1</script><td>a<img></table>",
        "<ul><li>a<nav>b</nav><li>c</ul>",
        "<link rel=canonical href=/other><link rel='next canonical' href=/o>",
        "<meta property=og:title content=Other><title>Other</title>",
        "</body></html><nav>a</nav>text<nav>b</nav>",
    ];
    let mut fast = 0;
    for shape in shapes {
        for html in [
            page(shape, "", ""),
            page("", shape, ""),
            page("", "", shape),
        ] {
            let doctype = |public: &str| {
                let doctype = format!("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD {public}//EN\">");
                html.replace("<!doctype html>", &doctype)
            };
            for html in [
                without_names(&html),
                doctype("HTML 4.01 Transitional"),
                doctype("HTML 3.2 Final"),
                html.replace("<!doctype html>", "<b>"),
                html.replace("<body class=single>", ""),
                html.replace("<!doctype html>", ""),
                without_names(&html).replace('>', ">\r\n"),
                html,
            ] {
                // A new one, of whose site no page has asked for bylines.
                fast += usize::from(check(&extractor(""), html.as_bytes(), URL));
            }
        }
    }
    assert!(fast > 1500, "{fast}");
}

/// An extractor with `fields` in its template, in the place of the title.
fn with_fields(fields: &str) -> Extractor {
    let template = TEMPLATE.replace("  title: [//h1]\n", fields);
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{template}");
    Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper).expect("compiles")
}

#[test]
fn siblings_and_places_that_are_asked_for_are_those_of_the_page() {
    let html = page("<h5>One</h5><div>a</div><h5>Two</h5>", "", "");
    for title in [
        "//nav/following-sibling::h5[2]",
        "//div[2]/preceding-sibling::h5",
        "//h5[last()]",
        "//h5[position()>1]",
        "(//h5)[2]",
        "//body/*[3]",
    ] {
        let extractor = with_fields(&format!("  title: [\"{title}\"]\n"));
        let is_fast = check(&extractor, html.as_bytes(), URL);
        // What is before another is not told by names and attributes.
        assert_eq!(is_fast, !title.contains("preceding"), "{title}");
    }
    // All that is behind the element is stripped, the text with it.
    let html = page("<i id=end></i>", "", "");
    let strip = "  strip: [\"//i[@id='end']/following-sibling::node()\"]\n";
    let template = TEMPLATE.replace(
        "  strip: [\"//p[normalize-space()='Advertisement']\"]\n",
        strip,
    );
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{template}");
    let stripped = Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper);
    assert!(!check(&stripped.expect("compiles"), html.as_bytes(), URL));
}

#[test]
fn names_without_their_digits_and_ancestors_are_asked_for() {
    let title =
        "//section[contains(translate(@id,'0123456789',''),'top-')]//b[starts-with(@class,'t')]";
    let extractor = with_fields(&format!("  title: [\"{title}\"]\n"));
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    for before in [
        "<section id=t4op-17><b class=title>Right</b></section><b class=title>Wrong</b>",
        "<section id=top-1><p><b class=title>Right</b></p></section>",
    ] {
        let html = page(before, "", "");
        assert!(check(&extractor, html.as_bytes(), URL));
        let read = extractor.sliced(html.as_bytes(), source, MAX_PAGE_BYTES, &options());
        let title = read.expect("a slice").title;
        assert_eq!(title.as_deref(), Some("Right"), "{before}");
    }
}

#[test]
fn pairs_of_hostile_shapes_are_refused_or_equal() {
    let parts = [
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<a href=/b>",
        "</a>",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "<li>",
        "<ul>",
        "</ul>",
        "<nobr>",
        "</nobr>",
        "<form>",
        "</form>",
        "<h2>",
        "</h2>",
        "<select>",
        "<option>",
        "<button>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<span>",
        "</span>",
        "x",
    ];
    for (i, first) in parts.into_iter().enumerate() {
        for (j, second) in parts.into_iter().enumerate() {
            let (before, behind) = (
                format!("<div>{first}{second}x</div>y"),
                format!("{second}<div>z{first}</div>"),
            );
            // One half with bylines that are asked for.
            let html = page(&before, "", &behind);
            let html = if (i + j) % 2 == 0 {
                without_names(&html)
            } else {
                html
            };
            check(&extractor(""), html.as_bytes(), URL);
        }
    }
}

#[test]
fn what_is_wanted_and_leaks_into_others_is_refused() {
    let template = TEMPLATE.replace("  tags: [\"//ul[@class='tags']//a\"]\n", "");
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{template}");
    let extractor =
        Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper).expect("compiles");
    // The tree has the link a second time, around the text of the `div`.
    let leaking = "<section><p><a rel=tag href=/s>Sea</p><div>Salt and more</div></a></section>";
    let closed = leaking.replace("Sea</p>", "Sea</a></p>");
    assert!(check(&extractor, page(&closed, "", "").as_bytes(), URL));
    assert!(!check(&extractor, page(leaking, "", "").as_bytes(), URL));
    // One link ends the other; what is cut of the first ends before the tag of the second.
    let nested = "<section><a href=/x>one<a rel=tag href=/s>Sea</a></section>";
    assert!(check(&extractor, page(nested, "", "").as_bytes(), URL));
}

#[test]
fn only_a_fast_wrapper_takes_the_road() {
    let html = page("", "", "");
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    let road = |manners: &str, options: &Options| {
        let read = extractor(manners).read(html.as_bytes(), source, MAX_PAGE_BYTES, options);
        read.1
    };
    let whole = ArticleRoad::Whole(SliceRefusal::NotFast);
    assert_eq!(road("fast: true\n", &options()), ArticleRoad::Slice);
    assert_eq!(
        road("fast: true\n", &options().with_whole_pages(true)),
        whole
    );
    assert_eq!(road("", &options()), whole);
    // Of the texts of other methods nothing says how sure they are.
    let other = TEMPLATE
        .replace("method: forest", "method: paper")
        .replace("expected_f1", "relevance");
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{other}fast: true\n");
    let other = Extractor::new(Wrapper::from_yaml(&yaml).expect("yaml").wrapper).expect("compiles");
    let read = other.read(html.as_bytes(), source, MAX_PAGE_BYTES, &options());
    assert_eq!(read.1, ArticleRoad::Whole(SliceRefusal::Doubt));
}

#[test]
fn an_article_with_other_pages_is_read_whole() {
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    let road = |html: &str, manners: &str| {
        let extractor = extractor(&format!("{manners}\nfast: true\n"));
        let read = extractor.read(html.as_bytes(), source, MAX_PAGE_BYTES, &options());
        read.1
    };
    let plain = page("", "", "");
    let links = "<nav class=pages>1 <a href=/story/1/2>2</a></nav>";
    let paged = page("", "", links);
    for manners in [
        "next_page: \"//nav[@class='pages']/a/@href\"",
        "single_page: \"//nav[@class='pages']/a\"",
    ] {
        assert_eq!(road(&plain, manners), ArticleRoad::Slice, "{manners}");
        let whole = ArticleRoad::Whole(SliceRefusal::Paged);
        assert_eq!(road(&paged, manners), whole, "{manners}");
    }
    assert_eq!(road(&paged, ""), ArticleRoad::Slice);
}

#[test]
fn block_scores_are_asked_only_where_the_sample_is_not_enough() {
    let html = page("", "", "");
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    let whole = |template: &str| {
        let yaml = format!("format: 1\nsite: a.example\ntemplates:\n{template}");
        let wrapper = Wrapper::from_yaml(&yaml).expect("yaml").wrapper;
        let extractor = Extractor::new(wrapper).expect("compiles");
        let article = extractor.extract(
            &extractor.parse(html.as_bytes(), source),
            &Options::default(),
        );
        article.confidence.expect("judged")
    };
    let sure = whole(TEMPLATE);
    let scores =
        whole(&TEMPLATE.replace("expect: {words: [100, 900], link_quota: [0, 0.1]}\n", ""));
    let doubtful = whole(
        &TEMPLATE
            .replace("0.97", "0.51")
            .replace("pages: 10", "pages: 1"),
    );
    assert_eq!(doubtful, scores);
    assert_ne!(sure, scores);
    let slice = extractor("").sliced(html.as_bytes(), source, MAX_PAGE_BYTES, &Options::default());
    let sliced = slice.expect("a slice").confidence.expect("judged");
    assert!((sliced - sure).abs() < 0.01, "{sliced} {sure}");
}

#[test]
fn a_wall_is_read_whole() {
    let extractor = extractor("");
    let refusal = |html: &str| {
        let source = Source {
            url: Some(URL),
            content_type: None,
        };
        let read = extractor.sliced(html.as_bytes(), source, MAX_PAGE_BYTES, &options());
        read.expect_err("refused")
    };
    let wall = "<!doctype html><meta name=author content='A. Writer'><body><h1>Log in</h1><div id=story><p>Log in to \
                read.</div><time datetime=2024-05-06></time>";
    assert_eq!(refusal(wall), SliceRefusal::Wall);
}

#[test]
fn bylines_are_found_in_a_part_of_the_page() {
    let extractor = extractor("");
    let line = "<p>Posted by B. Other on May 5, 2024</p>";
    let html = without_names(&page(line, "", ""));
    assert!(check(&extractor, html.as_bytes(), URL));
    let source = Source {
        url: Some(URL),
        content_type: None,
    };
    let article = extractor.sliced(html.as_bytes(), source, MAX_PAGE_BYTES, &options());
    assert_eq!(article.expect("a slice").authors, ["B. Other"]);
}

#[test]
fn learned_wrappers_are_fast_only_where_both_roads_agree() {
    let collection = Collection::open(concat!(env!("CARGO_MANIFEST_DIR"), "/gold")).expect("gold");
    let mut taken = 0;
    for site in collection.sites() {
        let pages: Vec<_> = collection
            .pages_of(site)
            .iter()
            .map(|page| (page, page.read().expect("a page")))
            .collect();
        let sample: Vec<SamplePage> = pages
            .iter()
            .take(5)
            .map(|(page, bytes)| {
                let source = Source {
                    url: page.url.as_deref(),
                    content_type: None,
                };
                SamplePage::new(Page::parse(bytes, source), &*page.id)
                    .with_source(bytes.clone(), None)
            })
            .collect();
        let LearnOutcome::Learned(learned) =
            learn(&sample, &LearnOptions::default().with_site(&site.name))
        else {
            continue;
        };
        let yaml = learned.wrapper.to_yaml();
        assert_eq!(yaml.contains("\nfast: true\n"), learned.wrapper.fast);
        let extractor = Extractor::new(learned.wrapper).expect("compiles");
        for (page, bytes) in &pages {
            taken += usize::from(check(
                &extractor,
                bytes,
                page.url.as_deref().unwrap_or_default(),
            ));
        }
    }
    assert!(taken > 0);
}
