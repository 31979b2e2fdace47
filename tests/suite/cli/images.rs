//! Pictures of articles: stored with them, exported, and served beside feeds.

use super::{Ran, User};
use crate::cli::live::{Server, serve};
use crate::story;
use forest_html::text::hex;
use serde_json::json;
use sha2::{Digest, Sha256};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n a harbour";
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

fn file(bytes: &[u8], extension: &str) -> String {
    format!("{}.{extension}", hex(&Sha256::digest(bytes)))
}

fn page(n: usize, more: &str) -> Vec<u8> {
    let story = story::paragraphs("", n).into_iter();
    let story: String = story.map(|line| format!("<p>{line}</p>")).collect();
    format!(
        "<html lang=en><title>Story {n}</title><link rel=stylesheet href=/main.css><h1>Story {n}</h1>\
         <article>{story}<figure><img src=/harbour.png alt=Harbour><figcaption>The harbour</figcaption></figure>\
         {more}</article>"
    )
    .into_bytes()
}

fn site() -> Server {
    serve(|base| {
        let item =
            |n| format!("<item><title>Story {n}</title><link>{base}/story/{n}</link></item>");
        let items: String = (1..=4).map(item).collect();
        let feed =
            format!("<rss version='2.0'><channel><title>Small</title>{items}</channel></rss>");
        vec![
            ("/feed.xml", "application/rss+xml", feed.into_bytes()),
            (
                "/story/1",
                "text/html",
                page(1, "<img src=/map.svg><img src=/gone.png>"),
            ),
            ("/story/2", "text/html", page(2, "<img src=/same.png>")),
            ("/story/3", "text/html", page(3, "")),
            ("/story/4", "text/html", page(4, "")),
            ("/harbour.png", "image/png", PNG.to_vec()),
            ("/same.png", "image/png", PNG.to_vec()),
            ("/map.svg", "image/svg+xml", SVG.to_vec()),
            ("/main.css", "text/css", b"p { margin: 0 }".to_vec()),
        ]
    })
}

const NET: [&str; 6] = [
    "--archive",
    "store",
    "--allow-private",
    "--delay",
    "0",
    "--quiet",
];

fn harvested(server: &Server, with: &str) -> (User, Ran) {
    let user = User::new();
    let feed = format!("{}/feed.xml", server.base);
    user.run(&[&["harvest", "add", &feed], &NET[..]].concat())
        .ends(0, &[]);
    let ran = user.run(&[&["harvest", "run", "--once", "--json", with], &NET[..]].concat());
    (user, ran)
}

fn export(user: &User, args: &[&str]) -> Ran {
    user.run(&[&["archive", "export", "--archive", "store"], args].concat())
}

