//! The commands of an archive, and the archive's part of the others: what is left out where the
//! program is built without one (`without_archive.rs`).
//!
//! - [`archive_dir`]: the options that name an archive.
//! - `page_keeper`: `--archive` of `apply`; `of_site`: pages and wrappers of an archive for `site`.

/// A JSON object of some fields of a value, under the fields' names.
macro_rules! json_of {
    ($of:expr, $($field:ident),+ $(,)?) => {
        serde_json::json!({ $((stringify!($field)): $of.$field),+ })
    };
}

mod archive;
pub mod archive_dir;
mod diffs;
mod feed;
pub mod harvest;
mod history;
mod images;
mod of_site;
mod page_keeper;
pub mod relearn;
mod rules;
mod search;
mod stored;

pub use images::ImageArgs;
pub use of_site::{ArchivedPagesArgs, WrapperArchiveArgs};
pub use page_keeper::{KeeperArgs, PageKeeper};

subcommands!(ArchivedCommand {
    Harvest(harvest::HarvestArgs) => harvest::run,
    Archive(archive::ArchiveCommandArgs) => archive::run,
    Search(search::SearchArgs) => search::run,
    History(history::HistoryArgs) => history::run,
    Diffs(diffs::DiffsArgs) => diffs::run,
    Feed(feed::FeedArgs) => feed::run,
});
