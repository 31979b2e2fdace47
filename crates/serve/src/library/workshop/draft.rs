//! Drafts: a site's wrapper with the changes of a person that are not saved yet. A draft never
//! changes; each step makes a new one of it, and undo goes back to the one before.

use super::effect::{PageEffect, PageResult};
use super::fault::StepFault;
use super::typed;
use super::typed::TypedFields;
use crate::error::Result;
use forest_archive::StoredDraft;
use forest_core::extract::Extractor;
use forest_core::learn::{LabelReason, LearnOptions, LearnOutcome, correct, learn};
use forest_core::wrapper::{Label, LabelRole, MAX_LABELS, Wrapper};
use forest_exchange::from_ftr;
use forest_harvest::SiteWork;
use forest_html::page::NodeId;
use forest_web::token::random_name;
use std::sync::Arc;

/// The base of drafts: the wrapper that is saved, and its results.
#[derive(Debug)]
pub(super) struct DraftBase {
    pub site: String,
    pub work: SiteWork,
    pub extractor: Option<Extractor>,
    pub results: Vec<PageResult>,
}

impl DraftBase {
    pub fn of(site: &str, work: SiteWork) -> Result<DraftBase> {
        let wrapper = work.file.as_ref().map(|file| file.file.wrapper.clone());
        let extractor = wrapper.map(Extractor::new).transpose()?;
        let of_page = |page| PageResult::of(extractor.as_ref(), page);
        Ok(DraftBase {
            site: site.to_owned(),
            results: work.pages.iter().map(of_page).collect(),
            extractor,
            work,
        })
    }

    /// SHA-256 of the wrapper's file, in hex.
    pub fn sha256(&self) -> Option<&str> {
        self.work.file.as_ref().map(|file| &*file.sha256)
    }

    /// True if it shows a site as it is now.
    pub fn is_of(&self, site: &str, work: &SiteWork) -> bool {
        let file = |work: &SiteWork| work.file.as_ref().map(|file| file.sha256.clone());
        let pages = |work: &SiteWork| -> Vec<String> {
            work.pages.iter().map(|page| page.sha256.clone()).collect()
        };
        let is_as_large = self.work.articles == work.articles;
        let has_file = file(&self.work) == file(work);
        self.site == site && is_as_large && has_file && pages(&self.work) == pages(work)
    }
}

/// See the file's page.
#[derive(Debug)]
pub(super) struct WrapperDraft {
    pub id: String,
    pub parent: Option<String>,
    pub base: Arc<DraftBase>,
    pub extractor: Option<Extractor>,
    pub by_hand: bool,
    /// The steps so far, in sentences.
    pub steps: Vec<String>,
    /// Parts of the last step that did not work.
    pub notes: Vec<String>,
    /// The reason for the expression of each label, if the last step chose them.
    pub reasons: Vec<Option<LabelReason>>,
    pub results: Vec<PageResult>,
    pub effects: Vec<PageEffect>,
}

impl WrapperDraft {
    /// The draft without a change. Its name is that of the wrapper's file, so that it is found by
    /// another server, too.
    pub fn first(base: Arc<DraftBase>) -> WrapperDraft {
        let made = NewDraft {
            by_hand: base.work.file.as_ref().is_some_and(|file| file.file.edited),
            ..NewDraft::default()
        };
        let extractor = base.extractor.clone();
        WrapperDraft {
            id: first_name(&base.work),
            ..WrapperDraft::made(base, None, Vec::new(), made, extractor)
        }
    }

    /// A draft as it was stored, with its effect on the pages of `base`.
    ///
    /// # Errors
    ///
    /// If its wrapper is none.
    pub fn restored(base: Arc<DraftBase>, stored: &StoredDraft) -> Result<WrapperDraft> {
        let made = NewDraft {
            by_hand: stored.by_hand,
            notes: stored.notes.clone(),
            ..NewDraft::default()
        };
        let extractor = Extractor::new(Wrapper::from_yaml(&stored.wrapper)?.wrapper)?;
        let (parent, steps) = (stored.parent.clone(), stored.steps.clone());
        Ok(WrapperDraft {
            id: stored.id.clone(),
            ..WrapperDraft::made(base, Some(parent), steps, made, Some(extractor))
        })
    }

    /// The draft as it is stored; `None` for the one without a change, which another server makes again.
    pub fn to_stored(&self) -> Option<StoredDraft> {
        Some(StoredDraft {
            id: self.id.clone(),
            parent: self.parent.clone()?,
            site: self.base.site.clone(),
            made_from: self.base.sha256().map(str::to_owned),
            wrapper: self.wrapper()?.to_yaml(),
            by_hand: self.by_hand,
            steps: self.steps.clone(),
            notes: self.notes.clone(),
        })
    }

