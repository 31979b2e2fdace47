//! One record is at fault, and the others are read.

use super::*;
use std::time::Instant;

/// A page's record that states this length, or none.
fn stating(url: &str, length: Option<i64>) -> Vec<u8> {
    let text = String::from_utf8(page(url)).expect("text");
    let (head, block) = text.split_once("\r\n\r\n").expect("a head");
    let (head, _) = head.rsplit_once("\r\n").expect("a length");
    let length = length.map(|more| {
        let length = block.len() as i64 - 4 + more;
        format!("\r\nContent-Length: {length}")
    });
    format!("{head}{}\r\n\r\n{block}", length.unwrap_or_default()).into_bytes()
}

fn good(name: &str) -> String {
    format!("http://{name}.example/ Some(200) 38 <!DOCTYPE")
}

/// Pages a and c are read, however the records are packed, and between them stands this.
#[track_caller]
fn check_between(faulty: &[u8], between: &str) {
    let (a, c) = (page("http://a.example/"), page("http://c.example/"));
    let expected = format!("{}\n{}", good("a"), good("c"));
    let after = if between.is_empty() { "" } else { "\n" };
    let expected = expected.replace('\n', &format!("\n{between}{after}"));
    let members = [gzip(&a), gzip(faulty), gzip(&c)].concat();
    let plain = [a, faulty.to_vec(), c].concat();
    assert_eq!(read(&plain), expected, "plain");
    assert_eq!(read(&members), expected, "members");
    assert_eq!(read(&gzip(&plain)), expected, "one member");
}

/// The block of a page's record: its head of 59 bytes, and the page.
const BLOCK: i64 = 97;

#[test]
fn a_length_that_is_too_short() {
    for short in [1, 2, 20, 38, 60, BLOCK] {
        let stated = BLOCK - short;
        let warning = format!(
            "record 2 states a length of {stated} bytes and has {BLOCK} bytes, which were read"
        );
        check_between(
            &stating("http://b.example/", Some(-short)),
            &format!("{}\n{warning}", good("b")),
        );
    }
}

#[test]
fn a_length_that_is_too_long() {
    for long in [5, 40, 200, 100_000, 1 << 40] {
        let stated = BLOCK + long;
        let warning = format!(
            "record 2 states a length of {stated} bytes and has {BLOCK} bytes, which were read"
        );
        check_between(
            &stating("http://b.example/", Some(long)),
            &format!("{}\n{warning}", good("b")),
        );
    }
}

/// Many lengths that reach behind the end of the file: from some on none is believed.
#[test]
fn many_false_lengths_end_nothing() {
    let records: Vec<Vec<u8>> = (0..100)
        .map(|n| stating(&format!("http://b{n}.example/"), Some(1_000_000_000)))
        .collect();
    let found = read(&records.concat());
    for n in 0..100 {
        let page = good(&format!("b{n}"));
        assert_eq!(found.matches(&page).count(), 1, "{n}");
    }
    assert!(!found.contains("cut off"), "{found}");
}

/// The bytes behind a false length are kept up to a bound: what may be lost is no small fault.
#[test]
fn records_that_a_long_false_length_swallows_are_said_to_be_left_out() {
    let filler = page("http://f.example/");
    let more = 30 << 20;
    let mut file = stating("http://b.example/", Some(more));
    while file.len() < 40 << 20 {
        file.extend_from_slice(&filler);
    }
    let reader = WarcReader::new(file.as_slice()).expect("a WARC");
    let errors: Vec<_> = reader.filter_map(std::result::Result::err).collect();
    let [swallowed] = &errors[..] else {
        panic!("{errors:?}")
    };
    assert!(!swallowed.is_mended(), "{swallowed}");
    let said = swallowed.to_string();
    assert!(
        said.starts_with("record 1 states a false length of"),
        "{said}"
    );
}

