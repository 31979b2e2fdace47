//! Precision, recall and F1 of one page's text.

use std::collections::HashMap;

use forest_html::text::Interner;

/// Precision, recall and their harmonic mean, each in 0..=1.
///
/// ```text
/// P = hits / given      R = hits / gold      F1 = 2 P R / (P + R)
/// ```
///
/// | symbol | meaning |
/// | --- | --- |
/// | given | units of the extracted text |
/// | gold | units of the right text |
/// | hits | units in both |
///
/// With nothing given, P is 1 if the gold is empty too, else 0; with an empty
/// gold, R is 1 if nothing was given, else 0. F1 is 0 where P + R is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score {
    /// The share of the given text that is right.
    pub precision: f64,
    /// The share of the right text that was given.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
}

impl Score {
    /// The score of a crash, and of a text that shares nothing with its gold.
    pub const ZERO: Score = Score {
        precision: 0.0,
        recall: 0.0,
        f1: 0.0,
    };

    /// The score of `hits` common units.
    ///
    /// ```
    /// use forest_eval::eval::Score;
    /// // Gottron 2009, section 3: four words in common, five given, six right.
    /// let score = Score::of(4, 5, 6);
    /// assert_eq!(score.precision, 4.0 / 5.0);
    /// assert_eq!(score.recall, 4.0 / 6.0);
    /// assert!((score.f1 - 8.0 / 11.0).abs() < 1e-12);
    /// assert_eq!(Score::of(0, 0, 0).f1, 1.0);
    /// assert_eq!(Score::of(0, 0, 6), Score::ZERO);
    /// ```
    pub fn of(hits: usize, given: usize, gold: usize) -> Score {
        let share = |whole: usize, other: usize| match (whole, other) {
            (0, 0) => 1.0,
            (0, _) => 0.0,
            _ => hits as f64 / whole as f64,
        };
        let (precision, recall) = (share(given, gold), share(gold, given));
        let sum = precision + recall;
        let f1 = if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        };
        Score {
            precision,
            recall,
            f1,
        }
    }
}

impl Score {
    /// The score of a text's words, each as often as it stands there: a bag of words, as WCXB
    /// scores (arXiv 2605.21097).
    ///
    /// ```
    /// use forest_eval::eval::Score;
    /// assert_eq!(Score::of_words("a b a", "A a, a c"), Score::of(2, 3, 4));
    /// assert_eq!(Score::of_words("", "a"), Score::ZERO);
    /// ```
    pub fn of_words(text: &str, gold: &str) -> Score {
        let mut words = Interner::default();
        let [mut text, mut gold] = [text, gold].map(|text| words.ids(text));
        text.sort_unstable();
        gold.sort_unstable();
        let mut rest = gold.iter().peekable();
        let mut hits = 0;
        for word in &text {
            while rest.next_if(|gold| *gold < word).is_some() {}
            hits += usize::from(rest.next_if_eq(&word).is_some());
        }
        Score::of(hits, text.len(), gold.len())
    }
}

/// The set of a text's word 2-grams: pairs of neighbouring words, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoGrams(Vec<u64>);

impl TwoGrams {
    /// The 2-grams of a text whose words have been numbered by an [`Interner`].
    /// Of a text of one word, that word.
    pub fn new(words: &[u32]) -> TwoGrams {
        let mut pairs: Vec<u64> = match words {
            // The interner gives no word the highest number, so that a word
            // alone equals no pair.
            [word] => vec![pair(*word, u32::MAX)],
            words => words.windows(2).map(|w| pair(w[0], w[1])).collect(),
        };
        pairs.sort_unstable();
        pairs.dedup();
        TwoGrams(pairs)
    }

