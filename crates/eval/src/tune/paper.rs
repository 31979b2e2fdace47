//! Gottron's own figures: tables 2 and 3.

use forest_text::pipeline::Preset;

/// Settings of a method and their macro average of word-LCS F1 over the paper's 14 collections,
/// the best first.
pub type PaperRow = (&'static str, f64);

/// The rows of a method in table 3. Those of tables 2 and 3 are the same but for the setting
/// from before the search, which is the last one here.
pub fn rows(preset: Preset) -> &'static [PaperRow] {
    match preset {
        Preset::Lqf | Preset::LqfOld => &[
            ("0.23", 0.684),
            ("0.26", 0.682),
            ("0.27", 0.682),
            ("0.28", 0.682),
            ("0.25, before", 0.683),
        ],
        Preset::Accb | Preset::AccbTuned => &[
            ("42; 0.75", 0.790),
            ("38; 0.75", 0.790),
            ("40; 0.8", 0.787),
            ("40; 0.75, before", 0.790),
        ],
        Preset::Tccb | Preset::TccbOld => &[
            ("18; 0.75", 0.789),
            ("23; 0.75", 0.788),
            ("24; 0.76", 0.785),
            ("16; 0.75", 0.780),
            ("25; 0.75, before", 0.784),
        ],
        Preset::Sw | Preset::SwOld => &[
            ("0.31; 0.32; 0.38", 0.705),
            ("0.31; 0.32; 0.28", 0.698),
            ("0.31; 0.32; 0.17", 0.684),
            ("0.3; 0.25; 0.4, before", 0.691),
        ],
        _ => &[],
    }
}
