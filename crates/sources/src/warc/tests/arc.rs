//! ARC, the format before WARC.

use super::*;

/// The record that an ARC file begins with.
fn begin(version: &str) -> String {
    let text =
        format!("{version} Courier\nURL IP-address Archive-date Content-type Archive-length\n");
    format!(
        "filedesc://a.arc 0.0.0.0 20240205093000 text/plain {}\n{text}\n",
        text.len()
    )
}

fn arc(url: &str, kind: &str, block: &str) -> String {
    format!(
        "{url} 192.0.2.7 20240205093000 {kind} {}\n{block}\n",
        block.len()
    )
}

/// Without the line that ends a record.
fn bare(mut record: String) -> String {
    assert_eq!(record.pop(), Some('\n'));
    record
}

fn arc_page(url: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    arc(url, "text/html", &block)
}

/// A file with pages of these names.
pub(super) fn file(names: &[&str]) -> Vec<u8> {
    let pages = names
        .iter()
        .map(|name| arc_page(&format!("http://{name}.example/")));
    let records = std::iter::once(begin("1 1")).chain(pages);
    records.collect::<String>().into_bytes()
}

/// The records give these lines, whether they are packed or not.
#[track_caller]
fn check_arc(records: &[String], expected: &str) {
    let all = records.concat();
    let members: Vec<Vec<u8>> = records.iter().map(|r| gzip(r.as_bytes())).collect();
    assert_eq!(read(all.as_bytes()), expected, "plain");
    assert_eq!(read(&gzip(all.as_bytes())), expected, "one member");
    assert_eq!(read(&members.concat()), expected, "members");
}

const A: &str = "http://a.example/ Some(200) 38 <!DOCTYPE";
const C: &str = "http://c.example/ Some(200) 38 <!DOCTYPE";

#[test]
fn versions_of_arc() {
    let two = format!("{A}\n{C}");
    for version in ["1 0", "1 1", "2 0"] {
        let records = [
            begin(version),
            arc_page("http://a.example/"),
            arc_page("http://c.example/"),
        ];
        check_arc(&records, &two);
    }
    // Blank lines before the first record, and none between the records.
    let records = [
        format!("\n\n{}", bare(begin("1 1"))),
        format!("\n{}", bare(arc_page("http://a.example/"))),
        format!("\n{}", arc_page("http://c.example/")),
    ];
    check_arc(&records, &two);
    // Ten fields, of version 2.
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    let long = format!(
        "http://a.example/ 192.0.2.7 20240205093000 text/html 200 - - 4711 a.arc {}\n{block}\n",
        block.len()
    );
    check_arc(&[begin("2 0"), long], A);
}

#[test]
fn fields_of_an_arc_record() {
    let bytes = [
        begin("1 0"),
        arc_page("http://a.example/a page of news.html"),
    ]
    .concat();
    let pages: Vec<_> = WarcReader::new(bytes.as_bytes()).expect("an ARC").collect();
    let [Ok(page)] = &pages[..] else {
        panic!("{pages:?}")
    };
    assert_eq!(page.url, "http://a.example/a page of news.html");
    let date = page.date.map(|date| date.to_rfc3339());
    assert_eq!(date.as_deref(), Some("2024-02-05T09:30:00+00:00"));
    assert_eq!(page.content_type.as_deref(), Some("text/html"));
    assert_eq!(page.payload, PAGE.as_bytes());
}

#[test]
fn arc_records_that_are_no_pages() {
    let records = [
        begin("1 1"),
        arc(
            "dns:a.example",
            "text/dns",
            "20240205093000\na.example. 300 IN A 192.0.2.7\n",
        ),
        arc(
            "http://a.example/i.png",
            "image/png",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx",
        ),
        arc_page("http://a.example/"),
    ];
    check_arc(&records, A);
}

#[test]
fn faults_of_an_arc() {
    let with = |more: i64| {
        let whole = arc_page("http://b.example/");
        let length = whole.split_once('\n').expect("a line").1.len() as i64 - 1;
        let stated = format!("text/html {}\n", length + more);
        (
            whole.replacen(&format!("text/html {length}\n"), &stated, 1),
            length,
        )
    };
    for more in [-20, 15, 3_000] {
        let (faulty, length) = with(more);
        let records = [
            begin("1 0"),
            arc_page("http://a.example/"),
            faulty,
            arc_page("http://c.example/"),
        ];
        let warning = format!(
            "record 3 states a length of {} bytes and has {length} bytes, which were read",
            length + more
        );
        let b = "http://b.example/ Some(200) 38 <!DOCTYPE";
        check_arc(&records, &format!("{A}\n{b}\n{warning}\n{C}"));
    }
}

#[test]
fn an_arc_is_known_by_its_first_line() {
    for other in [
        "filedesc:",
        "filedesc://a.arc and more",
        "http://a.example/ is a page",
        "http://a.example/\nhttp://b.example/\n",
    ] {
        assert!(WarcReader::new(other.as_bytes()).is_err(), "{other}");
    }
    // A part of a file, as it is asked for by its place.
    let part = arc_page("http://a.example/");
    check_arc(&[part], A);
}

#[test]
fn any_byte_of_an_arc_record_may_be_wrong() {
    let name = |name: &str| arc_page(&format!("http://{name}.example/")).into_bytes();
    let first = [begin("1 1").into_bytes(), name("a")].concat();
    for (first, middle, last) in [
        (first.clone(), name("middle"), name("c")),
        (gzip(&first), gzip(&name("middle")), gzip(&name("c"))),
    ] {
        for at in 0..middle.len() - 1 {
            let mut other = middle.clone();
            other[at] ^= 0xFF;
            faults::check_neighbours(&[&first[..], &other, &last].concat(), &at.to_string());
        }
    }
}
