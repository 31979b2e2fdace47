//! All sites of a crawl are learned from a sample of the pages of each.

use super::User;
use super::site::{packed, page, warc_record};
use flate2::Compression;
use std::collections::BTreeMap;

/// Pages `from..to` of a host as records of a compressed WARC.
fn records(host: usize, pages: std::ops::Range<usize>) -> Vec<Vec<u8>> {
    let record = |n| warc_record(&format!("https://host-{host}.example/{n}"), &page(n));
    pages
        .map(|n| packed(&record(n), Compression::fast()))
        .collect()
}

/// A crawl of 200 hosts of four pages; the first has as many pages as all others together.
fn crawl() -> Vec<Vec<u8>> {
    let mut all = records(0, 0..800);
    all.extend((1..200).flat_map(|host| records(host, 0..4)));
    // As in a crawl, no host's pages stand together.
    let mut mixed: Vec<(usize, Vec<u8>)> = (0..)
        .map(|n| n * 7919 % all.len())
        .zip(all.clone())
        .collect();
    mixed.sort();
    mixed.into_iter().map(|(_, record)| record).collect()
}

/// The wrappers in a folder: true if its body is the story's, and the pages of its sample.
fn learned(user: &User, sites: &str) -> BTreeMap<String, (bool, usize)> {
    let names = user.names(sites).into_iter();
    let read = |name: String| {
        let yaml = user.read(&format!("{sites}/{name}"));
        let is_story = yaml.contains("body:\n  - //div[contains(") && yaml.contains("' story ')");
        (name, (is_story, yaml.matches("sha256: ").count()))
    };
    names.map(read).collect()
}

#[test]
fn two_hundred_hosts_of_which_one_has_half_of_all_pages() {
    let user = User::new();
    let records = crawl();
    let (first, second) = records.split_at(700);
    user.put("a.warc.gz", first.concat());
    user.put("b.warc.gz", second.concat());
    let ran = user.run(&[
        "learn",
        "--from-warc",
        "a.warc.gz",
        "b.warc.gz",
        "--per-host",
        "4",
    ]);
    ran.ends(0, &["200 hosts: 200 learned, 0 without a wrapper"]);
    let sites = learned(&user, "sites");
    assert_eq!(sites.len(), 200);
    for (name, found) in &sites {
        assert_eq!(*found, (true, 4), "{name}");
    }
    assert_eq!(ran.out.lines().count(), 200);
    assert!(
        ran.out
            .starts_with("host-0.example: learned from 4 pages, written to ")
    );
}

#[test]
fn broken_files_and_hosts_of_one_page_are_told_and_the_others_learned() {
    let user = User::new();
    let whole = [records(1, 0..3), records(2, 0..1)].concat().concat();
    let cut = records(3, 0..3).concat();
    user.put("whole.warc.gz", whole);
    user.put("cut.warc.gz", &cut[..cut.len() - 40]);
    user.put("page.html", page(1));
    let files = ["cut.warc.gz", "page.html", "none.warc.gz", "whole.warc.gz"];
    let ran = user.run(&[&["learn", "--from-warc"], &files[..]].concat());
    ran.ends(
        3,
        &[
            "cut.warc.gz: left out: ",
            "page.html: this is an HTML page, not a WARC",
            "cannot read none.warc.gz",
            "host-2.example: nothing learned: 1 good page",
            "3 hosts: 2 learned, 1 without a wrapper",
        ],
    );
    let names = user.names("sites");
    assert_eq!(names, ["host-1.example.yaml", "host-3.example.yaml"]);
}

#[test]
fn a_bound_that_is_reached_is_told() {
    let user = User::new();
    let noise = |n: usize| {
        let words = (0..60_000).map(|at| forest_html::text::sha256_hex(format!("{n} {at}")));
        words.collect::<String>()
    };
    let record = |host: usize, n: usize| {
        let page = format!("{}<!--{}-->", page(n), noise(10 * host + n));
        warc_record(&format!("https://host-{host}.example/{n}"), &page)
    };
    let records: Vec<u8> = (0..2).flat_map(|host| record(host, 0)).collect();
    user.put("a.warc", records);
    let ran = user.run(&["learn", "--from-warc", "a.warc", "--hold", "1"]);
    ran.ends(
        1,
        &[
            "1 MB of pages are held: only 2 pages of each host were kept",
            "left out: 1 page of hosts beyond the first 1",
        ],
    );
}

