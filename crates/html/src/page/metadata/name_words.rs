//! Words that stand beside names in bylines, in lower case.

use super::clean::is_url;
use crate::text::metric_tokens;

/// A job or a kind of author: what has one of these words behind a comma is no name.
const ROLES: &str = "\
    editor reporter writer correspondent columnist staff contributor journalist author critic \
    photographer redakteur redakteurin korrespondent korrespondentin journaliste rédacteur redactor \
    periodista giornalista redattore redaktör producer ceo cto founder director manager redaktion \
    rédaction redacción redazione reportero editora jornalista repórter verslaggever toimittaja";

/// Titles behind a name: no job where more words follow.
const TITLES: &str = "phd ph md jr sr msc mba";

/// Words of parts that name who made the pictures or the translation.
const CREDITS: &[&str] = &[
    "photo",
    "photos",
    "photograph",
    "photographs",
    "photography",
    "photographed",
    "foto",
    "fotos",
    "fotografie",
    "illustration",
    "illustrations",
    "illustrated",
    "grafik",
    "video",
    "translated",
    "translation",
    "übersetzung",
    "übersetzt",
    "traduction",
    "traducción",
    "写真",
    "撮影",
    "摄影",
    "攝影",
    "翻訳",
    "図",
    "图",
    "编辑",
    "責編",
    "责编",
    "校对",
    "사진",
];

/// Words at the end of a newspaper's or an agency's name.
const OUTLETS: &str = "\
    post news times herald tribune journal chronicle press gazette magazine observer agency network \
    media group zeitung presse agentur nachrichten";

/// News agencies and what else stands in the place of a second author.
const AGENCIES: &str = "\
    afp ap reuters dpa apa ansa efe ats belga anp tt ntb ritzau stt pap čtk ctk tass xinhua kyodo \
    yonhap pti ani lusa sid kna epd sda mti agerpres agencies agenturen agences agencias";

/// Texts that are words of the surface, and beginnings of those.
const SURFACE: &[&str] = &[
    "follow",
    "n/a",
    "null",
    "none",
    "undefined",
    "unknown",
    "anzeige",
    "advertisement",
    "advertorial",
    "share",
    "print",
    "email",
    "e-mail",
    "rss",
    "feed",
    "subscribe",
    "profile",
    "biography",
    "bio",
    "website",
    "admin only",
    "no author",
    "by",
    "edit",
];
const SURFACE_BEGINNINGS: &[&str] = &[
    "view author",
    "view profile",
    "view bio",
    "view all",
    "get author",
    "sponsored",
    "follow ",
    "read more",
    "more from",
    "see more",
    "see all",
    "no author",
    "unknown author",
    "email the",
    "contact the",
    "get the",
    "sign up",
    "gesponsert",
    "en partenariat",
    "patrocinado",
];

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// True if a text is a job, or a title behind a name.
pub(super) fn is_role(text: &str) -> bool {
    /// Words of a job at the most.
    const MAX_WORDS: usize = 4;
    let words = text.split(' ').count();
    let has_role = |word: &str| is_in(ROLES, word) || (words <= 2 && is_in(TITLES, word));
    words <= MAX_WORDS && metric_tokens(text).iter().any(has_role)
}

/// True if a text begins with the kind of another work: `Photos: Jane Doe`.
pub(super) fn is_credit(text: &str) -> bool {
    let lower = text.to_lowercase();
    CREDITS.iter().any(|word| {
        lower.strip_prefix(word).is_some_and(|behind| {
            let behind = behind.trim_start();
            behind.starts_with([':', '：', '/', '／', '=', '＝', '•', '|'])
                || ["by ", "von ", "par ", "por ", "di ", "av ", "courtesy"]
                    .iter()
                    .any(|by| behind.starts_with(by))
        })
    })
}

/// True if a text behind a name is the paper's: `Washington Post`, `VALLEY DAILY NEWS`.
pub(super) fn is_outlet(text: &str, name: &str) -> bool {
    let has_small = |text: &str| text.chars().any(char::is_lowercase);
    let is_loud = text.contains(' ') && !has_small(text) && has_small(name);
    let last = text.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_known = text.contains(' ') && is_in(OUTLETS, &last);
    let is_wide = |c: char| c.is_alphabetic() && c.is_lowercase() == c.is_uppercase();
    (is_loud && !text.chars().any(is_wide)) || is_known
}

/// True if a name is a news agency's.
pub(super) fn is_agency(name: &str) -> bool {
    let lower = name.to_lowercase();
    let parts = lower.split(['/', ',', '-']);
    let is_one =
        |part: &str| is_in(AGENCIES, part.trim()) || part.trim().ends_with("associated press");
    !lower.is_empty() && parts.into_iter().all(is_one)
}

/// True if a text is a word of the surface beside an author, or says that there is none.
pub(super) fn is_surface(text: &str) -> bool {
    let lower = text.to_lowercase();
    SURFACE.contains(&&*lower)
        || SURFACE_BEGINNINGS
            .iter()
            .any(|word| lower.starts_with(word))
}

/// Ends of names of companies and societies.
const LEGAL_FORMS: &str =
    "inc inc. ltd ltd. llc gmbh ag e.v. ev s.a. s.p.a. b.v. plc co. kg corp. corporation";

/// True if a name is a company's, a society's or a host's.
pub(super) fn is_company(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_legal = name.contains(' ') && is_in(LEGAL_FORMS, &last);
    let is_host = || {
        let end = name.rsplit('.').next().unwrap_or_default();
        !name.contains(' ')
            && name.contains('.')
            && (2..=7).contains(&end.len())
            && end.bytes().all(|b| b.is_ascii_lowercase())
    };
    is_legal || is_url(name) || is_host()
}
