//! Made-up words, sentences and titles. The same number gives the same ones.

use std::fmt::Write as _;

use forest_eval::eval::SplitMix64;

/// Words that the press knows.
const VOCABULARY: f64 = 30_000.0;

/// Draws that are the same everywhere.
pub struct Draw(SplitMix64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(SplitMix64::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("it is below n")
    }

    /// A rank as words have them: the second word half as often as the first.
    fn rank(&mut self) -> usize {
        VOCABULARY.powf(self.0.share()) as usize
    }
}

/// The word of a rank.
pub fn word(rank: usize) -> String {
    const SYLLABLES: [&str; 40] = [
        "ba", "ker", "lo", "mi", "ran", "tos", "vel", "du", "fen", "gar", "hol", "jin", "kas",
        "lem", "mor", "nal", "pel", "qui", "ros", "sta", "tir", "ulm", "ven", "wil", "yor", "zan",
        "bre", "cla", "dro", "fli", "gro", "har", "ist", "jol", "kre", "lun", "mar", "nor", "ost",
        "pri",
    ];
    let mut rest = rank * 7919 + 1600;
    let mut word = String::new();
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

const SMALL: [&str; 24] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "with", "as",
    "by", "at", "from", "which", "this", "have", "not", "are", "were", "had",
];

/// About so many words in sentences.
pub fn prose(draw: &mut Draw, words: usize) -> String {
    let mut out = String::new();
    let mut left = words;
    while left > 0 {
        let length = (8 + draw.below(12)).min(left);
        for at in 0..length {
            let word = if draw.below(100) < 45 {
                SMALL[draw.below(SMALL.len())].to_owned()
            } else {
                word(draw.rank())
            };
            match at {
                0 => {
                    let (first, rest) = word.split_at(1);
                    let _ = write!(out, "{}{rest}", first.to_uppercase());
                }
                _ => {
                    let _ = write!(out, " {word}");
                }
            }
        }
        out.push_str(". ");
        left -= length;
    }
    out
}

/// The title of a story.
pub fn title(n: usize) -> String {
    let mut draw = Draw::new(n as u64 + 7);
    let title: Vec<String> = (0..7).map(|_| word(draw.rank())).collect();
    format!("Report {n}: {}", title.join(" "))
}
