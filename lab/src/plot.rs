//! Charts as SVG: lines, boxes and bars over a scale of 0 to 1.
//!
//! The same figures give the same bytes.

use forest_eval::eval::{BOTTOM, COLOURS, LEFT, Svg, WIDTH};

/// Where the legend begins; charts without one use the whole width.
const LEGEND: f64 = 590.0;

/// F1 against a number: a line a series.
#[derive(Debug, Clone, PartialEq)]
pub struct LineChart {
    /// The heading.
    pub title: String,
    /// The unit of the x axis, from 1.
    pub x_label: String,
    /// The last number on the x axis.
    pub x_max: usize,
    /// Name and points of each series.
    pub lines: Vec<(String, Vec<(usize, f64)>)>,
    /// Name and value of what does not depend on x: dashed.
    pub flat: Vec<(String, f64)>,
}

/// Distributions: whiskers at the 9th and 91st percentile, box at the quartiles,
/// rule at the median, as in figure 4 of FOREST, and a dot at the mean.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxChart {
    /// The heading.
    pub title: String,
    /// Name, percentiles (9, 25, 50, 75, 91) and mean of each box.
    pub boxes: Vec<(String, [f64; 5], f64)>,
}

/// Groups of bars.
#[derive(Debug, Clone, PartialEq)]
pub struct BarChart {
    /// The heading.
    pub title: String,
    /// The names of the bars of a group.
    pub bars: Vec<String>,
    /// Name and heights of each group.
    pub groups: Vec<(String, Vec<f64>)>,
}

impl LineChart {
    /// The chart.
    pub fn svg(&self) -> String {
        let flat = self.flat.iter().map(|(_, y)| *y);
        let lines = self
            .lines
            .iter()
            .flat_map(|(_, points)| points.iter().map(|p| p.1));
        let lowest = flat.chain(lines).fold(1.0, f64::min);
        let mut svg = chart(&self.title, LEGEND - 20.0, lowest);
        let step = (svg.right() - LEFT) / self.x_max.max(1) as f64;
        let at = |x: usize| LEFT + (x as f64 - 0.5) * step;
        for x in 1..=self.x_max {
            svg.text(at(x), BOTTOM + 18.0, "middle", &x.to_string());
        }
        let middle = (LEFT + svg.right()) / 2.0;
        svg.text(middle, BOTTOM + 40.0, "middle", &self.x_label);
        for (i, (name, y)) in self.flat.iter().enumerate() {
            let colour = COLOURS[(self.lines.len() + i) % COLOURS.len()];
            let y = svg.y(*y);
            let right = svg.right();
            svg.line(
                (LEFT, y),
                (right, y),
                colour,
                "stroke-width=\"2\" stroke-dasharray=\"7 4\"",
            );
            svg.key(self.lines.len() + i, name, colour, true);
        }
        for (i, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let places: Vec<_> = points.iter().map(|&(x, y)| (at(x), svg.y(y))).collect();
            let path: Vec<String> = places
                .iter()
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            svg.add(&format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                path.join(" ")
            ));
            for (x, y) in places {
                svg.dot(x, y, colour);
            }
            svg.key(i, name, colour, false);
        }
        svg.end()
    }
}

impl BoxChart {
    /// The chart.
    pub fn svg(&self) -> String {
        let mut svg = chart(&self.title, WIDTH - 16.0, 0.0);
        let step = (svg.right() - LEFT) / self.boxes.len().max(1) as f64;
        for (i, (name, percentiles, mean)) in self.boxes.iter().enumerate() {
            let x = LEFT + (i as f64 + 0.5) * step;
            let half = (step * 0.3).min(28.0);
            let [p9, p25, p50, p75, p91] = percentiles.map(|p| svg.y(p));
            for (from, to) in [(p9, p25), (p75, p91)] {
                svg.line((x, from), (x, to), "#000000", "");
            }
            for y in [p9, p91] {
                svg.line((x - half / 2.0, y), (x + half / 2.0, y), "#000000", "");
            }
            svg.add(&format!(
                "<rect x=\"{:.1}\" y=\"{p75:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                 fill=\"#cfe3f1\" stroke=\"#000000\"/>",
                x - half,
                2.0 * half,
                (p25 - p75).max(0.5)
            ));
            svg.line(
                (x - half, p50),
                (x + half, p50),
                COLOURS[1],
                "stroke-width=\"3\"",
            );
            let mean = svg.y(*mean);
            svg.dot(x, mean, "#000000");
            words(&mut svg, x, BOTTOM + 18.0, name);
        }
        svg.end()
    }
}

