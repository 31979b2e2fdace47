//! The output of commands: stdout, files that are written whole or not at all, and folders
//! with a file a document.

use super::Global;
use anyhow::Context;
pub use forest_core::wrapper::names::file_name;
use forest_sources::sources::is_open_already;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The output of a command.
pub enum OutputSink<'a> {
    Stdout(&'a Global),
    File(Box<NewFile>),
    Folder(OutputFolder),
}

impl<'a> OutputSink<'a> {
    /// Opens `path`: stdout if there is none or it is `-`; a folder if it exists as one or
    /// ends in a slash; else a file.
    pub fn open(path: Option<&Path>, global: &'a Global) -> anyhow::Result<OutputSink<'a>> {
        match path.filter(|path| is_folder(path)) {
            Some(path) => Ok(OutputSink::Folder(OutputFolder::open(path)?)),
            None => OutputSink::open_file(path, global),
        }
    }

    /// Opens `path`, which is no folder.
    pub fn open_file(path: Option<&Path>, global: &'a Global) -> anyhow::Result<OutputSink<'a>> {
        Ok(match path.filter(|path| path.as_os_str() != "-") {
            Some(path) => OutputSink::File(Box::new(NewFile::at(path)?)),
            None => OutputSink::Stdout(global),
        })
    }

    /// Writes to stdout or the file; a folder takes documents only.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            OutputSink::Stdout(global) => Ok(global.print(bytes)?),
            OutputSink::File(file) => file.add(bytes),
            OutputSink::Folder(_) => Ok(()),
        }
    }

    /// Gives the file its name.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            OutputSink::File(file) => file.finish(),
            OutputSink::Stdout(_) | OutputSink::Folder(_) => Ok(()),
        }
    }
}

impl Write for OutputSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputSink::Stdout(global) => global.print(bytes)?,
            other => other.add(bytes).map_err(io::Error::other)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a text to a file; to stdout if there is no path or it is `-`.
pub fn put(path: Option<&Path>, text: &str, global: &Global) -> anyhow::Result<()> {
    let mut sink = OutputSink::open_file(path, global)?;
    sink.add(text.as_bytes())?;
    sink.finish()
}

/// A folder with a file a document.
pub struct OutputFolder {
    dir: PathBuf,
    /// The use of each name, so that many documents of one id are not compared.
    used: HashMap<String, usize>,
}

impl OutputFolder {
    /// Makes the folder, if it does not exist.
    pub fn open(dir: &Path) -> anyhow::Result<OutputFolder> {
        make_folder(dir)?;
        Ok(OutputFolder {
            dir: dir.to_owned(),
            used: HashMap::new(),
        })
    }

    /// Writes a document to a file of its own.
    pub fn put(&mut self, id: &str, extension: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let name = self.unused_name(id);
        write(&self.dir.join(format!("{name}.{extension}")), bytes)
    }

    /// A name for the document `id` that no document before had.
    pub fn unused_name(&mut self, id: &str) -> String {
        let name = file_name(id);
        let mut free = name.clone();
        // File systems that ignore case would overwrite.
        while let Some(times) = self.used.get_mut(&free.to_lowercase()) {
            *times += 1;
            free = format!("{name}-{times}");
        }
        self.used.insert(free.to_lowercase(), 1);
        free
    }
}

/// A file that exists when it is [finished](Self::finish), and not before. A link stays
/// one, and the file behind it is written. A device or a pipe cannot be replaced and takes
/// the bytes as they come.
pub struct NewFile {
    path: PathBuf,
    to: Destination,
}

/// Who may read a file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileReaders {
    /// Those who could read the one before, or what the user's umask says.
    ByMask,
    /// Its owner.
    Owner,
}

enum Destination {
    File {
        new: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    Stream(BufWriter<File>),
}

impl NewFile {
    /// Makes a temporary file beside `path`, in a folder that exists.
    pub fn at(path: &Path) -> anyhow::Result<NewFile> {
        NewFile::open(path, FileReaders::ByMask)
    }

    fn open(path: &Path, readers: FileReaders) -> anyhow::Result<NewFile> {
        let to = Destination::open(path, readers).with_context(|| cannot_write(path))?;
        Ok(NewFile {
            path: path.to_owned(),
            to,
        })
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = match &mut self.to {
            Destination::File { new, .. } => new.write_all(bytes),
            // Somebody may wait for it.
            Destination::Stream(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
        };
        written.with_context(|| cannot_write(&self.path))
    }

    /// Gives the file its name, after all its bytes are on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        self.to.finish().with_context(|| cannot_write(&self.path))
    }
}

impl Destination {
    fn open(path: &Path, readers: FileReaders) -> io::Result<Destination> {
        let metadata = fs::metadata(path).ok();
        let no_file = metadata
            .as_ref()
            .is_some_and(|metadata| !metadata.is_file());
        if no_file || is_open_already(path) {
            let stream = File::options().write(true).open(path)?;
            return Ok(Destination::Stream(BufWriter::new(stream)));
        }
        let path = behind_links(path);
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".forest-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What the user's umask leaves of it, as for any new file.
            let mode = match readers {
                FileReaders::ByMask => 0o666,
                FileReaders::Owner => 0o600,
            };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let new = builder.tempfile_in(parent.unwrap_or(Path::new(".")))?;
        if let Some(metadata) = metadata.filter(|_| readers == FileReaders::ByMask) {
            new.as_file().set_permissions(metadata.permissions())?;
        }
        Ok(Destination::File {
            new: BufWriter::new(new),
            path,
        })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Destination::File { new, path } => {
                let new = new.into_inner().map_err(|e| e.into_error())?;
                new.as_file().sync_all()?;
                new.persist(&path).map_err(|e| e.error)?;
                Ok(())
            }
            Destination::Stream(mut stream) => stream.flush(),
        }
    }
}