#[test]
fn no_length() {
    let warning = format!(
        "record 2 states no length that can be read and has {BLOCK} bytes, which were read"
    );
    let expected = format!("{}\n{warning}", good("b"));
    check_between(&stating("http://b.example/", None), &expected);
    for odd in ["", "x", "-1", "1e3", "99999999999999999999999"] {
        let record = String::from_utf8(stating("http://b.example/", None)).expect("text");
        let record = record.replacen("\r\n\r\n", &format!("\r\nContent-Length: {odd}\r\n\r\n"), 1);
        check_between(record.as_bytes(), &expected);
    }
}

#[test]
fn the_length_of_a_record_that_is_passed_over() {
    let request = |length: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: http://b.example/\r\n\
             {length}\r\nGET / HTTP/1.1\r\nHost: b.example\r\n\r\n\r\n\r\n"
        )
    };
    for (length, says) in [
        (
            "Content-Length: 10\r\n",
            "a length of 10 bytes and has 35 bytes,",
        ),
        (
            "Content-Length: 70\r\n",
            "a length of 70 bytes and has 35 bytes,",
        ),
        ("", "no length that can be read and has 35 bytes,"),
    ] {
        let warning = format!("record 2 states {says} which were read");
        check_between(request(length).as_bytes(), &warning);
    }
    check_between(request("Content-Length: 35\r\n").as_bytes(), "");
}

#[test]
fn a_line_without_a_colon() {
    let record = String::from_utf8(page("http://b.example/")).expect("text");
    for odd in ["Software wget", "=====", "<html>"] {
        let record = record.replacen("WARC-Date", &format!("{odd}\r\nWARC-Date"), 1);
        let warning = "record 2 has a line in its header that is no field, passed over";
        let expected = format!("{}\n{warning}", good("b"));
        check_between(record.as_bytes(), &expected);
    }
}

#[test]
fn other_versions() {
    for version in ["WARC/0.17", "WARC/0.18", "WARC/1.1", "WARC/2.0"] {
        let record = String::from_utf8(page("http://b.example/")).expect("text");
        let record = record.replacen("WARC/1.0", version, 1);
        check_between(record.as_bytes(), &good("b"));
    }
}

/// The beginning of the record between the others, in bytes, if nothing is packed.
fn second() -> usize {
    page("http://a.example/").len()
}

#[test]
fn bytes_that_are_no_record() {
    let (a, c) = (page("http://a.example/"), page("http://c.example/"));
    let garbage = b"<p>No record at all\r\nWARC/ is a format\r\n\r\nWARC/1.0 too\r\n\r\n";
    let warning = |byte: usize| {
        format!(
            "record 2, at byte {byte} of the unpacked file, has no header of an archive, left out; \
             the file is read on at the next record"
        )
    };
    let expected = |byte| format!("{}\n{}\n{}", good("a"), warning(byte), good("c"));
    let members = [gzip(&a), gzip(garbage), gzip(&c)].concat();
    check(&members, &expected(a.len()));
    // What follows a record without a border is its own.
    let read = read(&[&a[..], garbage, &c].concat());
    assert!(read.starts_with("http://a.example/ Some(200) "), "{read}");
    assert!(read.ends_with(&good("c")), "{read}");
}

#[test]
fn a_header_that_is_too_long() {
    let long = format!("WARC/1.0\r\nWARC-Type: {}\r\n\r\n", "x".repeat(100_000));
    let (a, c) = (page("http://a.example/"), page("http://c.example/"));
    let plain = [&a[..], long.as_bytes(), &c].concat();
    let read = read(&plain);
    let lines: Vec<&str> = read.lines().collect();
    assert_eq!(lines.len(), 3, "{read}");
    assert_eq!((lines[0], lines[2]), (&*good("a"), &*good("c")));
    let byte = second();
    assert!(
        lines[1].starts_with(&format!(
            "record 2, at byte {byte} of the unpacked file, has no header"
        )),
        "{read}"
    );
}

