//! Values over time as a small drawing.

use chrono::{DateTime, Utc};
use maud::{Markup, html};

/// Size of the drawing in its own units.
const WIDE: f64 = 600.0;
const HIGH: f64 = 100.0;

/// A line of values between 0 and 1, with a sentence for those who do not see it. Equal
/// distances: visits come in bursts.
pub(super) fn plot(values: &[(DateTime<Utc>, f64)]) -> Markup {
    let (Some((first, _)), Some((last, latest))) = (values.first(), values.last()) else {
        return html! { p { "No page has a confidence yet." } };
    };
    let step = WIDE / (values.len().max(2) - 1) as f64;
    let points = values.iter().enumerate().map(|(at, (_, value))| {
        let y = HIGH * (1.0 - value.clamp(0.0, 1.0));
        format!("{:.1},{y:.1}", at as f64 * step)
    });
    let points: Vec<String> = points.collect();
    let (from, to) = (first.format("%Y-%m-%d"), last.format("%Y-%m-%d"));
    let about = format!("Confidence of the last pages, from {from} to {to}, now {latest:.2}");
    html! {
        figure {
            svg .plot viewBox="0 -2 600 104" preserveAspectRatio="none" role="img" aria-label=(about) {
                @for y in [0, 50, 100] { line x1="0" x2="600" y1=(y) y2=(y) {} }
                polyline points=(points.join(" ")) {}
            }
            figcaption { (about) ". The lines are at 0, 0.5 and 1." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_drawn_within_the_frame() {
        let at = DateTime::UNIX_EPOCH;
        let drawn = plot(&[(at, 1.0), (at, 0.25), (at, -5.0)]).into_string();
        assert!(drawn.contains("0.0,0.0 300.0,75.0 600.0,100.0"), "{drawn}");
        assert!(plot(&[]).into_string().contains("No page"));
        assert!(plot(&[(at, 0.5)]).into_string().contains("0.0,50.0"));
    }
}