    fn made(
        base: Arc<DraftBase>,
        parent: Option<String>,
        steps: Vec<String>,
        made: NewDraft,
        extractor: Option<Extractor>,
    ) -> WrapperDraft {
        let pages = &base.work.pages;
        let of_page = |page| PageResult::of(extractor.as_ref(), page);
        let results: Vec<PageResult> = pages.iter().map(of_page).collect();
        let both = base.results.iter().zip(&results);
        let extractors = (base.extractor.as_ref(), extractor.as_ref());
        let effects = pages.iter().zip(both);
        let effects = effects.map(|(page, both)| PageEffect::of(page, extractors, both));
        WrapperDraft {
            id: random_name(),
            parent,
            effects: effects.collect(),
            by_hand: made.by_hand,
            steps,
            notes: made.notes,
            reasons: made.reasons,
            results,
            extractor,
            base,
        }
    }

    pub fn wrapper(&self) -> Option<&Wrapper> {
        self.extractor.as_ref().map(Extractor::wrapper)
    }

    pub fn labels(&self) -> &[Label] {
        self.wrapper().map_or(&[], |wrapper| &wrapper.labels)
    }

    /// The draft after a step; `now` is RFC 3339.
    ///
    /// # Errors
    ///
    /// The reason for people why the step cannot be made, with the name of the field.
    pub fn after(
        &self,
        step: &DraftStep,
        now: &str,
    ) -> std::result::Result<WrapperDraft, StepFault> {
        let made = match step {
            DraftStep::Label { page, node, role } => self.labelled(page, *node, *role, now)?,
            DraftStep::Forget(at) => {
                let mut labels = self.labels().to_vec();
                if *at >= labels.len() {
                    return Err(StepFault::of("there is no such label"));
                }
                labels.remove(*at);
                self.learned(labels, now)?
            }
            DraftStep::Learn => self.learned(self.labels().to_vec(), now)?,
            DraftStep::Typed(fields) => NewDraft {
                wrapper: Some(typed::read(self.wrapper(), &self.base.site, fields)?),
                by_hand: true,
                ..NewDraft::default()
            },
            DraftStep::Restore(at) => {
                let known = self.base.extractor.as_ref().map(Extractor::wrapper);
                let old = known.and_then(|known| Some((known, known.history.get(*at)?)));
                let (known, old) = old.ok_or(StepFault::of("there is no such earlier wrapper"))?;
                NewDraft {
                    wrapper: Some(old.restored(known)),
                    ..NewDraft::default()
                }
            }
            DraftStep::Import(text) => self.imported(text, now)?,
        };
        let wrapper = made.wrapper.clone().map(Extractor::new).transpose();
        let extractor = wrapper.map_err(|error| StepFault::of(error.to_string()))?;
        let steps = self.steps.iter().cloned().chain([step.sentence(self)]);
        let (base, parent) = (Arc::clone(&self.base), Some(self.id.clone()));
        Ok(WrapperDraft::made(
            base,
            parent,
            steps.collect(),
            made,
            extractor,
        ))
    }

    fn labelled(
        &self,
        page: &str,
        node: u32,
        role: LabelRole,
        now: &str,
    ) -> std::result::Result<NewDraft, StepFault> {
        let pages = &self.base.work.pages;
        let sample = pages.iter().find(|sample| sample.sha256 == page);
        let sample = sample.ok_or(StepFault::of(
            "newer articles came in the place of this page: choose the element again",
        ))?;
        let n = NodeId(node);
        let body = sample.page.body();
        let is_there = (n.index() < sample.page.len())
            && sample.page.tag(n).is_some()
            && body.is_some_and(|body| sample.page.contains(body, n));
        if !is_there {
            return Err(StepFault::of("choose an element of the page first"));
        }
        let label = Label::of(&sample.page, n, &*sample.name, role);
        let mut labels = self.labels().to_vec();
        labels.retain(|known| (&known.page, &known.node) != (&label.page, &label.node));
        if labels.len() >= MAX_LABELS {
            return Err(StepFault::of(format!(
                "a wrapper has {MAX_LABELS} labels at the most"
            )));
        }
        labels.push(label);
        let Some(known) = self.wrapper() else {
            return self.learned(labels, now);
        };
        let options = LearnOptions::default();
        let corrected = correct(known, labels, pages, &options);
        let corrected = corrected.map_err(|why| StepFault::of(why.to_string()))?;
        Ok(NewDraft {
            wrapper: Some(corrected.wrapper),
            by_hand: self.by_hand,
            notes: corrected.warnings,
            reasons: corrected.reasons,
        })
    }