#[test]
fn a_harvest_stores_pictures_and_exports_name_them() {
    let server = site();
    let (user, ran) = harvested(&server, "--with-images");
    let tally = &ran
        .ends(0, &["gone.png: the picture is not stored: status 404"])
        .records()[0];
    assert_eq!(
        (&tally["pictures"], &tally["pictures_failed"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(server.seen("/harbour.png", "accept").len(), 1);
    assert_eq!(server.seen("/main.css", "accept").len(), 0);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &[]);
    // Two addresses, the same bytes: one file.
    let html = [
        "--format",
        "html",
        "--images",
        "out/my pictures",
        "--out",
        "out/html/",
    ];
    export(&user, &html).ends(0, &["pictures written: 2"]);
    let (png, svg) = (file(PNG, "png"), file(SVG, "svg"));
    let mut names = vec![png.clone(), svg.clone()];
    names.sort();
    assert_eq!(user.names("out/my pictures"), names);
    let bytes = std::fs::read(user.path("out/my pictures").join(&png)).expect("written");
    assert_eq!(bytes, PNG);
    let of = |n: usize| {
        let names = user.names("out/html");
        let name = names
            .iter()
            .find(|name| name.ends_with(&format!("_{n}.html")));
        user.read(&format!("out/html/{}", name.expect("its file")))
    };
    let first = of(1);
    for src in [
        format!("src=\"../my%20pictures/{png}\""),
        format!("src=\"../my%20pictures/{svg}\""),
        format!("src=\"{}/gone.png\"", server.base),
    ] {
        assert!(first.contains(&src), "{src}: {first}");
    }
    // A picture of this kind can have scripts: it is in no page.
    assert!(
        !first.contains("alert") && !first.contains("<svg"),
        "{first}"
    );
    assert_eq!(of(2).matches(&png).count(), 2);
    // Existing files are not written again.
    export(&user, &html).ends(0, &["pictures written: 0"]);
    let markdown = export(&user, &["--format", "markdown", "--images", "pictures"]);
    let markdown = &markdown.ends(0, &[]).out;
    assert!(
        markdown.contains(&format!("![Harbour](pictures/{png})")),
        "{markdown}"
    );
    let lines = export(&user, &["--images", "pictures"]);
    for record in lines.ends(0, &[]).records() {
        let url = format!("{}/harbour.png", server.base);
        assert_eq!(record["images"][0]["url"], json!(url));
        assert_eq!(record["image_files"][&url], json!(png));
    }
    export(&user, &["--format", "parquet", "--images", "x"]).ends(2, &["--images"]);
    // Without --images pictures keep their own addresses.
    let own = export(&user, &["--format", "html"]);
    assert!(
        own.ends(0, &[])
            .out
            .contains(&format!("src=\"{}/harbour.png\"", server.base))
    );
}

#[test]
fn feeds_name_pictures_where_they_are_served() {
    let server = site();
    let (user, ran) = harvested(&server, "--with-requisites");
    ran.ends(0, &[]);
    assert_eq!(server.seen("/main.css", "accept").len(), 1);
    let host = server.base.trim_start_matches("http://");
    let feed = |more: &[&str]| {
        user.run(
            &[
                &["feed", host, "--archive", "store", "--format", "json"],
                more,
            ]
            .concat(),
        )
    };
    let served = feed(&["--image-base", "https://me.example/pictures"]);
    let served = &served.ends(0, &[]).out;
    let png = format!("https://me.example/pictures/{}", file(PNG, "png"));
    assert!(served.contains(&format!("src=\\\"{png}\\\"")), "{served}");
    assert!(
        !served.contains("/harbour.png") && served.contains("/gone.png"),
        "{served}"
    );
    let own = feed(&[]);
    assert!(own.ends(0, &[]).out.contains("/harbour.png"));
    feed(&["--image-base", "pictures"]).ends(2, &["--image-base"]);
}

#[test]
fn apply_stores_pictures_too() {
    let server = site();
    let user = User::new();
    let page = format!("{}/story/1", server.base);
    let feed = format!("{}/feed.xml", server.base);
    user.run(&[
        "learn",
        &feed,
        "--allow-private",
        "--delay",
        "0",
        "--no-cache",
    ])
    .ends(0, &[]);
    let apply = |more: &[&str]| {
        let args = [
            "apply",
            &page,
            "--allow-private",
            "--delay",
            "0",
            "--no-cache",
        ];
        user.run(&[&args, more].concat())
    };
    apply(&["--with-images"]).ends(2, &["--archive"]);
    apply(&["--archive", "store", "--with-images"]).ends(
        0,
        &["stored: 2 pictures (1 failed)", "gone.png", "status 404"],
    );
    export(&user, &["--images", "pictures"]).ends(0, &["pictures written: 2"]);
    apply(&["--archive", "store", "--with-images"]).ends(0, &["stored: 0 pictures"]);
    assert_eq!(server.seen("/harbour.png", "accept").len(), 1);
    // Larger pictures are left out, and those above the maximum number.
    let small = [
        "--with-images",
        "--max-image-bytes",
        "10",
        "--max-images",
        "1",
    ];
    apply(&[&["--archive", "other"], &small[..]].concat())
        .ends(0, &["stored: 0 pictures (1 failed)"]);
}
