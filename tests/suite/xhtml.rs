//! XHTML of real pages: well-formed, and the same text when it is read again as
//! HTML. On the project's own gold; with `--features heavy` on every page of the
//! development gold, with libxml2 as the judge.

use forest_html::page::{Page, Scripting, Source};
use forest_text::prose::xhtml::xhtml;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The pages below a folder, sorted.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".html") || name.ends_with(".html.gz") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn page(path: &Path) -> Page {
    let mut bytes = std::fs::read(path).expect("readable");
    if bytes.starts_with(&[0x1F, 0x8B]) {
        let mut unpacked = Vec::new();
        let mut packed = flate2::read::MultiGzDecoder::new(&bytes[..]);
        packed.read_to_end(&mut unpacked).expect("gzip");
        bytes = unpacked;
    }
    Page::parse_for(Scripting::On, &bytes, Source::default(), usize::MAX)
}

/// What was written, as a browser reads it.
fn reparsed(xhtml: &str) -> Page {
    let source = Source {
        content_type: Some("text/html; charset=utf-8"),
        ..Source::default()
    };
    Page::parse_for(Scripting::On, xhtml.as_bytes(), source, usize::MAX)
}

/// The words of a page, without characters that XML does not have.
fn words(page: &Page) -> Vec<String> {
    let mut text = String::new();
    for n in page.content_texts(page.root()) {
        let chars = page.text(n).chars();
        text.extend(chars.filter_map(forest_text::prose::xhtml::legal));
    }
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn own_pages_are_well_formed_with_the_same_text() {
    let found = pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("gold"));
    assert!(found.len() >= 100, "{}", found.len());
    for path in found {
        let page = page(&path);
        let out = xhtml(&page);
        assert!(!out.cut && out.dissolved == 0, "{}", path.display());
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..Default::default()
        };
        if let Err(error) = roxmltree::Document::parse_with_options(&out.text, options) {
            panic!("{}: {error}", path.display());
        }
        let again = reparsed(&out.text);
        assert!(words(&again) == words(&page), "{}", path.display());
    }
}

#[cfg(feature = "heavy")]
mod heavy {
    use super::*;
    use crate::needed::{program, shared};
    use rayon::prelude::*;
    use std::process::Command;

    /// What `xmllint --noout` says of documents.
    fn faults(xmllint: &Path, documents: &[String]) -> String {
        let dir = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..documents.len()).map(|n| format!("{n}.xhtml")).collect();
        for (name, document) in names.iter().zip(documents) {
            std::fs::write(dir.path().join(name), document).expect("written");
        }
        let mut command = Command::new(xmllint);
        let output = command
            .arg("--noout")
            .args(&names)
            .current_dir(dir.path())
            .output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.success(), said.is_empty(), "{said}");
        said
    }

    fn xmllint() -> Option<PathBuf> {
        program(&["xmllint"], "apt-get install libxml2-utils")
    }

    #[test]
    fn libxml2_accepts_every_page_of_the_development_gold() {
        let Some(xmllint) = xmllint() else {
            return;
        };
        let (Some(gold), Some(feeds)) = (shared("gold"), shared("feeds")) else {
            return;
        };
        let mut found = pages(&gold);
        found.extend(pages(&feeds));
        assert!(found.len() >= 2_000, "{}", found.len());
        let errors: Vec<String> = found
            .par_chunks(64)
            .map(|chunk| {
                let mut documents = Vec::new();
                for path in chunk {
                    let page = page(path);
                    let out = xhtml(&page);
                    assert!(!out.cut, "{}", path.display());
                    let again = reparsed(&out.text);
                    assert!(words(&again) == words(&page), "{}", path.display());
                    documents.push(out.text);
                }
                faults(&xmllint, &documents)
            })
            .collect();
        assert_eq!(errors.concat(), "");
    }

    #[test]
    fn libxml2_accepts_pages_that_are_too_deep_and_too_long() {
        let Some(xmllint) = xmllint() else {
            return;
        };
        let long = "a".repeat(11_000_000);
        let pages = [
            "<div>".repeat(5_000),
            "<b><p>".repeat(2_000),
            "<svg><g>".repeat(400),
            format!("<p>{long}"),
            format!("<p title={long}>b"),
            format!("<!-- {long} --><p><!-- {long} -->b"),
            format!("<p>{}", "&".repeat(11_000_000)),
            format!("<{long}>b"),
            format!("<p {long}=b>c"),
            "<p a\"b=1 @c=2 x:y=3 xml:lang='?' xmlns:o='' lang='' 1=2>&#1;\u{FFFE}".to_owned(),
            String::new(),
        ];
        let documents: Vec<String> = pages
            .iter()
            .map(|html| xhtml(&Page::from_html(html)).text)
            .collect();
        assert_eq!(faults(&xmllint, &documents), "");
    }
}
