//! Names of files for sites, and for whatever else comes from outside.

use forest_html::address::bare_host;
use forest_html::text::sha256_hex;
use std::path::{Path, PathBuf};

/// Bytes of a file name at the most, its end not counted: file systems take 255.
const MAX_NAME_BYTES: usize = 200;

/// Names that are devices on some systems, whatever follows their first dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The file of a site's wrapper in a folder of wrappers.
///
/// ```
/// use forest_core::wrapper::names::path_of;
/// use std::path::Path;
///
/// let path = path_of(Path::new("sites"), "localhost:80");
/// assert_eq!(path, Path::new("sites").join("localhost_80.yaml"));
/// ```
pub fn path_of(dir: &Path, site: &str) -> PathBuf {
    dir.join(format!("{}.yaml", file_name(site)))
}

/// The file of the wrapper of a site's list of articles in a folder of wrappers.
///
/// ```
/// use forest_core::wrapper::names::list_path_of;
/// use std::path::Path;
///
/// let path = list_path_of(Path::new("sites"), "a.example");
/// assert_eq!(path, Path::new("sites").join("a.example.list.yaml"));
/// ```
pub fn list_path_of(dir: &Path, site: &str) -> PathBuf {
    dir.join(format!("{}.list.yaml", file_name(site)))
}

/// A name as a file's: letters, digits, `.`, `-` and `_` stay, everything else becomes `_`. It
/// does not begin with a dot and is not a device's. A long name is cut, and its hash is added.
///
/// ```
/// use forest_core::wrapper::names::file_name;
///
/// assert_eq!(file_name("127.0.0.1:8080"), "127.0.0.1_8080");
/// assert_eq!(file_name("../x"), "_.._x");
/// assert_eq!(file_name("CON"), "_CON");
/// ```
pub fn file_name(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| match c {
            c if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') => c,
            _ => '_',
        })
        .collect();
    if out.is_empty() || out.starts_with('.') || is_device(&out) {
        out.insert(0, '_');
    }
    if out.len() > MAX_NAME_BYTES {
        let hash = &sha256_hex(name)[..12];
        out.truncate(out.floor_char_boundary(MAX_NAME_BYTES - hash.len() - 1));
        out = format!("{out}-{hash}");
    }
    out
}

fn is_device(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    let first = first.to_ascii_lowercase();
    DEVICES.iter().any(|device| {
        let rest = first.strip_prefix(device);
        rest.is_some_and(|rest| match *device {
            "com" | "lpt" => rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()),
            _ => rest.is_empty(),
        })
    })
}

/// The names under which the wrapper of a host may stand, as ftr-site-config has
/// them: its own, that without `www.`, and that of all hosts beside it.
///
/// ```
/// use forest_core::wrapper::names::names_of;
///
/// assert_eq!(names_of("www.a.example"), ["www.a.example", "a.example", ".example"]);
/// ```
pub fn names_of(host: &str) -> Vec<String> {
    let bare = bare_host(host);
    let mut names = vec![host.to_owned()];
    if bare != host {
        names.push(bare.to_owned());
    }
    if let Some((_, above)) = bare.split_once('.') {
        names.push(format!(".{above}"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let check = |name: &str, expected: &str| assert_eq!(file_name(name), expected);
        check("www.example.org", "www.example.org");
        check("127.0.0.1:8080", "127.0.0.1_8080");
        check("[::1]:80", "___1__80");
        check("../x", "_.._x");
        check("", "_");
        check("a\0b\u{202e}c", "a_b_c");
        check("https://a.example/ä?b", "https___a.example_ä_b");
        for device in ["CON", "con.example", "nul", "LPT1", "com9.x"] {
            check(device, &format!("_{device}"));
        }
        check("com.example", "com.example");
        check("console.example", "console.example");
        let long = file_name(&"x".repeat(500));
        assert_eq!(long.len(), MAX_NAME_BYTES);
        assert_ne!(long, file_name(&"x".repeat(501)));
    }

    #[test]
    fn names_of_a_host() {
        let check = |host, expected: &[&str]| assert_eq!(names_of(host), expected);
        check("a.example", &["a.example", ".example"]);
        check("www.a.example", &["www.a.example", "a.example", ".example"]);
        check("localhost:80", &["localhost:80"]);
    }
}
