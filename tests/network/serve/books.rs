//! Lists and searches as EPUB, and the catalogue of them for e-readers.

use super::archived::illustrated;
use super::library::articles;
use super::{Answer, Running, options};
use forest_serve::FilterPages;
use roxmltree::{Document, ParsingOptions};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

/// The files of a book, by their paths.
fn files(book: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(book)).expect("a ZIP file");
    let first = zip.by_index(0).expect("a file");
    assert_eq!(first.name().expect("a name"), "mimetype");
    assert_eq!(first.compression(), zip::CompressionMethod::Stored);
    drop(first);
    let mut files = BTreeMap::new();
    for at in 0..zip.len() {
        let mut bytes = Vec::new();
        let mut file = zip.by_index(at).expect("a file");
        file.read_to_end(&mut bytes).expect("readable");
        files.insert(file.name().expect("a name").into_owned(), bytes);
    }
    files
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn parsed(xml: &[u8]) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text(xml), options).unwrap_or_else(|why| {
        panic!("{why}: {}", text(xml));
    })
}

/// The values of an attribute in a document, of elements with this name or of all.
fn values<'d>(document: &'d Document<'_>, tag: &str, name: &str) -> Vec<&'d str> {
    let nodes = document.descendants();
    let nodes = nodes.filter(|node| tag.is_empty() || node.tag_name().name() == tag);
    nodes.filter_map(|node| node.attribute(name)).collect()
}

/// Checks that a book is whole: each file is XML and stands in the package, each address of the
/// book resolves, and nothing is loaded from elsewhere.
fn is_whole(files: &BTreeMap<String, Vec<u8>>) {
    let package = parsed(&files["EPUB/package.opf"]);
    let mut listed = values(&package, "item", "href");
    let ids = values(&package, "item", "id");
    for idref in values(&package, "itemref", "idref") {
        assert!(ids.contains(&idref), "{idref}");
    }
    listed.sort_unstable();
    let there = files.keys().filter_map(|path| path.strip_prefix("EPUB/"));
    let there: Vec<&str> = there.filter(|path| *path != "package.opf").collect();
    assert_eq!(listed, there);
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".xhtml")) {
        let document = parsed(bytes);
        for src in values(&document, "", "src") {
            assert!(files.contains_key(&format!("EPUB/{src}")), "{path}: {src}");
        }
        let ids = values(&document, "", "id");
        for href in values(&document, "", "href") {
            let is_there = match href.strip_prefix('#') {
                Some(id) => ids.contains(&id),
                None => href.starts_with("http") || files.contains_key(&format!("EPUB/{href}")),
            };
            assert!(is_there, "{path}: {href}");
        }
    }
}

fn book(server: &Running, path: &str) -> BTreeMap<String, Vec<u8>> {
    let answer = server.own(path);
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/epub+zip"));
    let files = files(&answer.body);
    is_whole(&files);
    files
}

fn chapters(files: &BTreeMap<String, Vec<u8>>) -> usize {
    let paths = files.keys();
    paths
        .filter(|path| path.starts_with("EPUB/article-"))
        .count()
}

#[test]
fn a_list_is_a_book_with_its_pictures() {
    let (site, _user, server) = illustrated(&["--with-images"]);
    let list = server.own("/reader?show=unread");
    assert_eq!(articles(&list).len(), 4);
    let link = "export.epub";
    assert!(
        list.text().contains(&format!("href=\"{link}\"")),
        "{}",
        list.text()
    );
    let unread = book(&server, &format!("/{link}"));
    assert_eq!(chapters(&unread), 4);
    let pictures = unread.keys().filter(|path| path.ends_with(".png"));
    assert_eq!(pictures.count(), 4);
    let nav = text(&unread["EPUB/nav.xhtml"]);
    for n in 1..=4 {
        assert!(nav.contains(&format!("Story {n} (2")), "{nav}");
    }
    let first = text(&unread["EPUB/article-1.xhtml"]);
    assert!(first.contains("lang=\"en\""), "{first}");
    assert!(
        first.contains("keeper") && first.contains("alt=\"Harbour\""),
        "{first}"
    );
    let package = text(&unread["EPUB/package.opf"]);
    assert!(
        package.contains("<dc:language>en</dc:language>"),
        "{package}"
    );
    // The same again, to the byte; starred are none; of a feed all.
    let again = server.own("/export.epub?show=unread").body;
    assert_eq!(again, server.own("/export.epub?show=unread").body);
    assert_eq!(chapters(&book(&server, "/export.epub?show=starred")), 0);
    let feed = format!("http://{}/feed", site.address);
    let coded: String = url::form_urlencoded::byte_serialize(feed.as_bytes()).collect();
    assert_eq!(
        chapters(&book(&server, &format!("/export.epub?feed={coded}"))),
        4
    );
    assert_eq!(chapters(&book(&server, "/export.epub?feed=x")), 0);
}