/// Reads members of which the second one is replaced: both others are pages, one record is
/// said to be damaged.
#[track_caller]
fn check_damaged(second: &[u8]) {
    let first = gzip(&page("http://a.example/"));
    let last = gzip(&page("http://c.example/"));
    let read = read(&[&first[..], second, &last].concat());
    let lines: Vec<&str> = read.lines().collect();
    assert_eq!(lines.len(), 3, "{read}");
    assert_eq!((lines[0], lines[2]), (&*good("a"), &*good("c")));
    let at = format!("record 2 at byte {} is damaged (", first.len());
    assert!(lines[1].starts_with(&at), "{read}");
    assert!(lines[1].ends_with("read on at the next record"), "{read}");
}

#[test]
fn a_damaged_member() {
    let whole = gzip(&page("http://b.example/"));
    let with = |at: usize, xor: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= xor;
        bytes
    };
    // In the middle, in the sum at its end, and in the head.
    check_damaged(&with(whole.len() / 2, 0xFF));
    check_damaged(&with(whole.len() - 6, 0xFF));
    check_damaged(&with(3, 0xE0));
    check_damaged(&with(0, 0xFF));
    check_damaged(&[0xA5; 3000]);
    let zeroed = [&whole[..40], &[0; 60], &whole[100..]].concat();
    check_damaged(&zeroed);
}

#[test]
fn a_member_that_a_killed_crawler_left() {
    let whole = gzip(&page("http://b.example/"));
    for cut in [12, 40, whole.len() / 2, whole.len() - 20] {
        check_damaged(&whole[..cut]);
    }
}

#[test]
fn zeros_and_empty_members_are_passed_over() {
    let (a, c) = (page("http://a.example/"), page("http://c.example/"));
    let zeros = vec![0; 5000];
    let both = format!("{}\n{}", good("a"), good("c"));
    check(&[gzip(&a), zeros.clone(), gzip(&c), zeros].concat(), &both);
    let empty = gzip(b"").repeat(20_000);
    check(
        &[&empty[..], &gzip(&a), &empty, &gzip(&c), &empty].concat(),
        &both,
    );
}

#[test]
fn the_first_record_may_be_the_faulty_one() {
    let c = page("http://c.example/");
    let first = stating("http://b.example/", Some(-30));
    let warning = format!(
        "record 1 states a length of {} bytes and has {BLOCK} bytes, which were read",
        BLOCK - 30
    );
    let expected = format!("{}\n{warning}\n{}", good("b"), good("c"));
    check(&[&first[..], &c].concat(), &expected);
    check(&[gzip(&first), gzip(&c)].concat(), &expected);
    let mut damaged = gzip(&page("http://b.example/"));
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xFF;
    let read = read(&[damaged, gzip(&c)].concat());
    assert!(
        read.starts_with("record 1 at byte 0 is damaged ("),
        "{read}"
    );
    assert!(read.ends_with(&good("c")), "{read}");
}

#[test]
fn each_record_may_be_a_faulty_one() {
    for more in [-20, 7, 5000] {
        let records: Vec<Vec<u8>> = (0..30)
            .map(|n| stating(&format!("http://a.example/{n}"), Some(more)))
            .collect();
        let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
        for bytes in [records.concat(), members.concat()] {
            let pages = WarcReader::new(bytes.as_slice()).expect("a WARC").flatten();
            let urls: Vec<String> = pages.map(|page| page.url).collect();
            let expected: Vec<String> = (0..30).map(|n| format!("http://a.example/{n}")).collect();
            assert_eq!(urls, expected, "{more}");
        }
    }
}

#[test]
fn a_page_about_the_format_is_one_page() {
    let quoted = page("http://quoted.example/");
    let text = [b"<pre>\r\n\r\n".as_slice(), &quoted, b"</pre>"].concat();
    let about = response("http://a.example/", "Content-Type: text/html", &text);
    let expected = format!(
        "http://a.example/ Some(200) {} <pre>\r\n\r\n\n{}",
        text.len(),
        good("c")
    );
    check(
        &[&about[..], &page("http://c.example/")].concat(),
        &expected,
    );
    check(
        &[gzip(&about), gzip(&page("http://c.example/"))].concat(),
        &expected,
    );
}

