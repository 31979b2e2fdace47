//! Words that a full stop belongs to, and words that begin a sentence.
//!
//! Own lists, by language. An entry has no last full stop and is in lower case; one
//! with a capital stands for exactly that. Parts that spaces part in print are
//! written without (`z.b` is `z. B.` and `z.B.`). Sorted, so that they can be
//! searched by halves.

use crate::text::{Language, stop_words};

/// What a full stop behind an abbreviation says of the sentence's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Nothing: a name or another word follows (`Dr.`, `z. B.`).
    Inside,
    /// Nothing, if a number follows (`No. 7`, `p. 12`).
    BeforeNumber,
    /// It ends there if the next word is one that begins sentences (`Inc.`, `Jan.`).
    BeforeStarter,
    /// It ends there if a capital follows (`etc.`).
    BeforeCapital,
    /// The same, but for days, months and time zones (`p.m.`).
    BeforeCapitalNoDate,
}

type List = &'static [&'static str];

/// The lists of one language, by [`Stop`].
struct Lists {
    inside: List,
    before_number: List,
    before_starter: List,
    before_capital: List,
    time: List,
    starters: List,
}

const ENGLISH: Lists = Lists {
    inside: &[
        "adm", "approx", "attn", "brig", "bros", "c.f", "ca", "capt", "cf", "cmdr", "col", "dept",
        "dr", "e.g", "eg", "esp", "ex", "ft", "gen", "gov", "hon", "i.e", "ie", "incl", "lt",
        "lt.col", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "msgr", "mt", "mx", "pres",
        "prof", "resp", "rev", "sen", "sgt", "supt", "v", "viz", "vs",
    ],
    before_number: &[
        "app", "appx", "art", "arts", "ch", "chap", "chaps", "cl", "eq", "eqs", "est", "ex", "exs",
        "fig", "figs", "fol", "no", "nos", "p", "par", "pp", "pt", "ref", "refs", "rs", "sec",
        "secs", "sect", "tab", "vol", "vols",
    ],
    before_starter: &[
        "apr", "assn", "aug", "ave", "b.a", "b.sc", "bldg", "blvd", "bsc", "cent", "co", "corp",
        "dec", "dist", "div", "ed", "eds", "esq", "feb", "fri", "hwy", "inc", "inst", "intl",
        "jan", "jr", "jul", "jun", "llc", "ltd", "m.sc", "mar", "mon", "msc", "nat", "natl", "nov",
        "oct", "op", "ph.d", "phd", "plc", "rd", "rep", "repr", "rev", "sat", "sep", "sept", "ser",
        "sq", "sr", "st", "sun", "thu", "thurs", "trans", "tue", "tues", "univ", "wed",
    ],
    before_capital: &["al", "etc", "etc.", "seq"],
    time: &["a.m", "am", "p.m", "pm"],
    starters: &[
        "a",
        "according",
        "after",
        "afterwards",
        "all",
        "almost",
        "although",
        "another",
        "as",
        "at",
        "before",
        "besides",
        "both",
        "by",
        "despite",
        "during",
        "each",
        "even",
        "every",
        "everyone",
        "everything",
        "few",
        "finally",
        "first",
        "for",
        "from",
        "he",
        "here",
        "however",
        "i",
        "if",
        "in",
        "indeed",
        "instead",
        "it",
        "just",
        "last",
        "later",
        "many",
        "meanwhile",
        "moreover",
        "most",
        "much",
        "neither",
        "never",
        "nevertheless",
        "no",
        "nobody",
        "none",
        "nothing",
        "now",
        "on",
        "once",
        "one",
        "only",
        "others",
        "our",
        "perhaps",
        "she",
        "since",
        "so",
        "some",
        "someone",
        "soon",
        "still",
        "such",
        "then",
        "there",
        "therefore",
        "they",
        "three",
        "thus",
        "today",
        "tomorrow",
        "tonight",
        "two",
        "under",
        "unless",
        "until",
        "we",
        "when",
        "whenever",
        "where",
        "whether",
        "while",
        "with",
        "without",
        "yes",
        "yesterday",
        "yet",
        "you",
    ],
};

