//! Pages as browsers save them, with their address and date: MHTML and SingleFile.

use crate::cli::User;
use crate::cli::site::page;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// A page in MHTML, with a frame before it.
fn mhtml(n: usize) -> String {
    let quoted = page(n).replace('=', "=3D");
    format!(
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://small.example/{n}\r\n\
         Date: Tue, 3 Nov 2026 10:11:12 -0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\
         \ttype=\"text/html\";\r\n\tboundary=\"--b--\"\r\n\r\n----b--\r\nContent-Type: text/html\r\n\
         Content-Location: cid:frame@mhtml.blink\r\n\r\n<p>A frame is no article.\r\n----b--\r\n\
         Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: https://small.example/{n}\r\n\r\n{quoted}\r\n----b--\r\n\
         Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n----b----\r\n"
    )
}

/// A page as SingleFile saves it.
fn single_file(n: usize) -> String {
    let comment = format!(
        "<!--\n Page saved with SingleFile \n url: https://small.example/{n} \n saved date: \
         Tue Nov 03 2026 11:11:12 GMT+0100 (Central European Standard Time)\n-->"
    );
    format!("<!DOCTYPE html> <html>{comment}{}", page(n))
}

fn is_whole(record: &Value, n: usize) {
    assert_eq!(record["fetched_url"], format!("https://small.example/{n}"));
    assert_eq!(record["site"], "small.example");
    assert_eq!(record["date_fetched"], "2026-11-03T10:11:12Z");
    assert_eq!(record["status"], "ok", "{record}");
    let text = record["text"].as_str().expect("a text");
    assert!(!text.contains("frame") && !text.contains("=3D"), "{text}");
}

#[test]
fn saved_pages_are_learned_and_applied_as_those_of_the_web() {
    let user = User::new();
    for n in 0..4 {
        user.put(&format!("saved/{n}.mhtml"), mhtml(n));
    }
    user.put("saved/4.html", single_file(4));
    user.put("saved/5.MHT", mhtml(5));
    // The site's wrapper is found by the address alone.
    user.run(&["learn", "saved"]).ends(0, &[]);
    assert_eq!(user.names("sites"), ["small.example.yaml"]);
    let applied = user.run(&["apply", "saved"]);
    let records = applied.ends(0, &["6 pages: 6 ok"]).records();
    for (n, record) in records.iter().enumerate() {
        is_whole(record, n);
    }
    let applied = user.run(&["apply", "saved/0.mhtml"]);
    is_whole(&applied.ends(0, &[]).records()[0], 0);
    let text = user.run(&["text", "saved/0.mhtml"]);
    assert!(!text.ends(0, &[]).out.contains("MIME"), "{}", text.out);
}

#[test]
fn saved_pages_come_on_standard_input_and_a_broken_one_is_named() {
    let user = User::with_wrapper(4);
    for bytes in [mhtml(1), single_file(1)] {
        let mut command = user.command();
        let command = command.args(["apply", "-"]).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(bytes.as_bytes()).expect("read");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        is_whole(&record, 1);
    }
    let without_page = mhtml(1).replace("text/html\r\n", "text/css\r\n");
    user.put("broken.mhtml", without_page);
    let applied = user.run(&["apply", "broken.mhtml"]);
    applied.ends(1, &["no HTML page in this MHTML"]);
}

/// XHTML has empty elements of its own: as HTML the article would be the content of the script. Of
/// a file the name tells, of a page on the web its media type.
#[test]
fn a_file_is_xhtml_by_its_name() {
    let user = User::new();
    let article =
        "<p>The keeper walks to the lighthouse at six, as he has done for forty years.</p>"
            .repeat(9);
    let page = format!(
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>The keeper</title><script src='a.js'/>\
         </head><body><h1>The keeper</h1><div>{article}</div></body></html>"
    );
    let words = |name: &str| {
        let applied = user.run(&["apply", "--method", "onepage", name]);
        let text = applied.records()[0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        text.split_whitespace().count()
    };
    for name in ["keeper.xhtml", "keeper.XHTML", "keeper.html"] {
        user.put(name, &page);
    }
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(page.as_bytes()).expect("memory");
    user.put("packed.xhtml.gz", gzip.finish().expect("memory"));
    for name in ["keeper.xhtml", "keeper.XHTML", "packed.xhtml.gz"] {
        assert!(words(name) >= 9 * 14, "{name}");
    }
    // As a browser shows it.
    assert_eq!(words("keeper.html"), 0);
}
