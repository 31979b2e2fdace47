//! Archives in frames of zstd, with and without a dictionary.

use super::*;
use zstd::bulk::Compressor;

/// The frames of records; `dictionary`: bytes that they refer to.
fn frames(records: &[Vec<u8>], dictionary: &[u8]) -> Vec<Vec<u8>> {
    let mut compressor = Compressor::with_dictionary(3, dictionary).expect("a dictionary");
    let frames = records.iter().map(|record| compressor.compress(record));
    frames.map(|frame| frame.expect("into memory")).collect()
}

/// A frame that decoders pass over.
fn passed_over(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = (bytes.len() as u32).to_le_bytes();
    [&[0x50 + number, 0x2A, 0x4D, 0x18], &length[..], bytes].concat()
}

fn pages() -> [Vec<u8>; 3] {
    ["a", "b", "c"].map(|name| page(&format!("http://{name}.example/")))
}

const ALL: &str = "http://a.example/ Some(200) 38 <!DOCTYPE\n\
    http://b.example/ Some(200) 38 <!DOCTYPE\n\
    http://c.example/ Some(200) 38 <!DOCTYPE";

#[test]
fn frames_of_zstd() {
    check(&frames(&pages(), b"").concat(), ALL);
    check(&frames(&[pages().concat()], b"").concat(), ALL);
    let blank = [b"\r\n".to_vec(), pages().concat()];
    check(&frames(&blank, b"").concat(), ALL);
    let mut between = frames(&pages(), b"");
    between.insert(1, passed_over(3, b"a note"));
    check(&between.concat(), ALL);
}

#[test]
fn frames_with_a_dictionary() {
    let dictionary = page("http://d.example/").repeat(20);
    let own = frames(&pages(), &dictionary).concat();
    check(&[passed_over(13, &dictionary), own.clone()].concat(), ALL);
    let packed = zstd::encode_all(dictionary.as_slice(), 3).expect("into memory");
    check(&[passed_over(13, &packed), own.clone()].concat(), ALL);
    // Without it they cannot be read.
    assert!(!read(&own).contains("Some(200)"));
}

#[test]
fn a_damaged_frame_does_not_end_the_file() {
    let dictionary = page("http://d.example/").repeat(20);
    for dictionary in [&dictionary[..], b""] {
        for at in [4, 10, 20] {
            let mut own = frames(&pages(), dictionary);
            own[1].truncate(at);
            let begin = passed_over(13, dictionary);
            let place = if dictionary.is_empty() {
                0
            } else {
                begin.len()
            } + own[0].len();
            let begin = if dictionary.is_empty() {
                Vec::new()
            } else {
                begin
            };
            let found = read(&[begin, own.concat()].concat());
            let lines: Vec<&str> = found.lines().collect();
            assert_eq!(lines.len(), 3, "{found}");
            let damaged = format!("record 2 at byte {place} is damaged (");
            assert!(lines[1].starts_with(&damaged), "{found}");
            assert_eq!(
                format!("{}\n{}", lines[0], lines[2]),
                ALL.replace(lines_of_b(), "")
            );
        }
    }
}

fn lines_of_b() -> &'static str {
    "http://b.example/ Some(200) 38 <!DOCTYPE\n"
}

#[test]
fn frames_that_are_no_archive() {
    let wrong = read(b"");
    check(&frames(&[b"<p>One".to_vec()], b"").concat(), &wrong);
    check(&[0x28, 0xB5, 0x2F, 0xFD], &wrong);
    for broken in [
        &passed_over(13, b"some bytes")[..12],
        &passed_over(13, b""),
        &[0x5D, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3],
        &passed_over(13, b"\x28\xb5\x2f\xfd and no frame"),
    ] {
        assert!(WarcReader::new(broken).is_err(), "{broken:?}");
    }
    let large = passed_over(13, &page("http://d.example/").repeat(1000));
    assert!(is_zstd_archive(&large[..64 * 1024]));
    let own = frames(&pages(), b"");
    let cut = own[0].len() + 10;
    assert!(is_zstd_archive(&own.concat()[..cut]));
    assert!(!is_zstd_archive(
        &frames(&[b"<p>One".to_vec()], b"").concat()
    ));
    assert!(!is_zstd_archive(b"WARC/1.0\r\n"));
    // A head of a frame again and again.
    let start = frames(&pages()[..1], b"").concat();
    let garbage = [&start[..], &b"\x28\xB5\x2F\xFD".repeat(200_000)].concat();
    let found = WarcReader::new(garbage.as_slice()).expect("a WARC");
    assert_eq!(found.filter(Result::is_ok).count(), 1);
}
