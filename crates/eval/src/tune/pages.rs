//! Pages that are read and parsed once and kept for many settings.

use super::fitness::Fitness;
use super::sample::PagePlace;
use crate::error::Result;
use crate::eval::{GoldTexts, Score};
use forest_core::render;
use forest_html::page::{Page, Source};
use forest_html::text::sha256_hex;
use forest_sources::gold::Collection;
use forest_text::pipeline::Pipeline;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

/// Pages with their right texts, in memory: the parsed page, and for each different result of
/// a method its scores, by the digest of its mask. That is some three times the pages' bytes,
/// and 80 bytes a page and setting at the most.
pub struct TunePages {
    pages: Vec<KeptPage>,
    /// Fitness by measure and file of the pipeline: settings may give one pipeline.
    fitness: HashMap<(String, String), f64>,
}

struct KeptPage {
    /// The digest of its bytes and right texts.
    digest: String,
    page: Page,
    gold: GoldTexts,
    /// Scores by 2-grams and by words, by the digest of the mask.
    known: HashMap<u64, (Score, Score)>,
}

impl TunePages {
    /// Reads pages. `done` is called after each.
    ///
    /// # Errors
    ///
    /// If a page cannot be read.
    pub fn read(
        collections: &[Collection],
        places: &[PagePlace],
        done: &(dyn Fn() + Sync),
    ) -> Result<TunePages> {
        let read = |place: &PagePlace| {
            let gold = &collections[place.collection].pages()[place.page];
            let source = Source {
                url: gold.url.as_deref(),
                content_type: None,
            };
            let bytes = gold.read()?;
            let refs: Vec<&str> = gold
                .gold
                .iter()
                .flat_map(|gold| gold.refs.iter().map(String::as_str))
                .collect();
            let page = KeptPage {
                digest: sha256_hex(sha256_hex(&bytes) + &sha256_hex(refs.join("\n"))),
                page: Page::parse(&bytes, source),
                gold: GoldTexts::new(refs),
                known: HashMap::new(),
            };
            done();
            Ok(page)
        };
        let pages: Result<Vec<KeptPage>> = places.par_iter().map(read).collect();
        Ok(TunePages {
            pages: pages?,
            fitness: HashMap::new(),
        })
    }

    /// The digest of all pages and their right texts.
    pub fn digest(&self) -> String {
        let digests: Vec<&str> = self.pages.iter().map(|page| &*page.digest).collect();
        sha256_hex(digests.concat())
    }

    /// The fitness of pipelines, each evaluated once.
    pub fn fitness(&mut self, pipelines: &[Pipeline], measure: Fitness) -> Vec<f64> {
        let key = |one: &Pipeline| (measure.to_string(), one.to_yaml());
        let mut new: Vec<Pipeline> = Vec::new();
        let mut keys = HashSet::new();
        for one in pipelines {
            if !self.fitness.contains_key(&key(one)) && keys.insert(key(one)) {
                new.push(one.clone());
            }
        }
        let scores = self.scores(&new);
        for (one, scores) in new.iter().zip(scores) {
            self.fitness.insert(key(one), measure.of(&scores));
        }
        pipelines
            .iter()
            .map(|one| self.fitness[&key(one)])
            .collect()
    }

    /// The number of pages.
    pub fn count(&self) -> usize {
        self.pages.len()
    }

    /// The scores of each pipeline, by 2-grams and by words, page by page.
    pub fn scores(&mut self, pipelines: &[Pipeline]) -> Vec<Vec<(Score, Score)>> {
        let by_page: Vec<Vec<(Score, Score)>> = self
            .pages
            .par_iter_mut()
            .map(|page| pipelines.iter().map(|one| page.score(one)).collect())
            .collect();
        let of_pipeline = |at: usize| by_page.iter().map(|scores| scores[at]).collect();
        (0..pipelines.len()).map(of_pipeline).collect()
    }
}

impl KeptPage {
    fn score(&mut self, pipeline: &Pipeline) -> (Score, Score) {
        let mask = pipeline.article(&self.page);
        let digest = foldhash::quality::FixedState::with_seed(0).hash_one(&mask);
        let (page, gold) = (&self.page, &mut self.gold);
        let scores = || gold.compare(&render::text(page, &mask));
        *self.known.entry(digest).or_insert_with(scores)
    }
}
