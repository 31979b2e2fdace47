//! The extractors with their parameters, and the sets of parameters that have a
//! name.

use crate::baseline::blurring::{self, Blurring};
use crate::baseline::lqf::{self, Lqf};
use crate::baseline::sw::{self, Sw};
use crate::baseline::ttr::{self, Ttr};
use crate::baseline::{boilerpipe, bte};
use crate::onepage;
use crate::page::view::View;
use crate::page::{Mask, Page};
use crate::text::Language;
use std::fmt;

/// The highest number of standard deviations: no line of a page is so far out.
const MAX_DEVIATIONS: u32 = 100;

/// A one-page extractor with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Extractor {
    /// [`boilerpipe`].
    Boilerpipe,
    /// [`lqf`].
    Lqf(Lqf),
    /// [`blurring`].
    Blurring(Blurring),
    /// [`sw`].
    Sw(Sw),
    /// [`bte`].
    Bte,
    /// [`ttr`].
    Ttr(Ttr),
    /// [`onepage`].
    OnePage,
}

impl Extractor {
    /// The text nodes of a page's article.
    pub fn article(&self, page: &Page) -> Mask {
        self.within(&View::whole(page))
    }

    /// [`article`](Extractor::article) of what is there of a page.
    pub(super) fn within(&self, view: &View<'_>) -> Mask {
        match self {
            Extractor::Boilerpipe => boilerpipe::within(view),
            Extractor::Lqf(lqf) => lqf::within(view, lqf),
            Extractor::Blurring(blurring) => blurring::within(view, blurring),
            Extractor::Sw(sw) => sw::within(view, sw),
            Extractor::Bte => bte::within(view),
            Extractor::Ttr(ttr) => ttr::within(view, ttr),
            Extractor::OnePage => onepage::within(view),
        }
    }

    /// The parameters that it has.
    pub fn parameters(&self) -> &'static [Parameter] {
        use Parameter::{Deviations, English, German, Italian, OtherLanguages, Radius, Threshold};
        match self {
            Extractor::Boilerpipe | Extractor::Bte | Extractor::OnePage => &[],
            Extractor::Lqf(_) => &[Threshold],
            Extractor::Blurring(_) => &[Radius, Threshold],
            Extractor::Sw(_) => &[English, German, Italian, OtherLanguages],
            Extractor::Ttr(_) => &[Radius, Deviations],
        }
    }

    /// The same with another value of a parameter; one that it does not have
    /// changes nothing. The value is one of the parameter's
    /// [`range`](Parameter::range).
    pub fn with(self, parameter: Parameter, value: f64) -> Extractor {
        let language = match parameter {
            Parameter::English => Language::English,
            Parameter::German => Language::German,
            Parameter::Italian => Language::Italian,
            _ => Language::Unknown,
        };
        match (self, parameter) {
            (this, parameter) if !this.parameters().contains(&parameter) => this,
            (Extractor::Lqf(lqf), _) => Extractor::Lqf(lqf.with_threshold(value)),
            (Extractor::Blurring(blurring), Parameter::Radius) => {
                Extractor::Blurring(blurring.with_radius(value as usize))
            }
            (Extractor::Blurring(blurring), _) => {
                Extractor::Blurring(blurring.with_threshold(value))
            }
            (Extractor::Sw(sw), _) => Extractor::Sw(sw.with_threshold(language, value)),
            (Extractor::Ttr(ttr), Parameter::Radius) => {
                Extractor::Ttr(ttr.with_radius(value as usize))
            }
            (Extractor::Ttr(ttr), _) => Extractor::Ttr(ttr.with_deviations(value)),
            (this @ (Extractor::Boilerpipe | Extractor::Bte | Extractor::OnePage), _) => this,
        }
    }
}

/// A number that an extractor goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// t of LQF and of content code blurring.
    Threshold,
    /// r of content code blurring, in entries; lines of TTR.
    Radius,
    /// The threshold of SW for English.
    English,
    /// The threshold of SW for German.
    German,
    /// The threshold of SW for Italian.
    Italian,
    /// The threshold of SW for all other languages.
    OtherLanguages,
    /// λ of TTR.
    Deviations,
}