#[test]
fn a_search_is_a_book() {
    let (_site, _user, server) = illustrated(&[]);
    let found = server.own("/search?q=number2").text();
    let (before, _) = found.split_once("\" download").expect("a link");
    let link = before.rsplit("href=\"").next().expect("an address");
    let files = book(&server, &format!("/{}", link.replace("&amp;", "&")));
    assert_eq!(chapters(&files), 1, "{link}");
    let title = text(&files["EPUB/title.xhtml"]);
    assert!(title.contains("Search: number2"), "{title}");
    // A picture that is not stored is named, and loaded from nowhere.
    let article = text(&files["EPUB/article-1.xhtml"]);
    assert!(
        article.contains("[Picture: Harbour]") && !article.contains("<img"),
        "{article}"
    );
}

/// The addresses of a kind in a catalogue.
fn links(catalogue: &Answer, kind: &str) -> Vec<String> {
    assert_eq!(catalogue.status, 200, "{}", catalogue.text());
    let document = parsed(&catalogue.body);
    let nodes = document.descendants();
    let links = nodes.filter(|node| {
        let is_of_entry = node
            .parent_element()
            .is_some_and(|up| up.tag_name().name() == "entry");
        is_of_entry && node.attribute("type") == Some(kind)
    });
    links
        .filter_map(|link| Some(link.attribute("href")?.to_owned()))
        .collect()
}

#[test]
fn e_readers_find_books_in_a_catalogue() {
    let (_site, user, server) = illustrated(&[]);
    let check = |root: &Answer, get: &dyn Fn(&str) -> Answer| {
        let kind = "application/atom+xml;profile=opds-catalog;kind=navigation";
        assert_eq!(root.header("content-type"), Some(kind));
        let lists = links(
            root,
            "application/atom+xml;profile=opds-catalog;kind=acquisition",
        );
        assert_eq!(lists.len(), 4, "unread, starred, all, a feed");
        let books = lists.iter().map(|list| {
            let books = links(&get(&format!("/{list}")), "application/epub+zip");
            books.first().map_or(0, |book| {
                let answer = get(book.trim_start_matches(".."));
                chapters(&files(&answer.body))
            })
        });
        assert_eq!(books.collect::<Vec<_>>(), [4, 0, 4, 4]);
    };
    check(&server.own("/opds"), &|path| server.own(path));
    // With a password, the key of the feeds opens the catalogue and its books.
    let hash = forest_web::access::hash_of("a long enough password").expect("a hash");
    let key = "0123456789abcdef0123456789abcdef";
    let with_password = options()
        .with_archive(user.store())
        .with_password_hash(hash)
        .with_feed_key(key);
    let pages = FilterPages::new(with_password).expect("pages");
    let locked = Running::of(&pages, FilterPages::server);
    assert_eq!(locked.own("/opds").status, 401);
    assert_eq!(locked.own("/export.epub?show=unread").status, 401);
    check(&locked.own(&format!("/opds?key={key}")), &|path| {
        assert!(path.contains(key), "{path}");
        locked.own(path)
    });
    // It opens nothing else.
    assert_eq!(locked.own(&format!("/reader?key={key}")).status, 401);
}

/// The judge of books for the trade.
#[cfg(feature = "heavy")]
#[test]
fn epubcheck_finds_no_fault() {
    let how = "apt-get install epubcheck";
    let Some(program) = crate::needed::program(&["epubcheck"], how) else {
        return;
    };
    let (_site, user, server) = illustrated(&["--with-images"]);
    let path = user.path("book.epub");
    std::fs::write(&path, server.own("/export.epub?show=unread").body).expect("written");
    // Where the system starts no JAR by itself, Java does.
    let java = std::process::Command::new("java")
        .arg("-jar")
        .arg(program)
        .arg(&path)
        .output();
    let checked = java.expect("it runs");
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success(), "{said}");
}
