//! The result as SVG: fitness by generation, and the values that were tried, as the paper's
//! figure 4.

use super::individual::{Individual, ranked};
use super::tuned::Tuned;
use crate::eval::{BOTTOM, COLOURS, LEFT, Svg};
use forest_text::pipeline::Parameter;

/// Where the legend begins.
const RIGHT: f64 = 570.0;

/// Parameters whose pairs get a chart at the most: six charts.
const PAIRED: usize = 4;

/// The charts by file name.
pub fn charts(tuned: &Tuned<'_>) -> Vec<(String, String)> {
    let mut charts = vec![("fitness.svg".to_owned(), by_generation(tuned))];
    let parameters = tuned.blueprint.parameters().iter().enumerate();
    let numbers: Vec<usize> = parameters
        .filter(|(_, parameter)| parameter.is_ordered())
        .map(|(at, _)| at)
        .take(PAIRED)
        .collect();
    for (i, &x) in numbers.iter().enumerate() {
        for &y in &numbers[i + 1..] {
            let name = |at: usize| &tuned.blueprint.parameters()[at].name;
            charts.push((
                format!("tried-{}-{}.svg", name(x), name(y)),
                tried(tuned, x, y),
            ));
        }
    }
    charts
}

/// The best fitness so far and the best and the mean of each generation.
fn by_generation(tuned: &Tuned<'_>) -> String {
    let generations: Vec<&[Individual]> = tuned
        .history
        .chunk_by(|a, b| a.proposal.generation == b.proposal.generation)
        .collect();
    let best = |of: &&[Individual]| of.iter().map(|one| one.fitness).fold(f64::MIN, f64::max);
    let mean = |of: &&[Individual]| of.iter().map(|one| one.fitness).sum::<f64>() / of.len() as f64;
    let of_generation: Vec<f64> = generations.iter().map(best).collect();
    let means: Vec<f64> = generations.iter().map(mean).collect();
    let so_far = of_generation.iter().scan(f64::MIN, |so_far, best| {
        *so_far = so_far.max(*best);
        Some(*so_far)
    });
    let so_far: Vec<f64> = so_far.collect();
    let lines = [
        ("best so far", so_far),
        ("best", of_generation),
        ("mean", means),
    ];
    let all = lines.iter().flat_map(|(_, values)| values.iter().copied());
    let (low, high) = all.fold((1.0_f64, -1.0_f64), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    let mut svg = Svg::new("Fitness by generation", RIGHT, &ticks(low, high), 3);
    let last = (generations.len() - 1).max(1) as f64;
    let right = svg.right();
    let x = |at: usize| LEFT + at as f64 / last * (right - LEFT);
    for at in (0..generations.len()).step_by(generations.len().div_ceil(20)) {
        svg.text(x(at), BOTTOM + 18.0, "middle", &at.to_string());
    }
    svg.text((LEFT + RIGHT) / 2.0, BOTTOM + 40.0, "middle", "generation");
    for (place, (name, values)) in lines.iter().enumerate() {
        for (at, pair) in values.windows(2).enumerate() {
            let (from, to) = (svg.y(pair[0]), svg.y(pair[1]));
            svg.line(
                (x(at), from),
                (x(at + 1), to),
                COLOURS[place],
                "stroke-width=\"2\"",
            );
        }
        svg.key(place, name, COLOURS[place], false);
    }
    svg.end()
}

/// Six ticks from `low` to `high`, which are apart by a thousandth at the least.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = ((high - low) / 5.0).max(0.001);
    (0..=5).map(|tick| low + f64::from(tick) * step).collect()
}

/// All values of two parameters that were tried: the fittest tenth, the fitter half, the
/// others. The fittest are drawn last.
fn tried(tuned: &Tuned<'_>, x: usize, y: usize) -> String {
    let parameters = tuned.blueprint.parameters();
    let ends = |parameter: &Parameter| {
        (
            parameter.value_at(0),
            parameter.value_at(parameter.steps() - 1),
        )
    };
    let ((left, right), (low, high)) = (ends(&parameters[x]), ends(&parameters[y]));
    let title = format!("{} by {}", parameters[y].name, parameters[x].name);
    let mut svg = Svg::new(&title, RIGHT, &ticks(low, high), 2);
    let place = |value: f64| LEFT + (value - left) / (right - left) * (RIGHT - LEFT);
    for value in ticks(left, right) {
        svg.text(
            place(value),
            BOTTOM + 18.0,
            "middle",
            &format!("{value:.2}"),
        );
    }
    svg.text(
        (LEFT + RIGHT) / 2.0,
        BOTTOM + 40.0,
        "middle",
        &parameters[x].name,
    );
    let ranked = ranked(tuned.history);
    let classes = [("fittest tenth", 10), ("fitter half", 2), ("others", 1)];
    let colours = [COLOURS[1], COLOURS[0], "#b0b0b0"];
    for (at, one) in ranked.iter().enumerate().rev() {
        let class = classes
            .iter()
            .position(|(_, part)| at * part < ranked.len());
        let value = |of: usize| parameters[of].value_at(one.proposal.setting[of]);
        let height = svg.y(value(y));
        svg.dot(place(value(x)), height, colours[class.unwrap_or(2)]);
    }
    for (at, (name, _)) in classes.iter().enumerate() {
        svg.key(at, name, colours[at], false);
    }
    svg.end()
}
