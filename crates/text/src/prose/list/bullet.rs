//! Bullets that were written by hand (section 3.2.2).
//!
//! The paper names `*`, `-`, `1`, `a)`. A mark that could be text is a bullet only if the
//! items of the list agree. `1.` and `a.` must count from the first item on, so that
//! "3. Oktober" and "A. Smith" stay. `- 5` needs another item that begins with a dash. A
//! dash right before a digit is a minus.

/// Bullet characters. The last three are those of symbol fonts, as word processors write
/// them.
const SYMBOLS: &str = "*-+–—•·・‧．◦‣⁃∙▪▫■□▢●○◆◇►▼▶▸➢➤→»›✓✔\u{f0b7}\u{f0a7}\u{f0d8}";

/// The bullet characters that may be part of the text if no space follows.
const SIGNS: &str = "-+–—";

/// Items that a series of capitals (`A.`, `I.`) has at the least: two may be initials.
const MIN_CAPITALS: u32 = 3;

/// Items that a series of numbers or small letters has at the least.
const MIN_SERIES: u32 = 2;

/// The mark at the beginning of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BulletMark {
    /// A bullet, whatever the other items begin with.
    Bullet,
    /// A dash, a space and a digit.
    Dash,
    /// `1.`, `a.`, `A.`: its kind and value.
    Series(BulletSeries, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BulletSeries {
    Number,
    Small,
    Capital,
    SmallRoman,
    CapitalRoman,
}

impl BulletSeries {
    const ALL: [BulletSeries; 5] = [
        BulletSeries::Number,
        BulletSeries::Small,
        BulletSeries::Capital,
        BulletSeries::SmallRoman,
        BulletSeries::CapitalRoman,
    ];

    fn least(self) -> u32 {
        match self {
            BulletSeries::Capital | BulletSeries::CapitalRoman => MIN_CAPITALS,
            _ => MIN_SERIES,
        }
    }

    /// The value of a mark's letters or digits in this series.
    fn value(self, mark: &str) -> Option<u32> {
        match self {
            BulletSeries::Number => {
                let is_number = mark.len() <= 3 && mark.bytes().all(|b| b.is_ascii_digit());
                is_number.then(|| mark.parse().ok())?
            }
            BulletSeries::Small | BulletSeries::Capital => {
                let first = if self == BulletSeries::Small {
                    b'a'
                } else {
                    b'A'
                };
                match mark.as_bytes() {
                    [b] if (first..first + 26).contains(b) => Some(u32::from(b - first) + 1),
                    _ => None,
                }
            }
            BulletSeries::SmallRoman => roman(mark),
            BulletSeries::CapitalRoman => {
                let is_capital = mark.bytes().all(|b| b.is_ascii_uppercase());
                is_capital.then(|| roman(&mark.to_ascii_lowercase()))?
            }
        }
    }
}

/// The value of a Roman number below 40 in small letters.
fn roman(mark: &str) -> Option<u32> {
    const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    let ones = mark.trim_start_matches('x');
    let tens = mark.len() - ones.len();
    let ones = ONES.iter().position(|one| *one == ones)?;
    (tens < 4 && !mark.is_empty()).then_some(10 * tens as u32 + ones as u32)
}

/// The length in bytes of the bullet of each item; 0 without a bullet. `items` are the
/// texts of the items that have text.
pub(super) fn bullets<'t>(items: impl Iterator<Item = &'t str> + Clone) -> Vec<usize> {
    let dashes = items.clone().filter(|text| dash(text).is_some()).count();
    let series = BulletSeries::ALL.into_iter().find(|series| {
        let mut count = 0;
        let is_series = items.clone().all(|text| {
            count += 1;
            let (mark, _) = in_series(text);
            mark.and_then(|mark| series.value(mark)) == Some(count)
        });
        is_series && count >= series.least()
    });
    let len = |text: &str| match mark_of(text, series) {
        Some((BulletMark::Bullet | BulletMark::Series(..), len)) => len,
        Some((BulletMark::Dash, len)) if dashes > 1 => len,
        _ => 0,
    };
    items.map(len).collect()
}

