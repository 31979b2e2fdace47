//! Bytes to stdout, a file or a folder.

use super::Format;
use crate::cli::Global;
use crate::cli::output::{self, NewFile};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where records go.
pub struct Sink<'a> {
    format: Format,
    to: To<'a>,
    records: usize,
}

enum To<'a> {
    Stdout(&'a Global),
    File(Box<NewFile>),
    Folder {
        dir: PathBuf,
        used: HashMap<String, usize>,
    },
}

impl<'a> Sink<'a> {
    /// Opens it: a folder is one that is there, or a path that ends in a slash.
    pub fn new(out: Option<&Path>, format: Format, global: &'a Global) -> anyhow::Result<Sink<'a>> {
        let to = match out {
            None => To::Stdout(global),
            Some(path) if path.as_os_str() == "-" => To::Stdout(global),
            Some(path) if output::is_folder(path) => {
                output::make_folder(path)?;
                To::Folder {
                    dir: path.to_owned(),
                    used: HashMap::new(),
                }
            }
            Some(path) => To::File(Box::new(NewFile::at(path)?)),
        };
        Ok(Sink {
            format,
            to,
            records: 0,
        })
    }

    /// Writes a record.
    pub fn add(&mut self, id: &str, record: &[u8]) -> anyhow::Result<()> {
        let [before, between, _] = self.format.frame();
        let lead = if self.records == 0 { before } else { between };
        self.records += 1;
        if let To::Folder { dir, used } = &mut self.to {
            let name = unused_name(id, used);
            let path = dir.join(format!("{name}.{}", self.format.extension()));
            let [before, after] = self.format.frame_of_one();
            let whole = [before.as_bytes(), record, after.as_bytes()].concat();
            return output::write(&path, &whole);
        }
        self.write(&[lead.as_bytes(), record].concat())
    }

    /// Writes what stands after the last record.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let [before, _, after] = self.format.frame();
        let empty = if self.records == 0 { before } else { "" };
        self.write(&[empty.as_bytes(), after.as_bytes()].concat())?;
        match self.to {
            To::File(file) => file.finish(),
            _ => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match &mut self.to {
            To::Stdout(global) => Ok(global.print(bytes)?),
            To::File(file) => file.add(bytes),
            To::Folder { .. } => Ok(()),
        }
    }
}

/// The record's id as a name that no record before had. `used` counts the names,
/// so that many records of one id are not compared with each other.
fn unused_name(id: &str, used: &mut HashMap<String, usize>) -> String {
    let name = output::file_name(id);
    let mut free = name.clone();
    // File systems that do not tell case apart would overwrite.
    while let Some(times) = used.get_mut(&free.to_lowercase()) {
        *times += 1;
        free = format!("{name}-{times}");
    }
    used.insert(free.to_lowercase(), 1);
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_used_once() {
        let mut used = HashMap::new();
        let mut check = |id: &str, expected: &str| assert_eq!(unused_name(id, &mut used), expected);
        check("a/b", "a_b");
        check("a?b", "a_b-2");
        check("A/B", "A_B-3");
    }
}
