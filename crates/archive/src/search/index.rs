//! The index on disk.

use super::super::{ArchiveReader, ArticleVersion, StoredArticle};
use super::fields::{ARTICLE, Analyzers, DATE, FORMAT, IndexFields};
use super::query::{CompiledQuery, compile};
use super::shared::{SharedDirectory, may_not_write};
use super::{MAX_HITS, Query, SearchHit, SearchResults, Snippet};
use crate::error::{ErrorKind, Result};
use chrono::DateTime;
use forest_html::text::Language;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tantivy::collector::sort_key::{SortBySimilarityScore, SortByStaticFastValue};
use tantivy::collector::{Collector, Count, TopDocs};
use tantivy::directory::INDEX_WRITER_LOCK;
use tantivy::directory::error::{LockError, OpenReadError};
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy, MergePolicy};
use tantivy::query::EnableScoring;
use tantivy::schema::{Field, Value};
use tantivy::{
    Directory, DocAddress, IndexReader, IndexWriter, Order, ReloadPolicy, Searcher,
    TantivyDocument, TantivyError, Term,
};

/// Memory for documents that are not on the disk yet; tantivy wants at least 15 MB.
/// Some 3,000 articles of 5 kB fit, so a harvest's batch is one segment.
const WRITER_BYTES: usize = 30_000_000;

/// Documents of one commit while catching up: so an interrupted fresh index of a large archive
/// is not begun again.
const BATCH: usize = 5_000;

/// Segments of one size that are merged into one.
const MERGED: usize = 8;

/// Number of documents below which segments count as of equal size.
const SMALL_SEGMENT: u32 = 500;

/// Number of documents from which a segment is not merged, so that no merge takes long.
const LARGE_SEGMENT: usize = 100_000;

/// Share of replaced documents from which a segment is written again without them.
const REPLACED: f32 = 0.3;

/// The payload of a commit.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Payload {
    format: u32,
    /// [`ArticleVersion::changed`] of the last version in the index.
    after: i64,
}

/// The result of [`SearchIndex::catch_up`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaughtUp {
    /// The number of added or replaced versions.
    Added(usize),
    /// Another process is writing to the index, or this one lacks the permission; committed
    /// versions can be searched.
    Busy,
}

/// An index of an archive's articles. Any number of processes may search it; one writes
/// to it at a time.
pub struct SearchIndex {
    dir: PathBuf,
    fields: IndexFields,
    index: tantivy::Index,
    reader: IndexReader,
    /// The writer, from the first change on.
    writer: Option<IndexWriter>,
    analyzers: Mutex<Analyzers>,
}

impl std::fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SearchIndex").field(&self.dir).finish()
    }
}

/// The reason why an index cannot be used.
enum IndexFault {
    /// There is none.
    Missing,
    /// Its files are damaged, or of another format: only what is made anew can be used.
    Damaged,
    /// Another error, which says nothing of its files.
    Failed(TantivyError),
}

impl From<TantivyError> for IndexFault {
    fn from(error: TantivyError) -> Self {
        let of_files = |error: &io::Error| {
            matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData
            )
        };
        let is_damaged = match &error {
            TantivyError::IoError(io) => of_files(io),
            TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => {
                of_files(io_error)
            }
            TantivyError::OpenReadError(
                OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_),
            )
            | TantivyError::DataCorruption(_)
            | TantivyError::SchemaError(_)
            | TantivyError::IncompatibleIndex(_) => true,
            _ => false,
        };
        if is_damaged {
            IndexFault::Damaged
        } else {
            IndexFault::Failed(error)
        }
    }
}

impl IndexFault {
    fn told(self, dir: &Path) -> crate::Error {
        match self {
            IndexFault::Failed(error) => failed(dir, error),
            IndexFault::Missing | IndexFault::Damaged => ErrorKind::IndexDamaged {
                path: dir.to_owned(),
            }
            .into(),
        }
    }
}

/// Waits for the merges of segments that were begun. Without them each process that adds a few articles
/// leaves one more segment, and a search opens them all.
impl Drop for SearchIndex {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // What is not merged now is merged after a later change.
            let _ = writer.wait_merging_threads();
        }
    }
}