    /// The number of different 2-grams.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The score of a text with these 2-grams against `gold`.
    ///
    /// ```
    /// use forest_eval::eval::TwoGrams;
    /// use forest_html::text::Interner;
    /// let mut words = Interner::default();
    /// // a-b, b-c, c-d against b-c, c-d, d-e, e-f: two in common.
    /// let given = TwoGrams::new(&words.ids("a b c d"));
    /// let gold = TwoGrams::new(&words.ids("b c d e f"));
    /// let score = given.score(&gold);
    /// assert_eq!((score.precision, score.recall), (2.0 / 3.0, 2.0 / 4.0));
    /// assert!((score.f1 - 4.0 / 7.0).abs() < 1e-12);
    /// ```
    pub fn score(&self, gold: &TwoGrams) -> Score {
        let mut gold_pairs = gold.0.iter().peekable();
        let mut hits = 0;
        for pair in &self.0 {
            while gold_pairs.next_if(|g| *g < pair).is_some() {}
            hits += usize::from(gold_pairs.next_if_eq(&pair).is_some());
        }
        Score::of(hits, self.len(), gold.len())
    }
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The length of the longest common, not necessarily contiguous, subsequence of
/// two texts whose words have been numbered by one [`Interner`].
///
/// Bit-parallel after Hyyrö 2004 (*Bit-parallel LCS-length computation
/// revisited*), with V as a vector of 64-bit words of which only those are
/// touched that hold an occurrence of the current word or receive a carry.
/// Memory is linear in the texts; time is at most |a|·|b| / 64 steps, in
/// natural text a third of that: two dissimilar texts of a million words take
/// 15 s. (Strips of V that fit the nearest cache took longer, 20 s.) What the texts begin and end with in
/// common is counted without it.
///
/// ```
/// use forest_eval::eval::word_lcs;
/// use forest_html::text::Interner;
/// let mut words = Interner::default();
/// let gold = words.ids("Title Some text in the body");
/// let given = words.ids("Title Copyright Some text in");
/// assert_eq!(word_lcs(&given, &gold), 4);
/// ```
pub fn word_lcs(a: &[u32], b: &[u32]) -> usize {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev());
    let tail = tail.take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    head + tail + middle_lcs(short, long)
}

/// [`word_lcs`] without the short cuts; `short` becomes the bit vector.
fn middle_lcs(short: &[u32], long: &[u32]) -> usize {
    const BITS: usize = u64::BITS as usize;
    // Where each word of `short` stands: for every vector word that holds an
    // occurrence, its index and the bits. Ordered by word, then by index.
    let mut places: Vec<(u32, usize)> = short.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let mut masks: Vec<(usize, u64)> = Vec::new();
    let mut of_word: HashMap<u32, std::ops::Range<usize>> = HashMap::new();
    for group in places.chunk_by(|x, y| x.0 == y.0) {
        let first = masks.len();
        for (_, at) in group {
            let (index, bit) = (at / BITS, 1_u64 << (at % BITS));
            match masks[first..].last_mut() {
                Some((last, mask)) if *last == index => *mask |= bit,
                _ => masks.push((index, bit)),
            }
        }
        of_word.insert(group[0].0, first..masks.len());
    }
    drop(places);

    // A zero in V is a step of the subsequence. Bits past the end of `short`
    // have no mask and so stay one.
    let mut v = vec![u64::MAX; short.len().div_ceil(BITS)];
    for word in long {
        let Some(range) = of_word.get(word) else {
            continue;
        };
        let mut carry = false;
        let mut next = 0;
        for &(index, mask) in &masks[range.clone()] {
            carry_on(&mut v[next..index], &mut carry);
            let old = v[index];
            let (sum, over) = old.overflowing_add(old & mask);
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            v[index] = sum | (old & !mask);
            carry = over || over_by_carry;
            next = index + 1;
        }
        carry_on(&mut v[next..], &mut carry);
    }
    v.iter().map(|bits| bits.count_zeros() as usize).sum()
}

