//! Records to stdout, a file or a folder.

use crate::cli::Global;
use crate::cli::output::OutputSink;
use forest_text::prose::RecordFormat;
use std::path::Path;

/// Writes records in a format.
pub struct RecordWriter<'a> {
    format: RecordFormat,
    sink: OutputSink<'a>,
    records: usize,
}

impl<'a> RecordWriter<'a> {
    /// Opens the output, see [`OutputSink::open`].
    pub fn open(
        out: Option<&Path>,
        format: RecordFormat,
        global: &'a Global,
    ) -> anyhow::Result<RecordWriter<'a>> {
        Ok(RecordWriter {
            format,
            sink: OutputSink::open(out, global)?,
            records: 0,
        })
    }

    /// Writes a record.
    pub fn add(&mut self, id: &str, record: &[u8]) -> anyhow::Result<()> {
        let [first, between, _] = self.format.frame();
        let before = if self.records == 0 { first } else { between };
        self.records += 1;
        if let OutputSink::Folder(folder) = &mut self.sink {
            let [before, after] = self.format.frame_of_one();
            let whole = [before.as_bytes(), record, after.as_bytes()].concat();
            return folder.put(id, self.format.extension(), &whole);
        }
        self.sink.add(&[before.as_bytes(), record].concat())
    }

    /// Writes the end of the format after the last record.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let [before, _, after] = self.format.frame();
        let before = if self.records == 0 { before } else { "" };
        self.sink.add(format!("{before}{after}").as_bytes())?;
        self.sink.finish()
    }
}
