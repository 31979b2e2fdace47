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

use life::{Simulation, SimulationResults};
use press::Fate;

/// The conditions of every run.
fn check(results: &SimulationResults) {
    results.print();
    assert!(
        results.missing.is_empty(),
        "not there: {:?}",
        results.missing
    );
    assert!(
        results.unexpected.is_empty(),
        "not listed: {:?}",
        results.unexpected
    );
    assert_eq!(results.damage, 0);
    assert_eq!(results.articles, results.kept.len(), "each article once");
    assert_eq!(results.doubles, 0);
    for site in &results.sites {
        match site.fate {
            Fate::Quiet | Fate::Down { .. } => {
                assert_eq!(site.relearned, 0, "{}: nothing has changed", site.name);
            }
            Fate::Redesigned { .. } => {
                assert!(site.relearned > 0, "{}: {:?}", site.name, site.reported);
                let later = &site.later_not_ok;
                assert!(later.is_empty(), "{}: {later:?}", site.name);
                let f1 = site.later_f1.expect("gold");
                assert!(f1 >= 0.9, "{}: {f1:.3}", site.name);
            }
            Fate::Hostile { .. } => {
                assert_eq!(
                    site.learned_when_hostile, 0,
                    "{}: {:?}",
                    site.name, site.reported
                );
            }
        }
    }
}

#[test]
fn a_short_life_of_made_up_sites() {
    let results = Simulation::new(made_up::sites()).run();
    check(&results);
    assert_eq!(results.sites.len(), 4);
    assert!(results.sites.iter().all(|site| site.wrappers > 0));
    assert!(results.kept.len() > 60, "{}", results.kept.len());
}

#[cfg(feature = "heavy")]
#[test]
fn a_three_day_life() {
    let Some(feeds) = crate::needed::shared("feeds") else {
        return;
    };
    let sites = real::sites(&feeds, 40);
    let results = Simulation::new(sites).run();
    check(&results);
    assert_eq!(results.sites.len(), 40);
}
