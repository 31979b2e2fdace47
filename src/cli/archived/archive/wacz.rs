//! The archive as WACZ. A ZIP file is not written from its beginning to its end, so it is
//! made in a temporary file first, in the folder of the output.

use crate::cli::Global;
use crate::cli::output::OutputSink;
use anyhow::Context;
use forest_archive::export::{HeldPayloads, WaczCounts};
use forest_archive::{ArchiveReader, Filter, export};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Writes the archive to a file or to stdout.
pub fn write(
    archive: &ArchiveReader,
    filter: &Filter,
    against: &[PathBuf],
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
    let held = held(archive, against)?;
    let temporary = BufWriter::new(temporary);
    let (report, counts) = export::wacz(archive, filter, held.as_ref(), &title, temporary)?;
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

/// The payloads of the archive that the collections with these indexes hold.
fn held(archive: &ArchiveReader, against: &[PathBuf]) -> anyhow::Result<Option<HeldPayloads>> {
    if against.is_empty() {
        return Ok(None);
    }
    let mut held = HeldPayloads::of(archive)?;
    for path in against {
        let failed = || format!("cannot read {}", path.display());
        let index = File::open(path).with_context(failed)?;
        held.read(BufReader::new(index)).with_context(failed)?;
    }
    Ok(Some(held))
}