impl SearchIndex {
    /// Opens the index in a folder to search it. If there is none, an empty one is made;
    /// [`Self::catch_up`] fills it. No index is ever deleted.
    ///
    /// # Errors
    ///
    /// If it is damaged or of another format, cannot be read, or must be made while another
    /// process writes to it.
    pub fn open(dir: &Path) -> Result<SearchIndex> {
        match Self::usable(dir) {
            Ok(index) => Ok(index),
            Err(IndexFault::Missing) => Self::make(dir, OldFiles::Kept),
            Err(fault) => Err(fault.told(dir)),
        }
    }

    /// Opens the index in a folder to write to it. In place of a damaged one, or one of
    /// another format, an empty one is made.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or must be made while another process writes to it.
    pub fn open_or_remake(dir: &Path) -> Result<SearchIndex> {
        match Self::usable(dir) {
            Ok(index) => Ok(index),
            Err(IndexFault::Missing | IndexFault::Damaged) => Self::anew(dir),
            Err(fault) => Err(fault.told(dir)),
        }
    }

    /// Makes an empty index in place of an old one.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or another process writes to it.
    pub fn anew(dir: &Path) -> Result<SearchIndex> {
        Self::make(dir, OldFiles::Deleted)
    }

    fn make(dir: &Path, old_files: OldFiles) -> Result<SearchIndex> {
        let make = || -> Result<(), TantivyError> {
            fs::create_dir_all(dir)?;
            let directory = SharedDirectory::open(dir)?;
            // The holder of this lock may write; it is released at the end.
            let _lock = directory
                .acquire_lock(&INDEX_WRITER_LOCK)
                .map_err(|error| TantivyError::LockFailure(error, None))?;
            if let OldFiles::Deleted = old_files {
                delete_files(dir)?;
            }
            let (schema, _) = IndexFields::schema();
            tantivy::Index::create(directory, schema, tantivy::IndexSettings::default())?;
            Ok(())
        };
        make().map_err(|error| failed(dir, error))?;
        Self::usable(dir).map_err(|fault| fault.told(dir))
    }

    fn usable(dir: &Path) -> Result<SearchIndex, IndexFault> {
        if !dir
            .join("meta.json")
            .try_exists()
            .map_err(TantivyError::from)?
        {
            return Err(IndexFault::Missing);
        }
        let (schema, fields) = IndexFields::schema();
        let index = tantivy::Index::open(SharedDirectory::open(dir)?)?;
        if index.schema() != schema {
            return Err(IndexFault::Damaged);
        }
        let metas = index.load_metas()?;
        // An index without a commit is empty.
        match metas
            .payload
            .as_deref()
            .map(serde_json::from_str::<Payload>)
        {
            None if metas.segments.is_empty() => {}
            Some(Ok(payload)) if payload.format == FORMAT => {}
            _ => return Err(IndexFault::Damaged),
        }
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(SearchIndex {
            dir: dir.to_owned(),
            fields,
            index,
            reader,
            writer: None,
            analyzers: Mutex::default(),
        })
    }

