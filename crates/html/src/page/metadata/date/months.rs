//! The names of the months.

use crate::text::Language;
use foldhash::{HashMap, HashMapExt};
use std::sync::LazyLock;

/// Bytes of an abbreviation at the least, in a language that is known.
const MIN_ABBREVIATION: usize = 3;

/// The months of a language in their order, as they stand in dates: the forms of
/// one month between strokes, the usual one first.
struct Months {
    language: Language,
    names: [&'static str; 12],
}

const fn months(language: Language, names: [&'static str; 12]) -> Months {
    Months { language, names }
}

/// All languages that have names and not only numbers (Chinese, Japanese and
/// Korean: see [`super::forms`]; Vietnamese counts them). Of a name that means two
/// months (`listopad`) the first language's is taken where none is known. Those of
/// [`Language::Unknown`] are Bengali and Tamil.
#[rustfmt::skip]
const MONTHS: [Months; 37] = [
    months(Language::English, ["january", "february", "march", "april", "may", "june", "july", "august", "september|sept", "october", "november", "december"]),
    months(Language::German, ["januar|jänner", "februar|feber", "märz|maerz|mrz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"]),
    months(Language::French, ["janvier", "février|fevrier|fév", "mars", "avril", "mai", "juin", "juillet", "août|aout", "septembre", "octobre", "novembre", "décembre|decembre"]),
    months(Language::Spanish, ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre|setiembre", "octubre", "noviembre", "diciembre"]),
    months(Language::Italian, ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"]),
    months(Language::Portuguese, ["janeiro", "fevereiro", "março|marco", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"]),
    months(Language::Dutch, ["januari", "februari", "maart|mrt", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"]),
    months(Language::Polish, ["stycznia|styczeń", "lutego|luty", "marca|marzec", "kwietnia|kwiecień", "maja|maj", "czerwca|czerwiec", "lipca|lipiec", "sierpnia|sierpień", "września|wrzesień", "października|październik|paź", "listopada|listopad", "grudnia|grudzień"]),
    months(Language::Russian, ["января|январь", "февраля|февраль", "марта|март", "апреля|апрель", "мая|май", "июня|июнь", "июля|июль", "августа|август", "сентября|сентябрь", "октября|октябрь", "ноября|ноябрь", "декабря|декабрь"]),
    months(Language::Arabic, ["يناير|جانفي", "فبراير|فيفري|شباط", "مارس|آذار", "أبريل|ابريل|أفريل|نيسان", "مايو|ماي|أيار|ايار", "يونيو|يونيه|جوان|حزيران", "يوليو|يوليوز|يوليه|جويلية|تموز", "أغسطس|اغسطس|غشت|أوت|آب", "سبتمبر|شتنبر|أيلول|ايلول", "أكتوبر|اكتوبر", "نوفمبر|نونبر", "ديسمبر|دجنبر"]),
    months(Language::Bulgarian, ["януари", "февруари", "март", "април", "май", "юни", "юли", "август", "септември", "октомври", "ноември", "декември"]),
    months(Language::Catalan, ["gener", "febrer", "març", "abril", "maig", "juny", "juliol", "agost", "setembre", "octubre", "novembre", "desembre"]),
    months(Language::Czech, ["ledna|leden", "února|únor", "března|březen", "dubna|duben", "května|květen", "června|červen", "července|červenec", "srpna|srpen", "září", "října|říjen", "listopadu|listopad", "prosince|prosinec"]),
    months(Language::Danish, ["januar", "februar", "marts", "april", "maj", "juni", "juli", "august", "september", "oktober", "november", "december"]),
    months(Language::Estonian, ["jaanuar", "veebruar", "märts", "aprill", "mai", "juuni", "juuli", "august", "september", "oktoober", "november", "detsember"]),
    months(Language::Finnish, ["tammikuuta|tammikuu", "helmikuuta|helmikuu", "maaliskuuta|maaliskuu", "huhtikuuta|huhtikuu", "toukokuuta|toukokuu", "kesäkuuta|kesäkuu", "heinäkuuta|heinäkuu", "elokuuta|elokuu", "syyskuuta|syyskuu", "lokakuuta|lokakuu", "marraskuuta|marraskuu", "joulukuuta|joulukuu"]),
    months(Language::Greek, ["ιανουαρίου|ιανουάριος", "φεβρουαρίου|φεβρουάριος", "μαρτίου|μάρτιος", "απριλίου|απρίλιος", "μαΐου|μαίου|μάιος|μάϊος|μαι", "ιουνίου|ιούνιος", "ιουλίου|ιούλιος", "αυγούστου|αύγουστος", "σεπτεμβρίου|σεπτέμβριος", "οκτωβρίου|οκτώβριος", "νοεμβρίου|νοέμβριος", "δεκεμβρίου|δεκέμβριος"]),
    months(Language::Hebrew, ["ינואר", "פברואר", "מרץ|מרס", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר"]),
    months(Language::Hindi, ["जनवरी", "फरवरी|फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर|सितम्बर", "अक्टूबर|अक्तूबर", "नवंबर|नवम्बर", "दिसंबर|दिसम्बर"]),
    months(Language::Hungarian, ["január", "február", "március", "április", "május", "június", "július", "augusztus", "szeptember", "október", "november", "december"]),
    months(Language::Indonesian, ["januari", "februari|pebruari", "maret", "april", "mei", "juni", "juli", "agustus", "september", "oktober", "november", "desember"]),
    months(Language::Latvian, ["janvāris|janvārī", "februāris|februārī", "marts|martā", "aprīlis|aprīlī", "maijs|maijā", "jūnijs|jūnijā", "jūlijs|jūlijā", "augusts|augustā", "septembris|septembrī", "oktobris|oktobrī", "novembris|novembrī", "decembris|decembrī"]),
    months(Language::Lithuanian, ["sausio|sausis", "vasario|vasaris", "kovo|kovas", "balandžio|balandis", "gegužės|gegužė", "birželio|birželis", "liepos|liepa", "rugpjūčio|rugpjūtis", "rugsėjo|rugsėjis", "spalio|spalis", "lapkričio|lapkritis", "gruodžio|gruodis"]),
    months(Language::Norwegian, ["januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "desember"]),
    months(Language::Persian, ["ژانویه", "فوریه", "مارس", "آوریل", "مه", "ژوئن", "ژوئیه", "اوت", "سپتامبر", "اکتبر", "نوامبر", "دسامبر"]),
    months(Language::Romanian, ["ianuarie", "februarie", "martie", "aprilie", "mai", "iunie", "iulie", "august", "septembrie", "octombrie", "noiembrie", "decembrie"]),
    months(Language::Serbian, ["januar|januara|јануар|јануара", "februar|februara|фебруар|фебруара", "mart|marta|март|марта", "april|aprila|април|априла", "maj|maja|мај|маја", "jun|juna|јун|јуна", "jul|jula|јул|јула", "avgust|avgusta|август|августа", "septembar|septembra|септембар|септембра", "oktobar|oktobra|октобар|октобра", "novembar|novembra|новембар|новембра", "decembar|decembra|децембар|децембра"]),
    months(Language::Slovak, ["januára|január", "februára|február", "marca|marec", "apríla|apríl", "mája|máj", "júna|jún", "júla|júl", "augusta|august", "septembra|september", "októbra|október", "novembra|november", "decembra|december"]),
    months(Language::Slovene, ["januarja|januar", "februarja|februar", "marca|marec", "aprila|april", "maja|maj", "junija|junij", "julija|julij", "avgusta|avgust", "septembra|september", "oktobra|oktober", "novembra|november", "decembra|december"]),
    months(Language::Swedish, ["januari", "februari", "mars", "april", "maj", "juni", "juli", "augusti", "september", "oktober", "november", "december"]),
    months(Language::Thai, ["มกราคม", "กุมภาพันธ์", "มีนาคม", "เมษายน", "พฤษภาคม", "มิถุนายน", "กรกฎาคม", "สิงหาคม", "กันยายน", "ตุลาคม", "พฤศจิกายน", "ธันวาคม"]),
    months(Language::Turkish, ["ocak", "şubat", "mart", "nisan", "mayıs", "haziran", "temmuz", "ağustos", "eylül", "ekim", "kasım", "aralık"]),
    months(Language::Ukrainian, ["січня|січень", "лютого|лютий", "березня|березень", "квітня|квітень", "травня|травень", "червня|червень", "липня|липень", "серпня|серпень", "вересня|вересень", "жовтня|жовтень", "листопада|листопад", "грудня|грудень"]),
    months(Language::Vietnamese, ["một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười", "", ""]),
    months(Language::Unknown, ["জানুয়ারি", "ফেব্রুয়ারি", "মার্চ", "এপ্রিল", "মে", "জুন", "জুলাই", "আগস্ট", "সেপ্টেম্বর", "অক্টোবর", "নভেম্বর", "ডিসেম্বর"]),
    months(Language::Unknown, ["ஜனவரி", "பிப்ரவரி", "மார்ச்", "ஏப்ரல்", "மே", "ஜூன்", "ஜூலை", "ஆகஸ்ட்", "செப்டம்பர்", "அக்டோபர்", "நவம்பர்", "டிசம்பர்"]),
    months(Language::Croatian, ["siječnja|siječanj", "veljače|veljača", "ožujka|ožujak", "travnja|travanj", "svibnja|svibanj", "lipnja|lipanj", "srpnja|srpanj", "kolovoza|kolovoz", "rujna|rujan", "listopada|listopad", "studenoga|studenog|studeni", "prosinca|prosinac"]),
];

/// The month of each name, in the first language that has it. Numbers, as Vietnamese has, are
/// no names.
static IN_FULL: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut out = HashMap::new();
    for months in &MONTHS {
        if months.language == Language::Vietnamese {
            continue;
        }
        for (month, forms) in (1..).zip(&months.names) {
            for form in forms.split('|') {
                out.entry(form).or_insert(month);
            }
        }
    }
    out
});

/// The month (1 to 12) that a word names, and whether in full: in `language` in
/// full or as an abbreviation of three bytes or more that fits no other month, in
/// any language in full, or as the three letters of English.
pub(super) fn month_of(word: &str, language: Language) -> Option<(u32, bool)> {
    let word = word.to_lowercase();
    let word = match language {
        // "In May" is one word.
        Language::Hebrew => word.strip_prefix('ב').unwrap_or(&word),
        _ => &word,
    };
    let is_own = |months: &&Months| months.language == language && language != Language::Unknown;
    let own = MONTHS.iter().find(is_own);
    own.and_then(|months| months.in_full(word).or_else(|| months.abbreviated(word)))
        .or_else(|| {
            let of_any = IN_FULL.get(word);
            of_any.map(|&month| (month, true))
        })
        .or_else(|| (word.len() == 3).then(|| MONTHS[0].abbreviated(word))?)
}

impl Months {
    fn in_full(&self, word: &str) -> Option<(u32, bool)> {
        let is_named =
            |forms: &str| forms.len() >= word.len() && forms.split('|').any(|form| form == word);
        let at = self.names.iter().position(|forms| is_named(forms))?;
        (!word.is_empty()).then_some((at as u32 + 1, true))
    }

    fn abbreviated(&self, word: &str) -> Option<(u32, bool)> {
        if word.len() < MIN_ABBREVIATION || self.language == Language::Vietnamese {
            return None;
        }
        let begins = |forms: &str| forms.split('|').any(|form| form.starts_with(word));
        let mut fitting = (1..).zip(&self.names).filter(|(_, forms)| begins(forms));
        let (month, _) = fitting.next()?;
        fitting.next().is_none().then_some((month, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn check(word: &str, language: Language, month: Option<u32>) {
        let found = month_of(word, language).map(|(month, _)| month);
        assert_eq!(found, month, "{word} {language}");
    }

    #[test]
    fn every_language_but_those_that_count_has_its_months() {
        let counted = [Language::Chinese, Language::Japanese, Language::Korean];
        for &language in Language::ALL {
            let has = MONTHS.iter().any(|months| months.language == language);
            assert_eq!(has, !counted.contains(&language), "{language}");
        }
    }

    #[test]
    fn every_form_is_read_in_its_language() {
        for months in &MONTHS {
            for (month, forms) in (1..).zip(&months.names) {
                for form in forms.split('|').filter(|form| !form.is_empty()) {
                    check(form, months.language, Some(month));
                }
            }
        }
    }

    #[test]
    fn one_name_means_two_months_only_in_croatian() {
        let mut all: BTreeMap<&str, u32> = BTreeMap::new();
        let others = MONTHS.iter().filter(|m| m.language != Language::Croatian);
        for months in others {
            for (month, forms) in (1..).zip(&months.names) {
                for form in forms.split('|').filter(|form| !form.is_empty()) {
                    assert_eq!(*all.entry(form).or_insert(month), month, "{form}");
                }
            }
        }
        check("listopada", Language::Croatian, Some(10));
        check("listopada", Language::Polish, Some(11));
        check("listopada", Language::Unknown, Some(11));
    }

    #[test]
    fn abbreviations_are_those_of_the_language() {
        check("okt", Language::German, Some(10));
        check("févr", Language::French, Some(2));
        check("juil", Language::French, Some(7));
        check("jui", Language::French, None);
        check("dic", Language::Spanish, Some(12));
        check("dic", Language::Unknown, None);
        check("dec", Language::Spanish, Some(12));
        check("фев", Language::Russian, Some(2));
        check("ba", Language::Unknown, None);
    }
}
