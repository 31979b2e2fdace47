//! The one-page methods with their parameters, and the sets of parameters that have a name.

use crate::filter::{self, FilterEngine, FilterSettings};
use forest_core::baseline::blurring::{self, Blurring};
use forest_core::baseline::lqf::{self, Lqf};
use forest_core::baseline::sw::{self, Sw};
use forest_core::baseline::ttr::{self, Ttr};
use forest_core::baseline::{boilerpipe, bte};
use forest_core::onepage;
use forest_html::page::view::View;
use forest_html::page::{Mask, Page};
use std::fmt;

/// A one-page method with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum OnePageMethod {
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
    /// [`filter`](mod@filter): what is left of the page's body.
    Crunch(Box<FilterSettings>),
}

impl OnePageMethod {
    /// The text nodes of a page's article.
    pub fn article(&self, page: &Page) -> Mask {
        self.within(&View::whole(page))
    }

    /// [`article`](OnePageMethod::article) of what is left of a page.
    pub(super) fn within(&self, view: &View<'_>) -> Mask {
        match self {
            OnePageMethod::Boilerpipe => boilerpipe::article(view),
            OnePageMethod::Lqf(lqf) => lqf::article(view, lqf),
            OnePageMethod::Blurring(blurring) => blurring::article(view, blurring),
            OnePageMethod::Sw(sw) => sw::article(view, sw),
            OnePageMethod::Bte => bte::article(view),
            OnePageMethod::Ttr(ttr) => ttr::article(view, ttr),
            OnePageMethod::OnePage => onepage::within(view),
            OnePageMethod::Crunch(settings) => {
                filter::within(view, &FilterEngine::new((**settings).clone()))
            }
        }
    }
}

/// A one-page method with its parameters, by name. A name alone stands for the
/// defaults; of the paper's methods these are its new values, and `-old` stands
/// for those from before its search (Gottron 5.4). Its search found the values of
/// ACCB again; `-tuned` stands for those that this project's search found
/// (`docs/tuning.md`).
///
/// | name | also | parameters |
/// | --- | --- | --- |
/// | `onepage` | | |
/// | `boilerpipe` | | |
/// | `lqf`; `lqf-old` | `lqf-new` | t = 0.23; 0.25 |
/// | `ccb` | | r = 40, t = 0.75 |
/// | `accb`; `accb-tuned` | `accb-new`, `accb-old` | r = 40, t = 0.75; r = 60, t = 0.55 |
/// | `tccb`; `tccb-old` | `tccb-new` | r = 18, t = 0.75; r = 25, t = 0.75 |
/// | `sw`; `sw-old` | `sw-new` | English 0.31, German 0.32, Italian 0.38; 0.30, 0.25, 0.40 |
/// | `bte` | | |
/// | `ttr` | | r = 2, λ = 1 |
/// | `crunch` | | `profile: paper`, and all of [`FilterSettings`] |
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
    /// The same with the values of this project.
    AccbTuned,
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
    /// The page without its clutter (Gupta et al. 2003).
    Crunch,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 14] = [
        Preset::Onepage,
        Preset::Boilerpipe,
        Preset::Lqf,
        Preset::LqfOld,
        Preset::Ccb,
        Preset::Accb,
        Preset::AccbTuned,
        Preset::Tccb,
        Preset::TccbOld,
        Preset::Sw,
        Preset::SwOld,
        Preset::Bte,
        Preset::Ttr,
        Preset::Crunch,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// Other names for the same.
    pub fn other_names(self) -> &'static [&'static str] {
        &self.names()[1..]
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Preset::Onepage => &["onepage"],
            Preset::Boilerpipe => &["boilerpipe"],
            Preset::Lqf => &["lqf", "lqf-new"],
            Preset::LqfOld => &["lqf-old"],
            Preset::Ccb => &["ccb"],
            Preset::Accb => &["accb", "accb-new", "accb-old"],
            Preset::AccbTuned => &["accb-tuned"],
            Preset::Tccb => &["tccb", "tccb-new"],
            Preset::TccbOld => &["tccb-old"],
            Preset::Sw => &["sw", "sw-new"],
            Preset::SwOld => &["sw-old"],
            Preset::Bte => &["bte"],
            Preset::Ttr => &["ttr"],
            Preset::Crunch => &["crunch"],
        }
    }

    /// The preset of a name, if it is one.
    ///
    /// ```
    /// use forest_text::pipeline::Preset;
    /// assert_eq!(Preset::by_name("lqf-new"), Some(Preset::Lqf));
    /// assert_eq!(Preset::by_name("magic"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Preset> {
        let named = |preset: &Preset| preset.names().contains(&name);
        Preset::ALL.into_iter().find(named)
    }

    /// The preset with the values from before the paper's search; itself, if there is none.
    pub fn earlier(self) -> Preset {
        match self {
            Preset::Lqf => Preset::LqfOld,
            Preset::AccbTuned => Preset::Accb,
            Preset::Tccb => Preset::TccbOld,
            Preset::Sw => Preset::SwOld,
            other => other,
        }
    }

    /// The method.
    pub fn method(self) -> OnePageMethod {
        match self {
            Preset::Onepage => OnePageMethod::OnePage,
            Preset::Boilerpipe => OnePageMethod::Boilerpipe,
            Preset::Lqf => OnePageMethod::Lqf(Lqf::optimised()),
            Preset::LqfOld => OnePageMethod::Lqf(Lqf::earlier()),
            Preset::Ccb => OnePageMethod::Blurring(Blurring::ccb()),
            Preset::Accb => OnePageMethod::Blurring(Blurring::accb()),
            Preset::AccbTuned => OnePageMethod::Blurring(Blurring::accb_tuned()),
            Preset::Tccb => OnePageMethod::Blurring(Blurring::tccb()),
            Preset::TccbOld => OnePageMethod::Blurring(Blurring::tccb_earlier()),
            Preset::Sw => OnePageMethod::Sw(Sw::optimised()),
            Preset::SwOld => OnePageMethod::Sw(Sw::earlier()),
            Preset::Bte => OnePageMethod::Bte,
            Preset::Ttr => OnePageMethod::Ttr(Ttr::default()),
            Preset::Crunch => OnePageMethod::Crunch(Box::default()),
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
    use forest_html::text::Language;

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
        let check = |name: &str, expected: OnePageMethod| {
            let preset = Preset::by_name(name).expect(name);
            assert_eq!(preset.method(), expected, "{name}");
        };
        let lqf = |t| OnePageMethod::Lqf(Lqf::default().with_threshold(t));
        check("lqf-old", lqf(0.25));
        check("lqf-new", lqf(0.23));
        check("lqf", lqf(0.23));
        let blurring =
            |of: Blurring, r| OnePageMethod::Blurring(of.with_radius(r).with_threshold(0.75));
        check("accb", blurring(Blurring::accb(), 40));
        check("tccb-old", blurring(Blurring::tccb(), 25));
        check("tccb-new", blurring(Blurring::tccb(), 18));
        let sw = |english, german, italian| {
            let sw = Sw::default().with_threshold(Language::English, english);
            let sw = sw.with_threshold(Language::German, german);
            OnePageMethod::Sw(sw.with_threshold(Language::Italian, italian))
        };
        check("sw-old", sw(0.30, 0.25, 0.40));
        check("sw-new", sw(0.31, 0.32, 0.38));
    }
}
