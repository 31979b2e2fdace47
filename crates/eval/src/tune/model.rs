//! A model of the good values: a tree of Parzen estimators, an estimator a parameter
//! (Bergstra, Bardenet, Bengio & Kégl 2011).

use super::individual::Individual;
use crate::eval::SplitMix64;
use forest_text::pipeline::{Parameter, Setting};
use std::convert::Infallible;
use tpe::TpeOptimizer;
use tpe::density_estimation::DefaultEstimatorBuilder;

/// An estimator for each parameter.
pub(super) struct ParzenModel(Vec<(TpeOptimizer<DefaultEstimatorBuilder>, usize)>);

impl ParzenModel {
    pub fn new(space: &[Parameter]) -> ParzenModel {
        let estimator = |parameter: &Parameter| {
            let steps = parameter.steps();
            let (builder, range) = if parameter.is_ordered() {
                (tpe::parzen_estimator(), tpe::range(0.0, steps as f64))
            } else {
                (tpe::histogram_estimator(), tpe::categorical_range(steps))
            };
            let range = range.expect("a parameter has a value");
            (TpeOptimizer::new(builder, range), steps)
        };
        ParzenModel(space.iter().map(estimator).collect())
    }

    /// Adds individuals, of which none was added before.
    pub fn learn(&mut self, individuals: &[Individual]) {
        for one in individuals {
            for ((estimator, _), place) in self.0.iter_mut().zip(&one.proposal.setting) {
                // It minimises. The middle of the step counts.
                let told = estimator.tell(*place as f64 + 0.5, -one.fitness);
                told.expect("the place is in its range and fitness is a number");
            }
        }
    }

    /// A setting that is likely to be good.
    pub fn draw(&mut self, random: &mut SplitMix64) -> Setting {
        let mut random = RandomSource(random);
        let places = self.0.iter_mut().map(|(estimator, steps)| {
            let place = estimator.ask(&mut random).unwrap_or(0.0);
            (place.max(0.0) as usize).min(*steps - 1)
        });
        places.collect()
    }
}

/// The seeded generator, as the crate wants it.
struct RandomSource<'a>(&'a mut SplitMix64);

impl rand::TryRng for RandomSource<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.0.number() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.number())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.number().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