impl Parameter {
    /// The name, as a key of a pipeline's file.
    pub fn name(self) -> &'static str {
        match self {
            Parameter::Threshold => "threshold",
            Parameter::Radius => "radius",
            Parameter::English => "english",
            Parameter::German => "german",
            Parameter::Italian => "italian",
            Parameter::OtherLanguages => "other",
            Parameter::Deviations => "deviations",
        }
    }

    /// The values that make sense.
    pub fn range(self) -> Range {
        match self {
            Parameter::Radius => Range::Whole {
                from: 1,
                to: blurring::MAX_RADIUS,
            },
            Parameter::Deviations => Range::Number { to: MAX_DEVIATIONS },
            _ => Range::Number { to: 1 },
        }
    }
}

/// The values that a number can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Whole numbers, both ends included.
    Whole {
        /// The lowest.
        from: u32,
        /// The highest.
        to: u32,
    },
    /// All numbers from 0 on.
    Number {
        /// The highest.
        to: u32,
    },
}

impl Range {
    /// Whether a value is one of them.
    pub fn contains(self, value: f64) -> bool {
        match self {
            Range::Whole { from, to } => {
                value.fract() == 0.0 && (f64::from(from)..=f64::from(to)).contains(&value)
            }
            Range::Number { to } => (0.0..=f64::from(to)).contains(&value),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Whole { from, to } => write!(f, "a whole number from {from} to {to}"),
            Range::Number { to } => write!(f, "a number from 0 to {to}"),
        }
    }
}

