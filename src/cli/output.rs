//! Files that are written whole or not at all, and names for them.

use anyhow::Context;
pub use forest::wrapper::names::file_name;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is there when it is [finished](Self::finish), and not before.
pub struct NewFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// A temporary file beside `path`, in a folder that is there.
    pub fn at(path: &Path) -> anyhow::Result<NewFile> {
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".forest-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What the user's umask leaves of it, as for any new file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .tempfile_in(parent.unwrap_or(Path::new(".")))
            .with_context(|| cannot_write(path))?;
        Ok(NewFile {
            path: path.to_owned(),
            file: BufWriter::new(file),
        })
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.file.write_all(bytes);
        written.with_context(|| cannot_write(&self.path))
    }

    /// Gives the file its name, after all of it is on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let NewFile { path, file } = self;
        let finished = || -> std::io::Result<()> {
            let file = file.into_inner().map_err(|e| e.into_error())?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|e| e.error)?;
            Ok(())
        };
        finished().with_context(|| cannot_write(&path))
    }
}

fn cannot_write(path: &Path) -> String {
    format!(
        "cannot write {}: is its folder there, and may you write to it?",
        path.display()
    )
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = NewFile::at(path)?;
    file.add(bytes)?;
    file.finish()
}

/// Makes a folder, if it is not there.
pub fn make_folder(dir: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).with_context(|| {
        format!(
            "cannot make the folder {}: is there a file of this name, and may you write there?",
            dir.display()
        )
    })
}

/// Whether `--out` means a folder: one that is there, or a name that ends in a
/// slash.
pub fn is_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.is_dir() || last.is_some_and(|&b| std::path::is_separator(b.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_finished_is_not_there() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a");
        let mut file = NewFile::at(&path).expect("made");
        file.add(b"half").expect("added");
        drop(file);
        assert_eq!(std::fs::read_dir(dir.path()).expect("read").count(), 0);
        write(&path, b"whole").expect("written");
        assert_eq!(std::fs::read(&path).expect("read"), b"whole");
    }
}
