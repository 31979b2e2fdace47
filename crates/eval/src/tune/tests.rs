use super::evolution::Evolution;
use super::individual::Origin;
use super::*;
use crate::eval::SplitMix64;
use forest_text::pipeline::{Blueprint, Parameter, ParameterKind, Pipeline, Preset, Setting};
use std::collections::HashSet;

const OPTIMISERS: [Optimiser; 5] = Optimiser::ALL;

fn plan(optimiser: Optimiser) -> TunePlan {
    TunePlan {
        optimiser,
        patience: 1000,
        generations: 20,
        ..TunePlan::default()
    }
}

/// Two numbers of 0 to 1 that hang together, a choice and a flag.
fn space() -> Vec<Parameter> {
    let number = ParameterKind::Number {
        limits: (0.0, 1.0),
        searched: (0.0, 1.0),
        step: 0.01,
    };
    let names = ParameterKind::Choice(&["a", "b", "c"]);
    let kinds = [number.clone(), number, names, ParameterKind::Flag];
    let parameter = |(at, kind): (usize, ParameterKind)| Parameter {
        name: at.to_string().into(),
        group: (at < 2).then_some(0),
        kind,
        is_searched: true,
    };
    kinds.into_iter().enumerate().map(parameter).collect()
}

/// 1 at (0.3, 0.7, "b", on), less with the distance.
fn hill(setting: &Setting) -> f64 {
    let square = |place: usize, top: f64| (place as f64 / 100.0 - top).powi(2);
    let names = f64::from(u8::from(setting[2] != 1)) + f64::from(u8::from(setting[3] != 1));
    1.0 - square(setting[0], 0.3) - square(setting[1], 0.7) - 0.1 * names
}

fn run(plan: &TunePlan, injected: &[Setting]) -> Vec<Individual> {
    let fitness = |proposals: &[Proposal]| {
        let fitness = proposals.iter().map(|one| hill(&one.setting));
        Ok::<_, ()>(fitness.collect())
    };
    tune(&space(), injected, plan, fitness).expect("nothing fails")
}

#[test]
fn every_optimiser_finds_the_top_of_a_hill_or_comes_near() {
    for (optimiser, least) in OPTIMISERS.into_iter().zip([0.999, 0.999, 0.98, 0.97, 0.99]) {
        let history = run(&plan(optimiser), &[]);
        let best = fittest(&history).expect("individuals");
        assert!(best.fitness >= least, "{optimiser:?}: {}", best.fitness);
    }
}

#[test]
fn the_paper_s_own_is_better_than_chance() {
    let mean = |optimiser: Optimiser| {
        let of_seed = |seed: u64| {
            let plan = TunePlan {
                seed,
                generations: 8,
                ..plan(optimiser)
            };
            fittest(&run(&plan, &[])).map_or(0.0, |best| best.fitness)
        };
        (1..=10).map(of_seed).sum::<f64>() / 10.0
    };
    assert!(mean(Optimiser::Evolution) > mean(Optimiser::Random));
}

#[test]
fn injected_individuals_are_in_the_first_generation() {
    let injected = [vec![30, 70, 1, 1], vec![0, 0, 0, 0]];
    for optimiser in OPTIMISERS {
        let history = run(&plan(optimiser), &injected);
        for (one, setting) in history.iter().zip(&injected) {
            assert_eq!(
                (&one.proposal.setting, one.proposal.generation),
                (setting, 0)
            );
            assert_eq!(one.proposal.origin, Origin::Injected);
        }
        assert_eq!(fittest(&history).map(|best| best.fitness), Some(1.0));
    }
}

#[test]
fn settings_are_in_range_and_tried_once() {
    let space = space();
    for optimiser in OPTIMISERS {
        let history = run(&plan(optimiser), &[vec![100, 0, 2, 0]]);
        let mut seen = HashSet::new();
        for one in &history {
            let values = space.iter().zip(&one.proposal.setting);
            for (parameter, place) in values {
                assert!(*place < parameter.steps(), "{optimiser:?}");
            }
            assert!(seen.insert(one.proposal.setting.clone()), "{optimiser:?}");
        }
        assert!(history.len() <= 30 * 21);
    }
}

#[test]
fn a_small_space_is_tried_as_a_whole() {
    let space = &space()[2..];
    for optimiser in OPTIMISERS {
        let history = tune(space, &[], &plan(optimiser), |proposals| {
            Ok::<_, ()>(vec![0.0; proposals.len()])
        });
        assert_eq!(history.map(|all| all.len()), Ok(6), "{optimiser:?}");
    }
}

#[test]
fn a_search_without_improvement_ends() {
    let plan = TunePlan::default();
    let flat = |proposals: &[Proposal]| Ok::<_, ()>(vec![0.5; proposals.len()]);
    let history = tune(&space(), &[], &plan, flat).expect("nothing fails");
    assert_eq!(history.len(), POPULATION * (1 + PATIENCE));
}

#[test]
fn one_seed_gives_one_history() {
    for optimiser in OPTIMISERS {
        let with_seed = |seed: u64| {
            run(
                &TunePlan {
                    seed,
                    ..plan(optimiser)
                },
                &[],
            )
        };
        assert_eq!(with_seed(7), with_seed(7));
        let is_drawn = optimiser != Optimiser::Grid;
        assert_eq!(with_seed(7) != with_seed(8), is_drawn, "{optimiser:?}");
    }
}

