//! The optimisers by name, and the grid.

use forest_text::pipeline::{Parameter, Setting};

/// The way in which settings are proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Optimiser {
    /// The paper's evolution.
    #[default]
    Evolution,
    /// The same with its future work.
    Adaptive,
    /// Random settings.
    Random,
    /// Settings at even distances.
    Grid,
    /// A tree of Parzen estimators.
    Tpe,
}

impl Optimiser {
    /// All optimisers.
    pub const ALL: [Optimiser; 5] = [
        Optimiser::Evolution,
        Optimiser::Adaptive,
        Optimiser::Random,
        Optimiser::Grid,
        Optimiser::Tpe,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Optimiser::Evolution => "evolution",
            Optimiser::Adaptive => "adaptive",
            Optimiser::Random => "random",
            Optimiser::Grid => "grid",
            Optimiser::Tpe => "tpe",
        }
    }
}

/// The points of the finest grid of at most `budget` settings: as many values of each number,
/// its ends included, and all names and flags. Empty if the budget is not enough for two values
/// of each number.
pub(super) fn grid(space: &[Parameter], budget: usize) -> Vec<Setting> {
    let counts = |of_number: usize| -> Vec<usize> {
        let count = |parameter: &Parameter| {
            if parameter.is_ordered() {
                parameter.steps().min(of_number)
            } else {
                parameter.steps()
            }
        };
        space.iter().map(count).collect()
    };
    let size = |counts: &[usize]| counts.iter().copied().fold(1, usize::saturating_mul);
    let most = space.iter().map(Parameter::steps).max().unwrap_or(0);
    let fits = |of_number: &usize| size(&counts(*of_number)) <= budget;
    let Some(of_number) = (2..=most.max(2)).take_while(fits).last() else {
        return Vec::new();
    };
    let counts = counts(of_number);
    let point = |mut at: usize| -> Setting {
        let mut setting = Setting::new();
        for (parameter, &count) in space.iter().zip(&counts).rev() {
            let last = count.saturating_sub(1).max(1);
            setting.push((at % count) * (parameter.steps() - 1) / last);
            at /= count;
        }
        setting.reverse();
        setting
    };
    (0..size(&counts)).map(point).collect()
}