/// Adds the carry to vector words without a mask until it is used up: full
/// words pass it on as they are, the first other one takes it.
fn carry_on(v: &mut [u64], carry: &mut bool) {
    if !*carry {
        return;
    }
    if let Some(bits) = v.iter_mut().find(|bits| **bits != u64::MAX) {
        *bits |= *bits + 1;
        *carry = false;
    }
}

/// The texts that count as right for one page, prepared for many comparisons: most methods
/// give a page one of a few texts, and each is compared once.
#[derive(Debug, Clone)]
pub struct GoldTexts {
    words: Interner,
    refs: Vec<(Vec<u32>, TwoGrams)>,
    /// The scores of the texts that were compared, by 2-grams and by subsequence.
    known: HashMap<String, (Score, Score)>,
}

/// The scores of one page under both measures.
#[derive(Debug, Clone, PartialEq)]
pub struct PageScore {
    /// The page's id, `<site>/<page>`.
    pub id: String,
    /// By set of word 2-grams.
    pub two_gram: Score,
    /// By longest common subsequence of words.
    pub word_lcs: Score,
    /// True if the text was empty or blank.
    pub empty: bool,
    /// The message of the extractor's crash, if it crashed; both scores are zero then.
    pub crash: Option<String>,
}

impl GoldTexts {
    /// Prepares the acceptable texts of a page. No text at all is one empty
    /// text.
    pub fn new<'a>(refs: impl IntoIterator<Item = &'a str>) -> GoldTexts {
        let mut words = Interner::default();
        let mut refs: Vec<_> = refs
            .into_iter()
            .map(|text| {
                let ids = words.ids(text);
                let grams = TwoGrams::new(&ids);
                (ids, grams)
            })
            .collect();
        if refs.is_empty() {
            refs.push((Vec::new(), TwoGrams::new(&[])));
        }
        GoldTexts {
            words,
            refs,
            known: HashMap::new(),
        }
    }

    /// Scores `text`: under each measure, against the acceptable text with the
    /// best F1 (of equals the first).
    ///
    /// ```
    /// use forest_eval::eval::GoldTexts;
    /// let mut gold = GoldTexts::new(["the body", "Headline the body"]);
    /// assert_eq!(gold.score("site/1", "headline: The body.").two_gram.f1, 1.0);
    /// ```
    pub fn score(&mut self, id: &str, text: &str) -> PageScore {
        let (two_gram, word_lcs) = self.known.get(text).copied().unwrap_or_else(|| {
            let scores = self.compare(text);
            self.known.insert(text.to_owned(), scores);
            scores
        });
        PageScore {
            id: id.to_owned(),
            two_gram,
            word_lcs,
            empty: text.trim().is_empty(),
            crash: None,
        }
    }

    /// The best scores of `text` by 2-grams and by longest common subsequence.
    pub fn compare(&mut self, text: &str) -> (Score, Score) {
        let words = self.words.ids(text);
        let grams = TwoGrams::new(&words);
        let two_gram = self.refs.iter().map(|(_, gold)| grams.score(gold));
        let lcs = self
            .refs
            .iter()
            .map(|(gold, _)| Score::of(word_lcs(&words, gold), words.len(), gold.len()));
        (best(two_gram), best(lcs))
    }
}

impl PageScore {
    /// The score of a page on which the extractor crashed: zero, and named.
    pub fn crashed(id: &str, message: impl Into<String>) -> PageScore {
        PageScore {
            id: id.to_owned(),
            two_gram: Score::ZERO,
            word_lcs: Score::ZERO,
            empty: true,
            crash: Some(message.into()),
        }
    }

    /// The site of the page: its id up to the slash.
    pub fn site(&self) -> &str {
        self.id.split_once('/').map_or(&*self.id, |(site, _)| site)
    }
}

/// The score with the highest F1, of equals the first.
fn best(scores: impl Iterator<Item = Score>) -> Score {
    scores
        .reduce(|best, score| if score.f1 > best.f1 { score } else { best })
        .unwrap_or(Score::ZERO)
}
