//! Words at the end of an introduction that bind each item to it (section 3.2.3):
//! prepositions, auxiliary verbs and *not*.
//!
//! The paper gives four of them ("in", "to", "may", "can"). The lists are those of
//! the usual grammars: simple prepositions; forms of the auxiliaries in the present,
//! the past and the conditional, as introductions have them; the modal verbs, and in
//! the Romance languages those that take an infinitive as English modals do. *Above*,
//! *below*, *down* and *up* are left out: at the end of an introduction they are adverbs
//! ("as listed below", "here is how it breaks down"), and the items are sentences. So are
//! *do* ("what to do"), *après* ("ci-après") and the German *ab*, *an*, *auf* and *vor*,
//! which end a main clause as part of its verb ("Gehen Sie wie folgt vor").

use crate::text::Language;

const ENGLISH: &str = "about across after against along amid among around as at before \
    behind beneath beside besides between beyond by concerning despite during except \
    excluding for from in including inside into like near of off on onto outside over past per \
    regarding since than through throughout till to toward towards under underneath unlike until \
    unto upon via versus with within without \
    am is are was were be been being has have had having can could may might must \
    shall should will would ought cannot not";

const FRENCH: &str = "à avant avec chez concernant contre dans de depuis derrière dès \
    devant durant en entre envers hormis hors jusque malgré moyennant outre par parmi pendant \
    pour sans sauf selon sous suivant sur vers via du des au aux \
    suis es est sommes êtes sont étais était étions étiez étaient été être étant serai sera \
    serons serez seront serait seraient fut furent \
    ai as a avons avez ont avais avait avions aviez avaient eu avoir ayant aura aurons aurez \
    auront aurait auraient \
    peux peut pouvons pouvez peuvent pouvait pouvaient pourra pourrez pourront pourrait \
    pourraient pouvoir dois doit devons devez doivent devait devaient devra devrez devront \
    devrait devraient devoir faut fallait faudra faudrait pas";

const GERMAN: &str = "anhand aus außer bei bis binnen durch entlang für gegen gegenüber \
    gemäß hinter in infolge innerhalb außerhalb je laut mit mithilfe mittels nach neben ohne per \
    pro seit statt trotz über um unter von während wegen wie wider zu zwischen zum zur beim \
    im am vom ans ins \
    bin bist ist sind seid war warst waren wart gewesen sei seien wäre wären \
    habe hast hat haben habt hatte hatten hätte hätten \
    werde wirst wird werden werdet wurde wurden würde würden \
    kann kannst können könnt konnte konnten könnte könnten darf darfst dürfen dürft durfte \
    durften dürfte dürften muss muß musst müssen müsst musste mussten müsste müssten soll sollst \
    sollen sollt sollte sollten will willst wollen wollt wollte wollten mag möchte möchten nicht";

const SPANISH: &str = "a al ante bajo con contra de del desde durante en entre excepto hacia hasta \
    incluso mediante para por salvo según sin sobre tras vía \
    soy eres es somos sois son era eran fue fueron sea sean sería serían ser sido siendo \
    estoy está estamos están estaba estaban estar estado \
    he has ha hemos habéis han había habían habrá habrán habría haber hay \
    puedo puedes puede podemos podéis pueden podía podían podrá podrán podría podrían poder \
    debo debes debe debemos debéis deben debía debían deberá deberán debería deberían deber \
    suele suelen no";

/// The languages that have a list.
const LISTS: [(Language, &str); 4] = [
    (Language::English, ENGLISH),
    (Language::French, FRENCH),
    (Language::German, GERMAN),
    (Language::Spanish, SPANISH),
];

/// Whether an introduction, without its colon, ends in a trigger word of its
/// language.
pub(super) fn ends_in_trigger(introduction: &str, language: Language) -> bool {
    let Some((_, list)) = LISTS.iter().find(|(listed, _)| *listed == language) else {
        return false;
    };
    let word = introduction
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default()
        .to_lowercase();
    !word.is_empty() && list.split_ascii_whitespace().any(|trigger| trigger == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigger_words_are_those_of_the_language() {
        let check = |language, introduction, expected| {
            let found = ends_in_trigger(introduction, language);
            assert_eq!(found, expected, "{language} {introduction}");
        };
        check(Language::English, "parents need to", true);
        check(Language::English, "You may", true);
        check(Language::English, "It is NOT", true);
        check(Language::English, "dress styles to consider", false);
        check(
            Language::English,
            "You will need the papers named below",
            false,
        );
        check(Language::English, "This is where the cost shows up", false);
        check(Language::English, "What a tomato", false);
        check(Language::English, "What to do", false);
        check(Language::French, "Voir la liste ci-après", false);
        check(Language::German, "Gehen Sie wie folgt vor", false);
        check(Language::German, "Das Team besteht aus", true);
        check(Language::English, "", false);
        check(Language::French, "Vous devez", true);
        check(Language::French, "Le prix dépend de", true);
        check(Language::French, "Il ne faut pas", true);
        check(Language::German, "Sie können", true);
        check(Language::German, "Gehen Sie nicht", true);
        check(Language::German, "Man fährt über", true);
        check(Language::German, "to", false);
        check(Language::Spanish, "Usted puede", true);
        check(Language::Spanish, "El viaje pasa por", true);
        check(Language::Spanish, "Esto no", true);
        check(Language::Italian, "non", false);
    }
}