const FRENCH: Lists = Lists {
    inside: &[
        "M", "MM", "Me", "Mgr", "Pr", "St", "Ste", "adj", "anc", "ap", "approx", "apr", "av", "bd",
        "boul", "c.-à-d", "c.a.d", "c.à.d", "cap", "cf", "col", "dr", "e.g", "env", "ex", "gal",
        "gén", "hab", "i.e", "lt", "mgr", "mlle", "mlles", "mm", "mme", "mmes", "mr", "mrs",
        "p.ex", "prof", "réf", "sgt", "tél", "v", "vs", "éd",
    ],
    before_number: &[
        "al", "art", "chap", "fasc", "fig", "figs", "fol", "n", "no", "nos", "num", "p", "pag",
        "par", "pp", "sect", "t", "vol",
    ],
    before_starter: &[
        "a.c", "ap.j.-c", "apr.j.-c", "av.j.-c", "cie", "coll", "dim", "déc", "fév", "févr",
        "j.-c", "janv", "jeu", "juil", "lun", "mar", "mer", "nov", "oct", "sam", "sept", "sté",
        "trad", "ven",
    ],
    before_capital: &["al", "etc", "etc.", "sq", "sqq"],
    time: &[],
    starters: &[
        "a",
        "ainsi",
        "alors",
        "après",
        "aucun",
        "aucune",
        "aujourd'hui",
        "aussi",
        "autant",
        "autre",
        "autrefois",
        "avant",
        "beaucoup",
        "bientôt",
        "car",
        "ce",
        "ceci",
        "cela",
        "celui",
        "cependant",
        "certains",
        "ces",
        "cette",
        "chacun",
        "chaque",
        "comme",
        "comment",
        "demain",
        "depuis",
        "donc",
        "dès",
        "elle",
        "elles",
        "en",
        "encore",
        "enfin",
        "ensuite",
        "entre",
        "hier",
        "ici",
        "il",
        "ils",
        "jamais",
        "je",
        "la",
        "le",
        "les",
        "lors",
        "lorsque",
        "là",
        "maintenant",
        "malgré",
        "non",
        "nous",
        "on",
        "oui",
        "parfois",
        "pendant",
        "personne",
        "peu",
        "plus",
        "plusieurs",
        "pour",
        "pourquoi",
        "pourtant",
        "puis",
        "puisque",
        "quand",
        "quant",
        "quelques",
        "rien",
        "sans",
        "selon",
        "seul",
        "si",
        "sinon",
        "sous",
        "souvent",
        "toujours",
        "tous",
        "toutefois",
        "très",
        "tu",
        "un",
        "une",
        "voici",
        "voilà",
        "vous",
        "y",
        "à",
    ],
};