    /// A wrapper learned from the sample with these labels.
    fn learned(&self, labels: Vec<Label>, now: &str) -> std::result::Result<NewDraft, StepFault> {
        let mut options = LearnOptions::default();
        if let Some(known) = self.wrapper() {
            options = options.with_corrections_of(known);
        }
        let options = options
            .with_site(&*self.base.site)
            .with_learned(now)
            .with_labels(labels)
            .with_articles(true);
        match learn(&self.base.work.pages, &options) {
            LearnOutcome::Learned(learned) => Ok(NewDraft {
                wrapper: Some(match self.wrapper() {
                    Some(known) => learned.wrapper.succeed(known.clone(), now),
                    None => learned.wrapper,
                }),
                notes: learned.warnings,
                ..NewDraft::default()
            }),
            LearnOutcome::Abstained(abstention) => Err(StepFault::of(format!(
                "nothing was learned: {}",
                abstention.reason
            ))),
        }
    }

    fn imported(&self, text: &str, now: &str) -> std::result::Result<NewDraft, StepFault> {
        let fault = |why: String| StepFault {
            field: Some("rules".to_owned()),
            why,
        };
        if text.trim().is_empty() {
            return Err(fault("paste the lines of a file".to_owned()));
        }
        let site = self.wrapper().map_or(&*self.base.site, |known| &known.site);
        let read = from_ftr(text.as_bytes(), site).map_err(|error| fault(error.to_string()))?;
        let mut wrapper = read.wrapper;
        wrapper.by = Some(concat!("forest ", env!("CARGO_PKG_VERSION"), " (imported)").to_owned());
        wrapper.learned = Some(now.to_owned());
        if let Some(known) = self.wrapper() {
            wrapper = wrapper.succeed(known.clone(), now);
        }
        Ok(NewDraft {
            wrapper: Some(wrapper),
            notes: read.notes.iter().map(ToString::to_string).collect(),
            ..NewDraft::default()
        })
    }
}

/// The name of the draft without a change.
fn first_name(work: &SiteWork) -> String {
    let file = work.file.as_ref().map(|file| &*file.sha256);
    format!("first-{}", file.unwrap_or("none"))
}

/// The result of a step.
#[derive(Debug, Default)]
struct NewDraft {
    wrapper: Option<Wrapper>,
    by_hand: bool,
    notes: Vec<String>,
    reasons: Vec<Option<LabelReason>>,
}

/// A change that a person asks for.
#[derive(Debug)]
pub(super) enum DraftStep {
    /// A node of a page has a role.
    Label {
        /// SHA-256 of the page, in hex.
        page: String,
        node: u32,
        role: LabelRole,
    },
    /// A label goes, and the wrapper is learned without it.
    Forget(usize),
    /// The wrapper is learned from the sample.
    Learn,
    /// The expressions are those of a form.
    Typed(TypedFields),
    /// The wrapper is an earlier one.
    Restore(usize),
    /// The wrapper is that of a file of ftr-site-config.
    Import(String),
}

impl DraftStep {
    fn sentence(&self, draft: &WrapperDraft) -> String {
        match self {
            DraftStep::Label { page, role, .. } => {
                let mut pages = draft.base.work.pages.iter();
                let of = pages.find(|sample| sample.sha256 == *page);
                let url = of.map_or("a page", |sample| &sample.name);
                format!("{}: an element of {url}", role_name(*role))
            }
            DraftStep::Forget(_) => "a label forgotten, and learned again".to_owned(),
            DraftStep::Learn => "learned again from these pages".to_owned(),
            DraftStep::Typed(_) => "expressions typed by hand".to_owned(),
            DraftStep::Restore(_) => "an earlier wrapper".to_owned(),
            DraftStep::Import(_) => "imported from ftr-site-config".to_owned(),
        }
    }
}

/// A role for people.
pub(super) fn role_name(role: LabelRole) -> &'static str {
    match role {
        LabelRole::Article => "Article",
        LabelRole::NotArticle => "Not the article",
        LabelRole::Title => "Title",
        LabelRole::Author => "Author",
        LabelRole::Date => "Date",
        LabelRole::Keep => "Keep in any case",
        LabelRole::NextPage => "Link to the next page",
    }
}
