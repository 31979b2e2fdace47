//! The file of `--resume`: a line is added when its setting was tried. It is only ever added
//! to, so that an interruption costs no line but the last.

use anyhow::Context;
use forest_eval::tune::{Individual, Proposal, TuneLog, whole_lines};
use forest_text::pipeline::Blueprint;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Bytes of a history at the most: a million settings have some 200 million.
const MAX_BYTES: u64 = 1_000_000_000;

/// The history of this run, and its file if there is one.
pub struct HistoryFile {
    pub individuals: Vec<Individual>,
    lines: Vec<String>,
    log: TuneLog,
    file: Option<(PathBuf, File)>,
}

impl HistoryFile {
    /// Opens the file, makes it if it is not there, and cuts off a line without an end.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or is the history of another search.
    pub fn open(path: Option<&Path>, head: &str) -> anyhow::Result<HistoryFile> {
        let mut out = HistoryFile {
            individuals: Vec::new(),
            lines: vec![head.to_owned()],
            log: TuneLog::default(),
            file: None,
        };
        let Some(path) = path else {
            return Ok(out);
        };
        let earlier = read(path)?;
        out.log = TuneLog::new(head, &earlier).with_context(|| path.display().to_string())?;
        let kept = whole_lines(&earlier).len() as u64;
        let open = || -> io::Result<File> {
            let file = File::options().create(true).append(true).open(path)?;
            file.set_len(kept)?;
            Ok(file)
        };
        let file = open().with_context(|| format!("cannot write {}", path.display()))?;
        out.file = Some((path.to_owned(), file));
        if kept == 0 {
            out.add(&format!("{head}\n"))?;
        }
        Ok(out)
    }

    /// The fitness of the proposals of a generation: that of the file, or else of `evaluate`.
    ///
    /// # Errors
    ///
    /// If the file is the history of another search or cannot be written.
    pub fn fitness(
        &mut self,
        blueprint: &Blueprint,
        proposals: &[Proposal],
        evaluate: impl FnOnce(&[Proposal]) -> Vec<f64>,
    ) -> anyhow::Result<Vec<f64>> {
        let shown = self
            .file
            .as_ref()
            .map(|(path, _)| path.display().to_string());
        let mut fitness = Vec::new();
        for proposal in proposals {
            let known = self.log.known(blueprint, proposal);
            match known.with_context(|| shown.clone().unwrap_or_default())? {
                Some(known) => fitness.push(known),
                None => break,
            }
        }
        let known = fitness.len();
        if known < proposals.len() {
            fitness.extend(evaluate(&proposals[known..]));
        }
        let lines = proposals.iter().zip(&fitness);
        let lines: Vec<String> = lines
            .map(|(one, fitness)| TuneLog::line(blueprint, one, *fitness))
            .collect();
        let new: String = lines[known..].iter().map(|l| format!("{l}\n")).collect();
        self.add(&new)?;
        self.lines.extend(lines);
        Ok(fitness)
    }

    /// The whole history.
    pub fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    fn add(&mut self, lines: &str) -> anyhow::Result<()> {
        let Some((path, file)) = &mut self.file else {
            return Ok(());
        };
        let written = file.write_all(lines.as_bytes());
        let written = written.and_then(|()| file.sync_data());
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The text of a file; empty if it is not there.
fn read(path: &Path) -> anyhow::Result<String> {
    let shown = || format!("cannot read the history {}", path.display());
    match fs::metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(String::new()),
        Ok(file) if file.len() > MAX_BYTES => anyhow::bail!("{}: it is too large", shown()),
        _ => {
            let bytes = fs::read(path).with_context(shown)?;
            // A character may be cut off at the end.
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}