/// The file behind a name, also behind a link to a file that does not exist yet.
fn behind_links(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match path.read_link() {
        Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
        Err(_) => path.to_owned(),
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

/// Writes a file that nobody but its owner can read (mode 0600), whole or not at all.
///
/// # Errors
///
/// If it cannot be written.
#[cfg(feature = "serve")]
pub fn write_private(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = NewFile::open(path, FileReaders::Owner)?;
    file.add(bytes)?;
    file.finish()
}

/// Warns of the file of an option that others than its owner may read or write.
#[cfg(feature = "serve")]
pub fn warn_if_readable(option: &str, path: &Path, global: &Global) {
    if others_may_read(path) {
        let path = path.display();
        global.warn(format_args!(
            "{option} {path}: others may read it: `chmod 600 {path}`"
        ));
    }
}

/// True if others than its owner may read or write a file.
#[cfg(feature = "serve")]
pub fn others_may_read(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|about| forest_archive::others_may_read(&about))
}

/// Writes a new file that nobody but its owner can read (mode 0600), whole or not at all.
///
/// # Errors
///
/// If it cannot be written, or is there already.
#[cfg(feature = "ca")]
pub fn write_new_private(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::Builder::new()
            .prefix(".forest-")
            .tempfile_in(folder)?;
        new.write_all(bytes)?;
        new.as_file().sync_all()?;
        new.persist_noclobber(path).map_err(|e| e.error)?;
        Ok(())
    };
    write().with_context(|| cannot_write(path))
}

/// Makes a folder, if it does not exist.
pub fn make_folder(dir: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).with_context(|| {
        format!(
            "cannot make the folder {}: is there a file of this name, and may you write there?",
            dir.display()
        )
    })
}

/// Returns true if `--out` means a folder: it exists as one, or its name ends in a slash.
pub fn is_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.is_dir() || last.is_some_and(|&b| std::path::is_separator(b.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_used_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut folder = OutputFolder::open(dir.path()).expect("opened");
        let mut check = |id: &str, expected: &str| assert_eq!(folder.unused_name(id), expected);
        check("a/b", "a_b");
        check("a?b", "a_b-2");
        check("A/B", "A_B-3");
    }

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

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().expect("a folder");
        let [link, file] = ["link", "file"].map(|name| dir.path().join(name));
        symlink("file", &link).expect("linked");
        // Destination a file that is not there yet, then to one that is.
        for bytes in ["first", "second"] {
            write(&link, bytes.as_bytes()).expect("written");
            assert!(link.is_symlink());
            assert!(!file.is_symlink());
            assert_eq!(fs::read_to_string(&file).expect("read"), bytes);
        }
    }

    #[cfg(unix)]
    #[test]
    fn who_may_read_a_file_stays_as_it_was() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a");
        write(&path, b"first").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        write(&path, b"second").expect("written");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(all(unix, feature = "serve"))]
    #[test]
    fn a_private_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("a");
        let mode = || fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        write_private(&path, b"first").expect("written");
        assert_eq!((mode(), others_may_read(&path)), (0o600, false));
        // One that others may read does not stay so.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        assert!(others_may_read(&path));
        write_private(&path, b"second").expect("written");
        assert_eq!(mode(), 0o600);
        assert_eq!(fs::read(&path).expect("read"), b"second");
    }

    /// A rename would put a file in the place of a pipe, or of `/dev/null`.
    #[cfg(unix)]
    #[test]
    fn a_pipe_takes_the_bytes_and_stays_a_pipe() {
        use std::os::unix::fs::FileTypeExt;
        let dir = tempfile::tempdir().expect("a folder");
        let [pipe, link] = ["pipe", "link"].map(|name| dir.path().join(name));
        let status = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(status.expect("mkfifo").success());
        std::os::unix::fs::symlink(&pipe, &link).expect("linked");
        for name in [&pipe, &link] {
            // Open both ways before anybody waits: a reader that is not served would
            // hold the test.
            let mut reader = File::options()
                .read(true)
                .write(true)
                .open(&pipe)
                .expect("opened");
            write(name, b"whole").expect("written");
            assert!(fs::metadata(&pipe).expect("there").file_type().is_fifo());
            assert!(link.is_symlink());
            let mut read = [0; 5];
            io::Read::read_exact(&mut reader, &mut read).expect("read");
            assert_eq!(&read, b"whole");
        }
    }
}
