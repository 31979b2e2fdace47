//! The stored pictures of exported articles, as files.

use crate::cli::Global;
use crate::cli::output;
use forest_archive::{ArchiveReader, Picture};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// A folder that pictures are written to.
pub struct PictureFolder<'a> {
    dir: &'a Path,
    archive: &'a ArchiveReader,
    /// Names that were seen.
    seen: HashSet<String>,
    written: usize,
    missing: usize,
}

impl<'a> PictureFolder<'a> {
    pub fn new(dir: &'a Path, archive: &'a ArchiveReader) -> PictureFolder<'a> {
        PictureFolder {
            dir,
            archive,
            seen: HashSet::new(),
            written: 0,
            missing: 0,
        }
    }

    /// Writes pictures whose files do not exist. A file with such a name is the picture: it
    /// was written whole.
    pub fn put(&mut self, pictures: &[Picture]) -> anyhow::Result<()> {
        for picture in pictures {
            let (Some(name), Some(sha256)) = (picture.file_name(), &picture.sha256) else {
                continue;
            };
            let path = self.dir.join(&name);
            if !self.seen.insert(name) || path.exists() {
                continue;
            }
            match self.archive.requisite_bytes(sha256)? {
                Some(bytes) => {
                    output::write(&path, &bytes)?;
                    self.written += 1;
                }
                None => self.missing += 1,
            }
        }
        Ok(())
    }

    /// Prints the number of pictures.
    pub fn report(&self, global: &Global) {
        global.say(format_args!("pictures written: {}", self.written));
        if self.missing > 0 {
            global.warn(format_args!(
                "pictures that the archive should have and lacks: {}; `forest archive verify` says more",
                self.missing
            ));
        }
    }
}

/// The relative address of the folder `dir` in documents that are written to `out`, with a
/// slash at its end. Makes the folder.
pub fn link_to(dir: &Path, out: Option<&Path>) -> anyhow::Result<String> {
    output::make_folder(dir)?;
    let from = match out.filter(|out| out.as_os_str() != "-") {
        Some(out) if output::is_folder(out) => {
            output::make_folder(out)?;
            out.to_owned()
        }
        Some(out) => match out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => parent.to_owned(),
            None => PathBuf::from("."),
        },
        None => PathBuf::from("."),
    };
    let way = match (from.canonicalize(), dir.canonicalize()) {
        (Ok(from), Ok(to)) => way(&from, &to),
        // What is written there fails with the reason.
        _ => Vec::new(),
    };
    let parts = way.iter().map(|part| escaped(part) + "/");
    Ok(parts.collect())
}

/// The names from one folder to another.
fn way(from: &Path, to: &Path) -> Vec<String> {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[same..].iter().map(|_| "..".to_owned());
    let down = to[same..].iter().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    up.chain(down).collect()
}

/// Characters of a name that are escaped in an address: all but the unreserved ones. A
/// colon would make the part before it a scheme.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

fn escaped(name: &str) -> String {
    utf8_percent_encode(name, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_the_output_to_the_pictures() {
        let check = |from: &str, to: &str, expected: &[&str]| {
            assert_eq!(way(Path::new(from), Path::new(to)), expected, "{from} {to}");
        };
        check("/a/b", "/a/b/pictures", &["pictures"]);
        check("/a/b", "/a/c/d", &["..", "c", "d"]);
        check("/a", "/a", &[]);
        assert_eq!(escaped("my pictures:\u{e4}"), "my%20pictures%3A%C3%A4");
    }
}
