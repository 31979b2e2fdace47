//! The life of a harvest in fast motion: three days in steps of half an hour, by a
//! clock of its own. Sites on loopback whose items appear over time; some are
//! redesigned midway, one is down for a day, one turns hostile.
//!
//! A small life of made-up sites runs by default; with `--features heavy` one of forty
//! real sites.

mod hostile;
mod life;
mod made_up;
mod press;
#[cfg(feature = "heavy")]
mod real;

use life::{Life, Lived};
use press::Fate;

/// What must hold of any life.
fn check(lived: &Lived) {
    lived.tell();
    assert!(lived.missing.is_empty(), "not there: {:?}", lived.missing);
    assert!(
        lived.unexpected.is_empty(),
        "not listed: {:?}",
        lived.unexpected
    );
    assert_eq!(lived.damage, 0);
    assert_eq!(lived.articles, lived.kept.len(), "each article once");
    assert_eq!(lived.doubles, 0);
    for site in &lived.sites {
        match site.fate {
            Fate::Quiet | Fate::Down { .. } => {
                assert_eq!(site.relearned, 0, "{}: nothing has changed", site.name);
            }
            Fate::Redesigned { .. } => {
                assert!(site.relearned > 0, "{}: {:?}", site.name, site.told);
                let later = &site.later_not_ok;
                assert!(later.is_empty(), "{}: {later:?}", site.name);
                let f1 = site.later_f1.expect("gold");
                assert!(f1 >= 0.9, "{}: {f1:.3}", site.name);
            }
            Fate::Hostile { .. } => {
                assert_eq!(site.taught, 0, "{}: {:?}", site.name, site.told);
            }
        }
    }
}

#[test]
fn a_short_life_of_made_up_sites() {
    let lived = Life::new(made_up::sites()).live();
    check(&lived);
    assert_eq!(lived.sites.len(), 4);
    assert!(lived.sites.iter().all(|site| site.wrappers > 0));
    assert!(lived.kept.len() > 60, "{}", lived.kept.len());
}

#[cfg(feature = "heavy")]
#[test]
fn a_three_day_life() {
    let Some(feeds) = crate::needed::shared("feeds") else {
        return;
    };
    let sites = real::sites(&feeds, 40);
    let lived = Life::new(sites).live();
    check(&lived);
    assert_eq!(lived.sites.len(), 40);
}