/// An extractor with its parameters, by name. A name alone stands for the
/// defaults; of the paper's extractors these are its new values, and `-old` stands
/// for those from before its search (Gottron 5.4). Its search found the values of
/// ACCB again.
///
/// | name | also | parameters |
/// | --- | --- | --- |
/// | `onepage` | | |
/// | `boilerpipe` | | |
/// | `lqf`; `lqf-old` | `lqf-new` | t = 0.23; 0.25 |
/// | `ccb` | | r = 40, t = 0.75 |
/// | `accb` | `accb-new`, `accb-old` | r = 40, t = 0.75 |
/// | `tccb`; `tccb-old` | `tccb-new` | r = 18, t = 0.75; r = 25, t = 0.75 |
/// | `sw`; `sw-old` | `sw-new` | English 0.31, German 0.32, Italian 0.38; 0.30, 0.25, 0.40 |
/// | `bte` | | |
/// | `ttr` | | r = 2, λ = 1 |
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    /// The best of this project.
    Onepage,
    /// Boilerpipe's ArticleExtractor.
    Boilerpipe,
    /// Link quota filter (Gottron 5.1).
    Lqf,
    /// The same with the values from before the paper.
    LqfOld,
    /// Content code blurring (Gottron 5.2).
    Ccb,
    /// The same without links.
    Accb,
    /// The same over tokens.
    Tccb,
    /// The same with the values from before the paper.
    TccbOld,
    /// Stop-word filter (Gottron 5.3).
    Sw,
    /// The same with the values from before the paper.
    SwOld,
    /// Body text extraction (Finn et al. 2001).
    Bte,
    /// Text-to-tag ratio (Weninger & Hsu 2008).
    Ttr,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 12] = [
        Preset::Onepage,
        Preset::Boilerpipe,
        Preset::Lqf,
        Preset::LqfOld,
        Preset::Ccb,
        Preset::Accb,
        Preset::Tccb,
        Preset::TccbOld,
        Preset::Sw,
        Preset::SwOld,
        Preset::Bte,
        Preset::Ttr,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Onepage => "onepage",
            Preset::Boilerpipe => "boilerpipe",
            Preset::Lqf => "lqf",
            Preset::LqfOld => "lqf-old",
            Preset::Ccb => "ccb",
            Preset::Accb => "accb",
            Preset::Tccb => "tccb",
            Preset::TccbOld => "tccb-old",
            Preset::Sw => "sw",
            Preset::SwOld => "sw-old",
            Preset::Bte => "bte",
            Preset::Ttr => "ttr",
        }
    }

    /// Other names for the same.
    pub fn other_names(self) -> &'static [&'static str] {
        match self {
            Preset::Lqf => &["lqf-new"],
            Preset::Accb => &["accb-new", "accb-old"],
            Preset::Tccb => &["tccb-new"],
            Preset::Sw => &["sw-new"],
            _ => &[],
        }
    }

    /// The preset of a name, if it is one.
    ///
    /// ```
    /// use forest::pipeline::Preset;
    /// assert_eq!(Preset::by_name("lqf-new"), Some(Preset::Lqf));
    /// assert_eq!(Preset::by_name("magic"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Preset> {
        let named = |preset: &Preset| preset.name() == name || preset.other_names().contains(&name);
        Preset::ALL.into_iter().find(named)
    }

    /// The extractor.
    pub fn extractor(self) -> Extractor {
        match self {
            Preset::Onepage => Extractor::OnePage,
            Preset::Boilerpipe => Extractor::Boilerpipe,
            Preset::Lqf => Extractor::Lqf(Lqf::optimised()),
            Preset::LqfOld => Extractor::Lqf(Lqf::earlier()),
            Preset::Ccb => Extractor::Blurring(Blurring::ccb()),
            Preset::Accb => Extractor::Blurring(Blurring::accb()),
            Preset::Tccb => Extractor::Blurring(Blurring::tccb()),
            Preset::TccbOld => Extractor::Blurring(Blurring::tccb_earlier()),
            Preset::Sw => Extractor::Sw(Sw::optimised()),
            Preset::SwOld => Extractor::Sw(Sw::earlier()),
            Preset::Bte => Extractor::Bte,
            Preset::Ttr => Extractor::Ttr(Ttr::default()),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_are_one_presets() {
        let mut names = Vec::new();
        for preset in Preset::ALL {
            for name in [preset.name()].iter().chain(preset.other_names()) {
                assert_eq!(Preset::by_name(name), Some(preset));
                assert!(!names.contains(name), "{name}");
                names.push(name);
            }
        }
    }

    #[test]
    fn presets_are_the_papers() {
        let check = |name: &str, expected: Extractor| {
            let preset = Preset::by_name(name).expect(name);
            assert_eq!(preset.extractor(), expected, "{name}");
        };
        let lqf = |t| Extractor::Lqf(Lqf::default().with_threshold(t));
        check("lqf-old", lqf(0.25));
        check("lqf-new", lqf(0.23));
        check("lqf", lqf(0.23));
        let blurring =
            |of: Blurring, r| Extractor::Blurring(of.with_radius(r).with_threshold(0.75));
        check("accb", blurring(Blurring::accb(), 40));
        check("tccb-old", blurring(Blurring::tccb(), 25));
        check("tccb-new", blurring(Blurring::tccb(), 18));
        let sw = |english, german, italian| {
            let sw = Sw::default().with_threshold(Language::English, english);
            let sw = sw.with_threshold(Language::German, german);
            Extractor::Sw(sw.with_threshold(Language::Italian, italian))
        };
        check("sw-old", sw(0.30, 0.25, 0.40));
        check("sw-new", sw(0.31, 0.32, 0.38));
    }

    #[test]
    fn each_parameter_sets_something_of_its_own() {
        for preset in Preset::ALL {
            let of = preset.extractor();
            let changed: Vec<Extractor> =
                of.parameters().iter().map(|&p| of.with(p, 7.0)).collect();
            for (at, one) in changed.iter().enumerate() {
                assert_ne!(*one, of, "{preset}: {}", of.parameters()[at].name());
                assert!(!changed[..at].contains(one), "{preset}");
            }
        }
        let bte = Preset::Bte.extractor();
        assert_eq!(bte.with(Parameter::Threshold, 0.5), bte);
    }

    #[test]
    fn ranges_have_ends() {
        let share = Parameter::Threshold.range();
        let radius = Parameter::Radius.range();
        for (range, value, expected) in [
            (share, 0.0, true),
            (share, 1.0, true),
            (share, 1.01, false),
            (share, -0.01, false),
            (share, f64::NAN, false),
            (share, f64::INFINITY, false),
            (radius, 1.0, true),
            (radius, 0.0, false),
            (radius, 1.5, false),
            (radius, 255.0, true),
            (radius, 256.0, false),
        ] {
            assert_eq!(range.contains(value), expected, "{range}: {value}");
        }
    }
}