const GERMAN: Lists = Lists {
    inside: &[
        "allg",
        "bes",
        "betr",
        "bspw",
        "bzgl",
        "bzw",
        "ca",
        "cf",
        "d.h",
        "dipl",
        "dipl.-ing",
        "dr",
        "dt",
        "e.v",
        "ehem",
        "einschl",
        "engl",
        "entspr",
        "etw",
        "evtl",
        "exkl",
        "fr",
        "frl",
        "frz",
        "geb",
        "gegr",
        "gem",
        "gen",
        "gesch",
        "gez",
        "ggf",
        "ggü",
        "griech",
        "h.c",
        "habil",
        "hl",
        "hr",
        "hrn",
        "i.a",
        "i.d.r",
        "i.e",
        "ing",
        "inkl",
        "insb",
        "insbes",
        "ital",
        "jew",
        "jur",
        "kath",
        "lat",
        "lt",
        "m.e",
        "max",
        "med",
        "min",
        "mind",
        "o.g",
        "o.ä",
        "od",
        "prof",
        "rd",
        "s.o",
        "s.u",
        "sen",
        "sog",
        "spez",
        "st",
        "tel",
        "theol",
        "u.a",
        "u.u",
        "urspr",
        "ursprgl",
        "v.a",
        "verh",
        "vgl",
        "vs",
        "z.b",
        "z.t",
        "z.zt",
        "zit",
        "zus",
        "zw",
        "zzgl",
        "zzt",
        "österr",
    ],
    before_number: &[
        "abb", "abs", "abschn", "anh", "anm", "art", "aufl", "bd", "bde", "bl", "fn", "gl", "kap",
        "lfg", "no", "nr", "nrn", "par", "rn", "rz", "seite", "sp", "tab", "tbl", "vers", "ziff",
    ],
    before_starter: &[
        "apr", "aug", "b.a", "bill", "co", "corp", "dez", "di", "do", "fa", "fam", "feb", "febr",
        "gebr", "ges", "hbf", "hrsg", "inc", "jan", "jh", "jhd", "jhdt", "jr", "jul", "jun", "ltd",
        "m.a", "mag", "mi", "mill", "min", "mio", "mo", "mrd", "mär", "n.chr", "nat", "nov", "okt",
        "ph.d", "phil", "pl", "red", "rer", "sa", "sek", "sep", "sept", "so", "std", "stk", "str",
        "tsd", "univ", "v.chr", "übers",
    ],
    before_capital: &[
        "al", "etc", "etc.", "f", "ff", "o.ä", "u.s.w", "u.v.m", "u.ä", "usf", "usw", "uvm",
    ],
    time: &[],
    starters: &[
        "abends",
        "aber",
        "alle",
        "allerdings",
        "als",
        "also",
        "am",
        "an",
        "andere",
        "anfangs",
        "auch",
        "auf",
        "aus",
        "außerdem",
        "bald",
        "bei",
        "beide",
        "bereits",
        "bevor",
        "bis",
        "bisher",
        "da",
        "dabei",
        "dadurch",
        "dafür",
        "daher",
        "damals",
        "damit",
        "danach",
        "daneben",
        "dann",
        "darauf",
        "daraus",
        "darin",
        "darum",
        "davon",
        "davor",
        "dazu",
        "deren",
        "derzeit",
        "deshalb",
        "dessen",
        "doch",
        "dort",
        "dorthin",
        "durch",
        "ebenso",
        "einige",
        "endlich",
        "erst",
        "etwa",
        "etwas",
        "früher",
        "für",
        "gegen",
        "genau",
        "gestern",
        "heute",
        "hier",
        "hierbei",
        "hierzu",
        "hinzu",
        "immer",
        "infolge",
        "inzwischen",
        "jeder",
        "jedoch",
        "jetzt",
        "kaum",
        "keine",
        "keiner",
        "laut",
        "leider",
        "manche",
        "mehr",
        "mehrere",
        "meist",
        "mit",
        "morgen",
        "nach",
        "nachdem",
        "neben",
        "nicht",
        "nichts",
        "nie",
        "niemand",
        "noch",
        "nun",
        "nur",
        "ob",
        "obwohl",
        "oft",
        "ohne",
        "schließlich",
        "schon",
        "seit",
        "seitdem",
        "selbst",
        "sie",
        "so",
        "sobald",
        "solche",
        "somit",
        "später",
        "trotz",
        "trotzdem",
        "um",
        "und",
        "unter",
        "viele",
        "vielleicht",
        "von",
        "vor",
        "vorher",
        "wann",
        "warum",
        "was",
        "weder",
        "wegen",
        "weil",
        "weitere",
        "wenige",
        "wenn",
        "wer",
        "wie",
        "wieder",
        "wo",
        "wohl",
        "während",
        "zu",
        "zudem",
        "zuerst",
        "zuletzt",
        "zum",
        "zunächst",
        "zur",
        "zusammen",
        "zuvor",
        "zwar",
        "zwei",
        "zwischen",
        "über",
    ],
};