/// An item's mark and its length in bytes, with the space behind it.
fn mark_of(text: &str, series: Option<BulletSeries>) -> Option<(BulletMark, usize)> {
    if let Some((rest, is_sign)) = symbols(text) {
        let inner = rest.trim_start();
        let len = text.len() - inner.len();
        let is_number = inner.starts_with(|c: char| c.is_numeric() || "$€£¥.,".contains(c));
        return match (rest.len() == inner.len(), is_sign) {
            _ if inner.is_empty() => Some((BulletMark::Bullet, len)),
            (true, true) if is_number => None,
            (false, true) if is_number => Some((BulletMark::Dash, len)),
            // Emphasis, a footnote or a wildcard.
            (true, false) if text.starts_with('*') && inner.contains('*') => None,
            _ => Some((BulletMark::Bullet, len)),
        };
    }
    if let Some(len) = in_brackets(text) {
        return Some((BulletMark::Bullet, len));
    }
    let (mark, len) = in_series(text);
    let series = series?;
    Some((BulletMark::Series(series, series.value(mark?)?), len))
}

/// The text behind the symbols at the beginning, and true if they may be signs.
fn symbols(text: &str) -> Option<(&str, bool)> {
    let first = text.chars().next().filter(|c| SYMBOLS.contains(*c))?;
    let rest = text.trim_start_matches(first);
    Some((rest, SIGNS.contains(first)))
}

fn dash(text: &str) -> Option<&str> {
    let (rest, is_sign) = symbols(text)?;
    (is_sign && rest.starts_with(' ')).then_some(rest)
}

/// The length of `1)`, `(a)`, `iv)` with the space behind it.
fn in_brackets(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let (mark, rest) = inner.split_once(')')?;
    let mark = mark.strip_suffix('.').unwrap_or(mark);
    BulletSeries::ALL
        .iter()
        .find_map(|series| series.value(mark))?;
    let is_copyright = text.starts_with("(c)") && rest.trim_start().starts_with(char::is_numeric);
    let is_parted = rest.starts_with(|c: char| c == ' ' || c.is_alphabetic()) || rest.is_empty();
    (is_parted && !is_copyright).then(|| text.len() - rest.trim_start().len())
}

/// The letters or digits before a full stop, and the length of both with the space
/// behind them.
fn in_series(text: &str) -> (Option<&str>, usize) {
    let Some((mark, rest)) = text.split_once('.') else {
        return (None, 0);
    };
    let is_parted = rest.starts_with(' ')
        || (rest.starts_with(char::is_alphabetic)
            && mark.starts_with(|c: char| c.is_ascii_digit()));
    if is_parted && mark.len() <= 5 {
        (Some(mark), text.len() - rest.trim_start().len())
    } else {
        (None, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` parts the items.
    fn check(items: &str, expected: &str) {
        let items: Vec<&str> = items.split('|').collect();
        let lens = bullets(items.iter().copied());
        let kept: Vec<&str> = items.iter().zip(lens).map(|(t, len)| &t[len..]).collect();
        assert_eq!(kept.join("|"), expected, "{items:?}");
    }

    #[test]
    fn symbols_go() {
        check("* a|- b|• c|・d|–d|\u{f0b7} e", "a|b|c|d|d|e");
        check("‧a|．b|▢ c|▼ d", "a|b|c|d");
        check("-- a|-", "a|");
        check("*a", "a");
    }

    #[test]
    fn signs_and_emphasis_stay() {
        check("-5 degrees|+3 degrees", "-5 degrees|+3 degrees");
        check("- 5 degrees|warm", "- 5 degrees|warm");
        check("- 5 eggs|- oil", "5 eggs|oil");
        check("-$5|*much* rain|* a*", "-$5|*much* rain|a*");
        check("−5 degrees", "−5 degrees");
    }

    #[test]
    fn marks_in_brackets_go() {
        check("1) a|(2) b|iv) c|(d) d|5.) e|f)g", "a|b|c|d|e|g");
        check("(c) 2020 the authors", "(c) 2020 the authors");
        check("(2020) a|(Mr) b|(s)he", "(2020) a|(Mr) b|he");
    }

    #[test]
    fn series_go_if_they_count() {
        check("1. a|2. b|3.c", "a|b|c");
        check("a. a|b. b", "a|b");
        check("i. a|ii. b|iii. c", "a|b|c");
        check("A. a|B. b|C. c", "a|b|c");
        check("I. a|II. b|III. c", "a|b|c");
    }

    #[test]
    fn what_only_looks_like_a_mark_stays() {
        let stays = |items| check(items, items);
        stays("A. Smith|B. Jones");
        stays("1990 was wet|1991 was dry");
        stays("3. Oktober|4. Oktober");
        stays("1. FC Nirgendwo");
        stays("1.5 l of milk|2.5 l of oil");
        stays("1. a|3. b");
        stays("i.e. this|e.g. that");
    }
}
