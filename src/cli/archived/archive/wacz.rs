//! The archive as WACZ. A ZIP file is not written from its beginning to its end, so it is
//! made in a temporary file first, in the folder of the output.

use crate::cli::Global;
use crate::cli::output::OutputSink;
use anyhow::Context;
use forest_archive::export::WaczCounts;
use forest_archive::{ArchiveReader, Filter, export};
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

/// Writes the archive to a file or to stdout.
pub fn write(
    archive: &ArchiveReader,
    filter: &Filter,
    out: Option<&Path>,
    global: &Global,
) -> anyhow::Result<WaczCounts> {
    let folder = out
        .filter(|out| out.as_os_str() != "-")
        .and_then(Path::parent);
    let temporary = match folder.filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => tempfile::tempfile_in(folder),
        None if folder.is_some() => tempfile::tempfile_in("."),
        None => tempfile::tempfile(),
    };
    let temporary = temporary.context("cannot write a temporary file")?;
    let title = match &filter.site {
        Some(site) => format!("Pages of {site}"),
        None => "Pages of a forest archive".to_owned(),
    };
    let progress = global.busy("exporting");
    let (report, counts) = export::wacz(archive, filter, &title, BufWriter::new(temporary))?;
    let mut file = report
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    drop(progress);
    if counts.records == 0 {
        return Ok(counts);
    }
    file.rewind()?;
    let mut out = OutputSink::open_file(out, global)?;
    io::copy(&mut BufReader::new(file), &mut out)?;
    out.flush()?;
    out.finish()?;
    Ok(counts)
}