const SPANISH: Lists = Lists {
    inside: &[
        "Lic", "Mons", "adj", "ap", "approx", "aprox", "arq", "av", "avda", "c", "ca", "cap", "cf",
        "cfr", "cmdte", "cnel", "col", "d", "depto", "dn", "dpto", "dr", "dra", "dras", "dres",
        "dto", "dª", "dña", "ee.uu", "ej", "esp", "exc", "excma", "excmo", "fdo", "fr", "gob",
        "gral", "hno", "hnos", "i.e", "ilma", "ilmo", "ing", "izda", "izdo", "lda", "ldo", "lic",
        "mr", "mrs", "mtro", "p.ej", "pbro", "pdta", "pdte", "prof", "profa", "pte", "rdo", "ref",
        "rte", "rvdo", "sgto", "sr", "sra", "sras", "sres", "srta", "srtas", "sta", "sto", "tel",
        "tfno", "tlf", "tte", "v", "v.gr", "vda", "vs",
    ],
    before_number: &[
        "art", "arts", "cap", "caps", "ed", "fasc", "fig", "figs", "fol", "lám", "no", "nos",
        "nro", "num", "núm", "núms", "p", "pag", "par", "pp", "pág", "págs", "párr", "secc", "t",
        "tab", "tít", "vol", "vols",
    ],
    before_starter: &[
        "a.c", "abr", "admón", "ago", "cent", "co", "cía", "d.c", "dic", "ee.uu", "ene", "feb",
        "inc", "izq", "jue", "jul", "jun", "ltd", "ltda", "lun", "mar", "may", "mié", "nov", "oct",
        "op", "s.a", "s.l", "sep", "sept", "set", "soc", "ud", "uds", "univ", "vd", "vds", "vie",
    ],
    before_capital: &["al", "etc", "etc.", "ss"],
    time: &["a.m", "am", "p.m", "pm"],
    starters: &[
        "a",
        "además",
        "ahora",
        "algo",
        "alguien",
        "algunos",
        "allí",
        "anoche",
        "antes",
        "apenas",
        "aquel",
        "aquella",
        "aquí",
        "asimismo",
        "así",
        "aun",
        "aunque",
        "ayer",
        "aún",
        "bajo",
        "cada",
        "casi",
        "como",
        "con",
        "contra",
        "cuando",
        "cuándo",
        "cómo",
        "debido",
        "del",
        "desde",
        "después",
        "donde",
        "durante",
        "dónde",
        "e",
        "el",
        "ella",
        "ellos",
        "en",
        "entonces",
        "entre",
        "era",
        "esa",
        "ese",
        "eso",
        "esta",
        "este",
        "esto",
        "finalmente",
        "fue",
        "había",
        "hace",
        "hacia",
        "hasta",
        "hay",
        "hoy",
        "incluso",
        "jamás",
        "junto",
        "la",
        "las",
        "los",
        "luego",
        "mañana",
        "mediante",
        "mientras",
        "muchos",
        "muy",
        "nada",
        "nadie",
        "ni",
        "ninguno",
        "nunca",
        "o",
        "otro",
        "otros",
        "para",
        "pero",
        "poco",
        "por",
        "porque",
        "pronto",
        "pues",
        "puesto",
        "que",
        "quien",
        "quizá",
        "quién",
        "qué",
        "salvo",
        "según",
        "sin",
        "sobre",
        "solo",
        "son",
        "sólo",
        "también",
        "tampoco",
        "tanto",
        "tras",
        "un",
        "una",
        "uno",
        "varios",
        "y",
        "ya",
    ],
};

/// Days, months and time zones that may follow a time of day.
const DATES: List = &[
    "april",
    "aug",
    "august",
    "bst",
    "cest",
    "cet",
    "cst",
    "december",
    "eastern",
    "edt",
    "est",
    "february",
    "friday",
    "gmt",
    "ist",
    "january",
    "jst",
    "july",
    "june",
    "march",
    "may",
    "monday",
    "mountain",
    "november",
    "october",
    "pacific",
    "pdt",
    "pst",
    "saturday",
    "september",
    "sunday",
    "thursday",
    "tuesday",
    "utc",
    "wednesday",
];

/// Verbs behind a quotation (`"Where?" John asked.`); other languages put the
/// speaker behind the verb, which has a small letter.
const SAID: List = &[
    "added",
    "announced",
    "answered",
    "asked",
    "called",
    "cried",
    "demanded",
    "exclaimed",
    "explained",
    "muttered",
    "noted",
    "observed",
    "remarked",
    "repeated",
    "replied",
    "said",
    "says",
    "screamed",
    "shouted",
    "sighed",
    "whispered",
    "wondered",
    "wrote",
    "yelled",
];