    /// The last [`ArticleVersion::changed`] that is in the index.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn followed(&self) -> Result<i64> {
        let metas = self.index.load_metas().map_err(|e| failed(&self.dir, e))?;
        let payload = metas
            .payload
            .as_deref()
            .map(serde_json::from_str::<Payload>);
        Ok(payload
            .and_then(|read| read.ok())
            .map_or(0, |payload| payload.after))
    }

    /// The number of articles in it.
    pub fn articles(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Returns true if the files of the index are undamaged: reads all of them.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn is_sound(&self) -> Result<bool> {
        let damaged = self.index.validate_checksum();
        Ok(damaged.map_err(|e| failed(&self.dir, e))?.is_empty())
    }

    /// Adds the versions since the last call, without those that are not their article's
    /// latest. When it returns they are committed; an interrupted call is completed by the
    /// next one.
    ///
    /// # Errors
    ///
    /// If the archive cannot be read or the index cannot be written.
    pub fn catch_up(&mut self, archive: &ArchiveReader) -> Result<CaughtUp> {
        self.follow(|after, f| archive.versions_after(after, f))
    }

    /// [`Self::catch_up`] with the versions that `versions` gives after a change.
    pub(super) fn follow(
        &mut self,
        versions: impl FnOnce(i64, VersionSink<'_>) -> Result<()>,
    ) -> Result<CaughtUp> {
        let Some(mut writer) = self.write()? else {
            return Ok(CaughtUp::Busy);
        };
        let (mut added, mut pending) = (0, 0);
        let start = self.followed()?;
        let mut after = start;
        let followed = versions(start, &mut |article, version| {
            after = version.changed;
            pending += 1;
            if version.number == article.versions {
                added += 1;
                self.put(&writer, &article, &version)
                    .map_err(|e| failed(&self.dir, e))?;
            }
            if pending >= BATCH {
                pending = 0;
                commit(&mut writer, after).map_err(|e| failed(&self.dir, e))?;
            }
            Ok(())
        });
        let finished = followed.and_then(|()| {
            if pending > 0 {
                commit(&mut writer, after).map_err(|e| failed(&self.dir, e))?;
            }
            Ok(())
        });
        // After an error the writer is dropped: its documents are added again.
        finished?;
        self.writer = Some(writer);
        if after != start {
            self.reload()?;
        }
        Ok(CaughtUp::Added(added))
    }

    /// Gives up the merges of segments that were begun: a later change begins them again.
    pub fn leave_merges(&mut self) {
        self.writer = None;
    }

    fn put(
        &self,
        writer: &IndexWriter,
        article: &StoredArticle,
        version: &ArticleVersion,
    ) -> Result<(), TantivyError> {
        let document = self
            .fields
            .document(article, version, &mut self.analyzers());
        writer.delete_term(Term::from_field_i64(self.fields.article, article.id));
        writer.add_document(document)?;
        Ok(())
    }

    /// The writer; `None` while another process has one, and without write permission.
    fn write(&mut self) -> Result<Option<IndexWriter>> {
        if let Some(writer) = self.writer.take() {
            return Ok(Some(writer));
        }
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(WRITER_BYTES)
            .build();
        let writer: IndexWriter = match self.index.writer_with_options(options) {
            Ok(writer) => writer,
            Err(TantivyError::LockFailure(LockError::LockBusy, _)) => return Ok(None),
            // A process with write permission does it.
            Err(TantivyError::LockFailure(LockError::IoError(error), _))
                if may_not_write(&error) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(failed(&self.dir, error)),
        };
        writer.set_merge_policy(merge_policy());
        Ok(Some(writer))
    }

    /// Loads the commits of other processes.
    ///
    /// # Errors
    ///
    /// If the index cannot be read.
    pub fn reload(&self) -> Result<()> {
        self.reader.reload().map_err(|e| failed(&self.dir, e))
    }

    /// Looks for articles.
    ///
    /// # Errors
    ///
    /// If the index cannot be read. No query is an error.
    pub fn search(&self, query: &Query) -> Result<SearchResults> {
        self.find(query).map_err(|e| failed(&self.dir, e))
    }

    fn find(&self, query: &Query) -> Result<SearchResults, TantivyError> {
        let searcher = self.reader.searcher();
        let languages = match query.language {
            Some(language) => vec![language],
            None => languages(&searcher, self.fields.language)?,
        };
        let mut analyzers = self.analyzers();
        let CompiledQuery {
            query: wanted,
            terms,
            has_condition,
        } = compile(query, &languages, &self.fields, &mut analyzers);
        // An archive without articles has no languages to find terms in.
        let has_condition = languages.is_empty() || has_condition;
        let offset = query.offset.min(MAX_HITS);
        let limit = query.limit.min(MAX_HITS - offset);
        if limit == 0 {
            let total = searcher.search(&wanted, &Count)?;
            return Ok(SearchResults {
                total,
                hits: Vec::new(),
                has_condition,
            });
        }
        let order = (
            SortBySimilarityScore,
            (SortByStaticFastValue::<i64>::for_field(DATE), Order::Desc),
            (SortByStaticFastValue::<i64>::for_field(ARTICLE), Order::Asc),
        );
        let best = TopDocs::with_limit(limit)
            .and_offset(offset)
            .order_by(order);
        let (total, best) = on_all_cores(&searcher, &*wanted, &(Count, best))?;
        let mut hits = Vec::with_capacity(best.len());
        for ((score, ..), at) in best {
            let mut hit = self.hit(&searcher, at, score)?;
            let language = Language::from_tag(&hit.language);
            let text = std::mem::take(&mut hit.snippet.text);
            hit.snippet = Snippet::of(&text, language, &terms, &mut analyzers);
            hits.push(hit);
        }
        Ok(SearchResults {
            total,
            hits,
            has_condition,
        })
    }

    /// The stored fields of an article, its text in place of the snippet.
    fn hit(
        &self,
        searcher: &Searcher,
        at: DocAddress,
        score: f32,
    ) -> Result<SearchHit, TantivyError> {
        let document: TantivyDocument = searcher.doc(at)?;
        let text = |field: Field| {
            let value = document.get_first(field);
            value
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        let number = |field: Field| {
            let value = document.get_first(field);
            value.and_then(|value| value.as_i64()).unwrap_or_default()
        };
        Ok(SearchHit {
            article: number(self.fields.article),
            url: text(self.fields.url),
            site: text(self.fields.site),
            title: text(self.fields.title_stored),
            date: DateTime::from_timestamp(number(self.fields.date), 0).unwrap_or_default(),
            status: text(self.fields.status),
            language: text(self.fields.language),
            score,
            snippet: Snippet {
                text: text(self.fields.text_stored),
                ..Snippet::default()
            },
        })
    }

    fn analyzers(&self) -> MutexGuard<'_, Analyzers> {
        // They are only caches, so a panic cannot leave them in a wrong state.
        self.analyzers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The fate of the files of an earlier index.
#[derive(Clone, Copy)]
enum OldFiles {
    Kept,
    Deleted,
}

fn delete_files(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_lock = name.to_string_lossy().ends_with(".lock");
        if !is_lock && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// [`Searcher::search`], the segments in parallel.
fn on_all_cores<C: Collector>(
    searcher: &Searcher,
    query: &dyn tantivy::query::Query,
    collector: &C,
) -> Result<C::Fruit, TantivyError> {
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    collector.check_schema(searcher.schema())?;
    let segments: Vec<_> = (0..).zip(searcher.segment_readers()).collect();
    let collect = |(ordinal, segment)| collector.collect_segment(&*weight, ordinal, segment);
    let fruits: Result<Vec<_>, _> = segments.into_par_iter().map(collect).collect();
    collector.merge_fruits(fruits?)
}

fn merge_policy() -> Box<dyn MergePolicy> {
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(MERGED);
    policy.set_min_layer_size(SMALL_SEGMENT);
    policy.set_max_docs_before_merge(LARGE_SEGMENT);
    policy.set_del_docs_ratio_before_merge(REPLACED);
    Box::new(policy)
}

/// A callback for versions.
type VersionSink<'a> = &'a mut dyn FnMut(StoredArticle, ArticleVersion) -> Result<()>;

fn commit(writer: &mut IndexWriter, after: i64) -> Result<(), TantivyError> {
    let payload = Payload {
        format: FORMAT,
        after,
    };
    let payload = serde_json::to_string(&payload).expect("all keys are strings");
    let mut prepared = writer.prepare_commit()?;
    prepared.set_payload(&payload);
    prepared.commit()?;
    Ok(())
}

/// The languages of the texts in the index, in the order of their tags.
fn languages(searcher: &Searcher, field: Field) -> Result<Vec<Language>, TantivyError> {
    let mut found = Vec::new();
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(field)?;
        let mut terms = index.terms().stream()?;
        while terms.advance() {
            let tag = String::from_utf8_lossy(terms.key());
            let language = Language::from_tag(&tag);
            if !found.contains(&language) {
                found.push(language);
            }
        }
    }
    found.sort_by_key(|language| language.tag());
    Ok(found)
}

fn failed(dir: &Path, error: TantivyError) -> crate::Error {
    let path = dir.to_owned();
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => ErrorKind::IndexBusy { path }.into(),
        source => ErrorKind::SearchIndex { path, source }.into(),
    }
}
