//! Words beside a day that say what happened on it, and what else a line with a day holds.

use super::date::{Date, DateStyle, is_month};
use aho_corasick::{AhoCorasick, Anchored, Input};
use std::sync::LazyLock;

/// Beginnings of words that say that something was published, in lower case. A language's first.
static PUBLISHED: LazyLock<DayWords> = LazyLock::new(|| {
    DayWords::of(&[
        "publi",
        "posted",
        "released",
        "created",
        "issued",
        "first appeared",
        "date",
        "datum",
        "stand",
        "veröffentlich",
        "erschienen",
        "erstellt",
        "pressemitteilung vom",
        "artikel vom",
        "meldung vom",
        "eingestellt",
        "mis en ligne",
        "paru",
        "fecha",
        "pubblica",
        "inserito",
        "geplaatst",
        "gepubliceerd",
        "skapad",
        "julkais",
        "udgivet",
        "lagt ud",
        "opublikow",
        "dodano",
        "zveřejn",
        "vydáno",
        "zverejn",
        "közzét",
        "megjelen",
        "postat",
        "objavl",
        "дата",
        "опублик",
        "размещено",
        "дата публикации",
        "δημοσ",
        "ημερομηνία",
        "yayın",
        "eklenme",
        "tarih",
        "diterbitkan",
        "dipublikasikan",
        "tanggal",
        "đăng",
        "ngày đăng",
        "ngày",
        "نشر",
        "تاريخ",
        "تاریخ",
        "منتشر",
        "פורסם",
        "תאריך",
        "प्रकाशित",
        "প্রকাশ",
        "เผยแพร่",
        "วันที่",
        "发布",
        "發布",
        "发表",
        "發表",
        "日期",
        "时间",
        "時間",
        "公開",
        "掲載",
        "投稿日",
        "作成日",
        "登録日",
        "입력",
        "등록",
        "게시",
        "작성",
    ])
});

/// Beginnings of words that say that it was changed.
static UPDATED: LazyLock<DayWords> = LazyLock::new(|| {
    DayWords::of(&[
        "updated",
        "update",
        "modified",
        "edited",
        "revised",
        "last change",
        "aktualisier",
        "geändert",
        "bearbeitet",
        "mis à jour",
        "mise à jour",
        "màj",
        "modifié",
        "actualiz",
        "atualiz",
        "modificad",
        "aggiorna",
        "modificato",
        "bijgewerkt",
        "gewijzigd",
        "uppdaterad",
        "ändrad",
        "oppdatert",
        "opdateret",
        "päivitetty",
        "muokattu",
        "aktualiz",
        "frissít",
        "módosít",
        "actualizat",
        "ažuriran",
        "posodobljen",
        "obnovljen",
        "обновл",
        "изменен",
        "оновл",
        "ενημερώ",
        "güncel",
        "diperbarui",
        "cập nhật",
        "تحديث",
        "به‌روز",
        "بروزرسانی",
        "עודכן",
        "अपडेट",
        "আপডেট",
        "แก้ไข",
        "อัปเดต",
        "更新",
        "修改",
        "수정",
    ])
});

/// Beginnings of words that say that the day is that of something else: a licence, a sale, a life.
static OTHER_DAYS: LazyLock<DayWords> = LazyLock::new(|| {
    DayWords::of(&[
        "version",
        "versión",
        "versione",
        "wersja",
        "версия",
        "edition",
        "revision",
        "deadline",
        "until",
        "gültig",
        "valid",
        "born",
        "geboren",
        "bis zum",
        "jusqu",
        "hasta",
        "expires",
        "copyright",
    ])
});

/// Words that stand in a date beside its month.
const FILLERS: &[&str] = &[
    "de", "del", "do", "da", "of", "the", "st", "nd", "rd", "th", "er", "at", "on", "um", "uhr",
    "às", "as", "à", "le", "den", "der", "am", "pm", "vom", "kl", "klo", "kello", "h", "min", "il",
    "el", "alle", "ore", "o", "godz", "в", "г", "年", "月", "日", "년", "월", "일", "gmt", "utc",
    "ngày", "tháng",
];

/// Bytes of a line with a day in it at the most.
const MAX_LINE_BYTES: usize = 160;

/// Bytes before the first number of a line that may belong to its date.
const BEFORE_NUMBER: usize = 28;

/// The day in a line, and what the line says of it.
#[derive(Debug)]
pub(super) struct DayLine {
    pub date: Date,
    /// A word says that the day is that of publication.
    pub is_labelled: bool,
    /// Words that are not the date's.
    pub others: usize,
    /// Nothing stands before the date.
    pub begins: bool,
}

impl DayLine {
    /// True if all of a line is about a change.
    pub fn is_change(line: &str) -> bool {
        published_part(line.trim()).is_none()
    }