impl BarChart {
    /// The chart.
    pub fn svg(&self) -> String {
        let mut svg = chart(&self.title, LEGEND + 40.0, 0.0);
        let step = (svg.right() - LEFT) / self.groups.len().max(1) as f64;
        let width = step * 0.8 / self.bars.len().max(1) as f64;
        for (g, (name, heights)) in self.groups.iter().enumerate() {
            let left = LEFT + (g as f64 + 0.1) * step;
            for (i, height) in heights.iter().enumerate() {
                let colour = COLOURS[i % COLOURS.len()];
                let (x, y) = (left + i as f64 * width, svg.y(*height));
                svg.add(&format!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
                    width * 0.9,
                    BOTTOM - y
                ));
            }
            words(&mut svg, left + step * 0.4, BOTTOM + 18.0, name);
        }
        for (i, name) in self.bars.iter().enumerate() {
            svg.key(i, name, COLOURS[i % COLOURS.len()], false);
        }
        svg.end()
    }
}

/// A chart with a y axis of tenths, from the tenth below `lowest` to 1.
fn chart(title: &str, right: f64, lowest: f64) -> Svg {
    let lowest = ((lowest * 10.0).floor() / 10.0).clamp(0.0, 0.9);
    let first = (lowest * 10.0).round() as u32;
    let ticks: Vec<f64> = (first..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    Svg::new(title, right, &ticks, 1)
}

/// A name below the axis, a word a line.
fn words(svg: &mut Svg, x: f64, y: f64, name: &str) {
    for (i, word) in name.split([' ', '-']).enumerate() {
        svg.text(x, y + 14.0 * i as f64, "middle", word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> LineChart {
        LineChart {
            title: "F1 <a & b>".to_owned(),
            x_label: "pages".to_owned(),
            x_max: 2,
            lines: vec![("paper".to_owned(), vec![(1, 0.72), (2, 1.0)])],
            flat: vec![("flat".to_owned(), 0.8)],
        }
    }

    #[test]
    fn points_stand_where_the_axes_say() {
        let svg = lines().svg();
        // x: a quarter and three quarters of 56..570; y: 0.7 at 370, 1.0 at 40.
        assert!(svg.contains("points=\"184.5,348.0 441.5,40.0\""), "{svg}");
        assert!(
            svg.contains("y1=\"260.0\" x2=\"570.0\" y2=\"260.0\""),
            "{svg}"
        );
        assert!(svg.contains("F1 &lt;a &amp; b&gt;"), "{svg}");
    }

    #[test]
    fn boxes_span_the_quartiles() {
        let chart = BoxChart {
            title: String::new(),
            boxes: vec![("one-two".to_owned(), [0.0, 0.25, 0.5, 0.75, 1.0], 0.5)],
        };
        // 0.75 is at 370 - 0.75 * 330, the box 0.5 * 330 high.
        assert!(
            chart
                .svg()
                .contains("y=\"122.5\" width=\"56.0\" height=\"165.0\"")
        );
    }

    #[test]
    fn charts_are_xml_and_the_same_every_time() {
        let bars = BarChart {
            title: "t".to_owned(),
            bars: vec!["P".to_owned(), "R".to_owned()],
            groups: vec![
                ("a b".to_owned(), vec![0.5, 1.0]),
                ("c".to_owned(), vec![0.0]),
            ],
        };
        for svg in [lines().svg(), bars.svg()] {
            roxmltree::Document::parse(&svg).expect("XML");
        }
        assert_eq!(lines().svg(), lines().svg());
    }

    #[test]
    fn a_chart_of_nothing_has_its_axes() {
        let none = BoxChart {
            title: String::new(),
            boxes: Vec::new(),
        };
        assert!(none.svg().contains("stroke=\"#d0d0d0\""));
    }
}