fn lists(language: Language) -> &'static [&'static Lists] {
    match language {
        Language::English => &[&ENGLISH],
        Language::French => &[&FRENCH],
        Language::German => &[&GERMAN],
        Language::Spanish => &[&SPANISH],
        // Chinese and Japanese texts abbreviate in English.
        Language::Chinese | Language::Japanese | Language::Korean => &[&ENGLISH],
        Language::Portuguese | Language::Italian | Language::Catalan => &[&SPANISH, &FRENCH],
        Language::Dutch | Language::Danish | Language::Norwegian | Language::Swedish => {
            &[&ENGLISH, &GERMAN]
        }
        _ => &[&ENGLISH, &FRENCH],
    }
}

fn is_in(list: List, word: &str) -> bool {
    list.binary_search(&word).is_ok()
}

/// What is known of a word before a full stop.
pub fn stop_of(word: &str, language: Language) -> Option<Stop> {
    let lower = word.to_lowercase();
    let has = |list: List| is_in(list, &lower) || is_in(list, word);
    for lists in lists(language) {
        // A month that is also a title (`mar`) is the first that fits.
        let by_stop = [
            (lists.before_number, Stop::BeforeNumber),
            (lists.inside, Stop::Inside),
            (lists.before_capital, Stop::BeforeCapital),
            (lists.time, Stop::BeforeCapitalNoDate),
            (lists.before_starter, Stop::BeforeStarter),
        ];
        for (list, stop) in by_stop {
            if has(list) {
                return Some(stop);
            }
        }
    }
    // Streets: `Hauptstr. 12`.
    let is_street = language == Language::German && lower.ends_with("str");
    is_street.then_some(Stop::BeforeStarter)
}

/// Whether a word with a capital begins sentences: it would be written small
/// within one.
pub fn begins_sentences(word: &str, language: Language) -> bool {
    let lower = word.to_lowercase();
    let is_letter = lower.chars().nth(1).is_none();
    let own = lists(language).iter().any(|l| is_in(l.starters, &lower));
    // `l'art` and the like: what stands before the apostrophe.
    let head = lower.split(['\'', '’']).next().unwrap_or_default();
    let elided =
        head.len() < lower.len() && matches!(head, "l" | "d" | "c" | "j" | "n" | "s" | "qu");
    // The lists of stop words hold every letter.
    own || elided || (!is_letter && stop_words(language).contains(&lower))
}

/// Whether a word goes on after a time of day.
pub fn is_date(word: &str) -> bool {
    is_in(DATES, &word.to_lowercase())
}

/// Whether a word says that somebody said something.
pub fn is_said(word: &str) -> bool {
    is_in(SAID, word)
}

/// Whether numbers with a full stop are ordinals (`3. Oktober`).
pub fn has_dotted_ordinals(language: Language) -> bool {
    use Language::*;
    matches!(
        language,
        German
            | Danish
            | Norwegian
            | Finnish
            | Estonian
            | Latvian
            | Lithuanian
            | Polish
            | Czech
            | Slovak
            | Slovene
            | Croatian
            | Serbian
            | Hungarian
            | Turkish
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_can_be_searched_by_halves() {
        for lists in [&ENGLISH, &FRENCH, &GERMAN, &SPANISH] {
            for list in [
                lists.inside,
                lists.before_number,
                lists.before_starter,
                lists.before_capital,
                lists.time,
                lists.starters,
            ] {
                let unsorted = list.windows(2).find(|pair| pair[0] >= pair[1]);
                assert_eq!(unsorted, None);
            }
        }
        assert!(DATES.is_sorted() && SAID.is_sorted());
    }

    #[test]
    fn what_is_known_of_words() {
        let check =
            |word: &str, language, stop| assert_eq!(stop_of(word, language), stop, "{word}");
        check("Dr", Language::English, Some(Stop::Inside));
        check("M", Language::French, Some(Stop::Inside));
        check("m", Language::French, None);
        check("z.B", Language::German, Some(Stop::Inside));
        check("usw", Language::German, Some(Stop::BeforeCapital));
        check("Pág", Language::Spanish, Some(Stop::BeforeNumber));
        check("etc", Language::Swedish, Some(Stop::BeforeCapital));
        check("Rs", Language::English, Some(Stop::BeforeNumber));
        check("Mill", Language::German, Some(Stop::BeforeStarter));
        check("Schweiz", Language::German, None);
        check("harbour", Language::English, None);
    }
}
