//! What the commands that read an archive share.

use super::output::NewFile;
use super::progress::Progress;
use super::{Exit, Global};
use forest::archive::ArchiveReader;
use forest::extract::Status;
use forest::text::visible;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// A status by its name in the record.
pub fn status(name: &str) -> Result<Status, String> {
    serde_json::from_value(name.into())
        .map_err(|_| "there are ok, degraded, fallback, empty, blocked and error".to_owned())
}

/// Whether stdout takes colours: on a terminal, unless NO_COLOR is set.
pub fn colours() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !unwanted
}

/// A title or an address on one line of a terminal.
pub fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}

/// Says that there is nothing, and of which sites there would be something.
pub fn nothing(
    what: &str,
    site: Option<&str>,
    archive: &ArchiveReader,
    global: &Global,
) -> anyhow::Result<Exit> {
    let sites = archive.sites()?;
    match site {
        Some(site) if !sites.iter().any(|(name, _)| name == site) => {
            let known: Vec<String> = sites.iter().take(10).map(|(name, _)| line(name)).collect();
            let known = match known.is_empty() {
                true => "none".to_owned(),
                false => known.join(", "),
            };
            global.say(format_args!(
                "{what}: the archive has no articles of {}; its sites: {known}",
                line(site)
            ));
        }
        _ => global.say(what),
    }
    Ok(Exit::Nothing)
}

/// Where data goes: a file that is there when all of it is, or stdout.
pub struct Out<'a> {
    to: To<'a>,
    progress: Progress,
}

enum To<'a> {
    Stdout(&'a Global),
    File(Box<NewFile>),
}

impl<'a> Out<'a> {
    /// `-` and nothing are stdout.
    pub fn new(path: Option<&Path>, global: &'a Global) -> anyhow::Result<Out<'a>> {
        let to = match path.filter(|path| path.as_os_str() != "-") {
            Some(path) => To::File(Box::new(NewFile::at(path)?)),
            None => To::Stdout(global),
        };
        let progress = global.progress("writing", None);
        Ok(Out { to, progress })
    }

    /// Gives the file its name.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.to {
            To::Stdout(_) => Ok(()),
            To::File(file) => file.finish(),
        }
    }
}

impl Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stdout(global) => global.print(bytes)?,
            To::File(file) => file.add(bytes).map_err(io::Error::other)?,
        }
        self.progress.step();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