#[test]
fn what_hangs_together_is_recombined_by_its_mean() {
    let space = space();
    let individual = |setting: Setting| Individual {
        proposal: Proposal {
            generation: 0,
            origin: Origin::Random,
            setting,
        },
        fitness: 1.0,
    };
    let parents = [
        individual(vec![10, 20, 0, 0]),
        individual(vec![20, 60, 2, 1]),
    ];
    let parents: Vec<&Individual> = parents.iter().collect();
    let mut random = SplitMix64::new(1);
    let mut children = |optimiser: Optimiser| -> Vec<Setting> {
        let evolution = Evolution::new(&plan(optimiser));
        let child = |_| evolution.child(&space, &parents, &mut random);
        let children = (0..100).map(child);
        let recombined = children.filter(|(origin, _)| *origin == Origin::Recombined);
        recombined.map(|(_, setting)| setting).collect()
    };
    for child in children(Optimiser::Adaptive) {
        assert_eq!(child[..2], [15, 40]);
    }
    let published = children(Optimiser::Evolution);
    assert!(published.contains(&vec![10, 60, 2, 0]));
    assert!(
        published
            .iter()
            .all(|child| child[0] % 10 == 0 && child[1] % 40 == 20)
    );
}

#[test]
fn a_grid_has_the_ends_of_its_ranges() {
    let points = optimiser::grid(&space(), 60);
    // Three values of each number, three names, two flags.
    assert_eq!(points.len(), 3 * 3 * 3 * 2);
    for corner in [[0, 0, 0, 0], [100, 100, 2, 1], [50, 100, 1, 1]] {
        assert!(points.contains(&corner.to_vec()));
    }
    assert!(optimiser::grid(&space(), 23).is_empty());
    // Less room than there are injected settings.
    let plan = TunePlan {
        population: 1,
        generations: 0,
        ..plan(Optimiser::Grid)
    };
    let injected = [vec![0, 0, 0, 0], vec![1, 1, 1, 1]];
    assert_eq!(run(&plan, &injected).len(), 1);
}

#[test]
fn an_interrupted_history_is_gone_on_with() {
    let blueprint = Blueprint::of_preset(Preset::Lqf);
    let proposal = |place| Proposal {
        generation: 0,
        origin: Origin::Injected,
        setting: vec![place, 0],
    };
    let head = r#"{"seed":1}"#;
    let line = TuneLog::line(&blueprint, &proposal(25), 0.7);
    assert_eq!(
        line,
        r#"{"generation":0,"origin":"injected","values":{"threshold":0.25,"discards":"own-text"},"fitness":0.7}"#
    );
    let file = format!("{head}\n{line}\n{{\"generation\":0,\"orig");
    let mut log = TuneLog::new(head, &file).expect("its head");
    assert_eq!(log.known(&blueprint, &proposal(25)), Ok(Some(0.7)));
    assert_eq!(log.known(&blueprint, &proposal(26)), Ok(None));
    let mut log = TuneLog::new(head, &file).expect("its head");
    let other = log.known(&blueprint, &proposal(26)).expect_err("another");
    assert!(other.to_string().starts_with("line 2 "), "{other}");
    let other = r#"{"seed":2}"#;
    assert!(TuneLog::new(other, &file).is_err());
    for cut_off in ["", "{", "{\"seed\":1", "{\"seed\":1}"] {
        assert!(TuneLog::new(head, cut_off).is_ok(), "{cut_off}");
    }
    // A file of something else is not overwritten.
    assert!(TuneLog::new(head, "notes").is_err());
}

#[test]
fn measures_of_fitness_are_read_back() {
    for text in ["lcs", "f1", "recall@p>=0.9", "precision@r>=0"] {
        assert_eq!(text.parse::<Fitness>().expect(text).to_string(), text);
    }
    for text in [
        "",
        "recall",
        "recall@p>=2",
        "recall@p>=",
        "recall@p>=nan",
        "f2",
    ] {
        assert!(text.parse::<Fitness>().is_err(), "{text}");
    }
}

#[test]
fn a_mask_is_compared_once_and_pages_are_sampled_from_all_sites() {
    let gold = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gold");
    let collections = [forest_sources::gold::Collection::open(gold).expect("gold")];
    let places = sample(&collections, 40, 1, |_, _| true);
    assert_eq!(places.len(), 40);
    assert_ne!(places, sample(&collections, 40, 2, |_, _| true));
    let sites: HashSet<&str> = places
        .iter()
        .filter_map(|place| collections[0].pages()[place.page].id.split('/').next())
        .collect();
    assert_eq!(sites.len(), collections[0].sites().len().min(40));
    let mut pages = TunePages::read(&collections, &places[..5], &|| ()).expect("pages");
    let bte = Pipeline::parse("bte", "format: 1\npipeline: bte\n").expect("a pipeline");
    let scores = pages.scores(&[bte.clone(), bte]);
    assert_eq!(scores[0], scores[1]);
    assert!(scores[0].iter().any(|(two_gram, _)| two_gram.f1 > 0.0));
}