#[test]
fn a_crawl_has_options_of_its_own() {
    let user = User::new();
    user.run(&["learn", "a.html", "--per-host", "3"])
        .ends(2, &["--from-warc"]);
    user.run(&["learn", "a.html", "--from-warc", "b.warc"])
        .ends(2, &["cannot be used with"]);
    #[cfg(not(feature = "parquet"))]
    user.run(&["learn", "--from-parquet", "a.parquet"])
        .ends(2, &["--features parquet"]);
}

#[cfg(feature = "parquet")]
mod columns {
    use super::*;
    use parquet::basic::{Compression, GzipLevel, ZstdLevel};
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use std::sync::Arc;

    /// Rows in groups of 50, in the codings that others write; some lack HTML.
    fn file(rows: &[(String, Option<String>)], compression: Compression, html: &str) -> Vec<u8> {
        let schema = format!(
            "message crawl {{ optional int32 status; required binary url (STRING); optional binary html{html}; }}"
        );
        let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
        let properties = WriterProperties::builder().set_compression(compression);
        let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))
            .expect("begun");
        for rows in rows.chunks(50) {
            let mut group = file.next_row_group().expect("a group");
            let mut column = group.next_column().expect("it").expect("status");
            let none = vec![0; rows.len()];
            let of = column.typed::<parquet::data_type::Int32Type>();
            of.write_batch(&[], Some(&none), None).expect("written");
            column.close().expect("closed");
            let urls: Vec<ByteArray> = rows.iter().map(|(url, _)| url.as_str().into()).collect();
            let mut column = group.next_column().expect("it").expect("url");
            column
                .typed::<ByteArrayType>()
                .write_batch(&urls, None, None)
                .expect("written");
            column.close().expect("closed");
            let cells = rows.iter().map(|(_, html)| html.as_deref());
            let htmls: Vec<ByteArray> = cells.flatten().map(ByteArray::from).collect();
            let levels: Vec<i16> = rows.iter().map(|(_, html)| html.is_some().into()).collect();
            let mut column = group.next_column().expect("it").expect("html");
            column
                .typed::<ByteArrayType>()
                .write_batch(&htmls, Some(&levels), None)
                .expect("written");
            column.close().expect("closed");
            group.close().expect("closed");
        }
        file.into_inner().expect("written")
    }

    fn rows(hosts: usize) -> Vec<(String, Option<String>)> {
        let row = |n: usize| {
            let (host, n) = (n % hosts, n / hosts);
            let url = format!("https://host-{host}.example/{n}");
            // Each host has four pages, and a row without one.
            (url, (n < 4).then(|| page(n)))
        };
        (0..hosts * 5).map(row).collect()
    }

    #[test]
    fn rows_are_pages_in_any_compression() {
        let compressions = [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(GzipLevel::default()),
            Compression::ZSTD(ZstdLevel::default()),
        ];
        let user = User::new();
        for (n, compression) in compressions.into_iter().enumerate() {
            let html = if n % 2 == 0 { "" } else { " (STRING)" };
            user.put("a.parquet", file(&rows(20), compression, html));
            let sites = format!("sites{n}");
            let ran = user.run(&["learn", "--from-parquet", "a.parquet", "--sites", &sites]);
            ran.ends(0, &["20 hosts: 20 learned, 0 without a wrapper"]);
            let found = learned(&user, &sites);
            assert_eq!(found.len(), 20);
            assert!(found.values().all(|found| *found == (true, 4)));
        }
    }

    #[test]
    fn whatever_bytes_stand_in_it_the_command_ends_well() {
        let user = User::new();
        let good = file(&rows(4), Compression::SNAPPY, " (STRING)");
        user.put("none.parquet", &good[..good.len() / 2]);
        user.put("text.parquet", "url,html\n");
        user.run(&["learn", "--from-parquet", "none.parquet", "text.parquet"])
            .ends(2, &["none.parquet", "text.parquet"]);
        for seed in 0..60usize {
            let mut bad = good.clone();
            for change in 0..6 {
                let at = (seed * 7919 + change * 104_729 + seed * seed) % bad.len();
                bad[at] ^= 1 << (change % 8);
            }
            user.put("bad.parquet", &bad);
            let ran = user.run(&["learn", "-q", "--from-parquet", "bad.parquet"]);
            assert!([0, 1, 2, 3].contains(&ran.code), "{}", ran.err);
        }
    }

    #[test]
    fn the_columns_must_be_there() {
        let user = User::new();
        let other = file(&rows(1), Compression::SNAPPY, "");
        let other: Vec<u8> = other
            .iter()
            .map(|b| if *b == b'h' { b'g' } else { *b })
            .collect();
        user.put("a.parquet", other);
        user.run(&["learn", "--from-parquet", "a.parquet"])
            .ends(2, &["there is no column `html`"]);
    }
}