#[test]
fn blank_lines_before_records() {
    let a = page("http://a.example/");
    for blank in ["\n", "\r\n\r\n", " \r\n", &"\r\n".repeat(3000)] {
        let blank = blank.as_bytes();
        check(&[blank, &a].concat(), GOOD);
        check(&gzip(&[blank, &a].concat()), GOOD);
        check(&[gzip(blank), gzip(&a)].concat(), GOOD);
        let both = [blank, &a, blank, &a, blank].concat();
        check(&both, &format!("{GOOD}\n{GOOD}"));
    }
}

/// Bytes that look like the beginning of a record again and again take linear time.
#[test]
fn garbage_comes_to_an_end() {
    let begun = Instant::now();
    let lie = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 8000000\r\n\r\n";
    let start = page("http://a.example/");
    for piece in [
        lie,
        "WARC/1.0\r\n",
        "WARC/1.0\r\nWARC-Type: x",
        "WARC/1.0\r\nWARC-Type: x\r\n\r\n",
        "\r\n",
        "\x1F\u{8}",
        "http://a.example/ 192.0.2.7 20240205093000 text/html 9000000\n",
    ] {
        let garbage = piece.repeat(4_000_000 / piece.len());
        let plain = [&start[..], garbage.as_bytes()].concat();
        for bytes in [
            plain.clone(),
            gzip(&plain),
            [gzip(&start), garbage.into()].concat(),
        ] {
            let reader = WarcReader::new(bytes.as_slice()).expect("a WARC");
            assert!(reader.filter(Result::is_ok).count() >= 1, "{piece:?}");
        }
    }
    let heads = b"\x1F\x8B\x08\0\0\0\0\0\0\x03".repeat(400_000);
    let reader = [gzip(&start), heads].concat();
    let reader = WarcReader::new(reader.as_slice()).expect("a WARC");
    assert_eq!(reader.filter(Result::is_ok).count(), 1);
    assert!(begun.elapsed().as_secs() < 120, "{:?}", begun.elapsed());
}

/// Pages a and c are read once each, whatever byte between them is another or is missing.
#[track_caller]
pub(super) fn check_neighbours(bytes: &[u8], what: &str) {
    let pages = WarcReader::new(bytes).expect("a WARC").flatten();
    let urls: Vec<String> = pages.map(|page| page.url).collect();
    let count = |url: &str| urls.iter().filter(|found| *found == url).count();
    let counts = (count("http://a.example/"), count("http://c.example/"));
    assert_eq!(counts, (1, 1), "{what}: {urls:?}");
    assert!(urls.len() <= 3, "{what}: {urls:?}");
}

#[test]
fn any_byte_of_a_record_may_be_wrong() {
    let (a, b, c) = (
        page("http://a.example/"),
        page("http://middle.example/"),
        page("http://c.example/"),
    );
    for (first, middle, last, is_packed) in [
        (a.clone(), b.clone(), c.clone(), false),
        (gzip(&a), gzip(&b), gzip(&c), true),
    ] {
        // Records that are not packed need the line break before them.
        for at in 0..middle.len() - usize::from(!is_packed) {
            for xor in [0x01, 0x20, 0xFF] {
                let mut other = middle.clone();
                other[at] ^= xor;
                let bytes = [&first[..], &other, &last].concat();
                check_neighbours(&bytes, &format!("{at} ^ {xor}, packed: {is_packed}"));
            }
            let cut = [&first[..], &middle[..at], &last].concat();
            let begins_line = is_packed || at == 0 || middle[at - 1] == b'\n';
            if begins_line {
                check_neighbours(&cut, &format!("cut at {at}, packed: {is_packed}"));
            }
            let without = [&middle[..at], &middle[at + 1..]].concat();
            let bytes = [&first[..], &without, &last].concat();
            check_neighbours(&bytes, &format!("without {at}, packed: {is_packed}"));
        }
    }
}