    /// The day of publication in a line: not the day of a change, and not that of a copyright.
    pub fn read(line: &str, style: DateStyle) -> Option<DayLine> {
        let line = line.trim();
        if line.len() > MAX_LINE_BYTES || !has_day(line) || line.contains('©') {
            return None;
        }
        let (said, is_labelled) = published_part(line)?;
        if !is_labelled && OTHER_DAYS.first_in(&line.to_lowercase()).is_some() {
            return None;
        }
        let start = said.find(char::is_numeric)?;
        let from = said.floor_char_boundary(start.saturating_sub(BEFORE_NUMBER));
        // The beginning of a word is no word.
        let from = match said[from..start].find(' ') {
            Some(space) if from > 0 => from + space,
            _ => from,
        };
        let date = Date::read_in(&said[from..], style);
        date.rfc3339.as_ref()?;
        let words = said.split(|c: char| !c.is_alphanumeric() && !is_sign(c));
        let words = words.filter(|word| word.chars().any(char::is_alphabetic));
        let others = words.filter(|word| !is_of_date(word, style)).count();
        Some(DayLine {
            date,
            is_labelled,
            others,
            begins: start == 0,
        })
    }
}

/// True if a text is a word for a day of publication: `Date:`, `Datum`.
pub(super) fn is_label(text: &str) -> bool {
    /// Words of such a label at the most: `Published on`.
    const MAX_WORDS: usize = 3;
    let text = text.trim();
    text.len() <= MAX_LINE_BYTES
        && !has_day(text)
        && text.split_whitespace().count() <= MAX_WORDS
        && PUBLISHED.start(&text.to_lowercase())
        && !text.contains(char::is_numeric)
}

/// True if a text is a word for the day of a change.
pub(super) fn is_label_of_change(text: &str) -> bool {
    /// Bytes of such a label at the most.
    const MAX_BYTES: usize = 60;
    text.len() <= MAX_BYTES && !has_day(text) && UPDATED.first_in(&text.to_lowercase()).is_some()
}

/// The part of a line that is about the publication, and whether it says so; `None` if all of
/// it is about a change.
fn published_part(line: &str) -> Option<(&str, bool)> {
    let lower = line.to_lowercase();
    let published = PUBLISHED.first_in(&lower);
    let Some(updated) = UPDATED.first_in(&lower) else {
        return Some((line, published.is_some()));
    };
    // Lower case has other lengths in few languages: then nothing is cut.
    let cut = |at: usize| (lower.len() == line.len() && line.is_char_boundary(at)).then_some(at);
    match published {
        Some(published) if published < updated => {
            let before = &line[..cut(updated)?];
            has_day(before).then_some((before, true))
        }
        Some(published) => Some((&line[cut(published)?..], true)),
        None => {
            let at = cut(updated)?;
            // Behind a day, without one of its own, the word is about that day.
            (has_day(&line[..at]) && has_day(&line[at..])).then_some((&line[..at], false))
        }
    }
}

/// True if a text has digits enough for a day.
pub(super) fn has_day(text: &str) -> bool {
    if text.is_ascii() {
        return text.bytes().filter(u8::is_ascii_digit).nth(2).is_some();
    }
    text.chars().filter(|c| c.is_numeric()).nth(2).is_some()
}

/// Beginnings of words in lower case, looked for in one pass.
struct DayWords(AhoCorasick);

impl DayWords {
    fn of(words: &[&str]) -> DayWords {
        let automaton = AhoCorasick::builder()
            .start_kind(aho_corasick::StartKind::Both)
            .build(words);
        DayWords(automaton.expect("a few dozen words"))
    }

    /// The place of the first of the words in a text in lower case, at the beginning of a word.
    fn first_in(&self, lower: &str) -> Option<usize> {
        let starts = |at: usize| {
            let before = lower[..at].chars().next_back();
            lower[at..].starts_with(|c| c >= '\u{2e80}')
                || before.is_none_or(|before| !before.is_alphanumeric())
        };
        let places = self
            .0
            .find_overlapping_iter(lower)
            .map(|found| found.start());
        places.filter(|&at| starts(at)).min()
    }

    /// True if a text in lower case starts with one of the words.
    fn start(&self, lower: &str) -> bool {
        self.0.is_match(Input::new(lower).anchored(Anchored::Yes))
    }
}

/// Signs of Indic scripts and Thai that stand in words.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{e4e}')
}

/// True if a word stands in dates: a month, `of`.
fn is_of_date(word: &str, style: DateStyle) -> bool {
    let lower = word.to_lowercase();
    let letters = lower.trim_start_matches(|c: char| c.is_numeric());
    letters.is_empty() || FILLERS.contains(&letters) || is_month(letters, style)
}
