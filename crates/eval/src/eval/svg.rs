//! Charts as SVG, drawn line by line.
//!
//! Own and small, so that the same figures give the same bytes. Texts are
//! escaped; positions have one decimal.

/// The width of a chart, in pixels.
pub const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
/// The left end of the area that is drawn in, in pixels.
pub const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
/// Its lower end.
pub const BOTTOM: f64 = 370.0;
/// Okabe and Ito's eight colours, which the colour-blind can distinguish, without
/// their yellow, which is too light for a line.
pub const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];

/// A chart in the making, with its title and its y axis.
#[derive(Debug, Clone)]
pub struct Svg {
    out: String,
    right: f64,
    from: f64,
    to: f64,
}

impl Svg {
    /// A chart with a y axis from the first to the last tick, which have so many decimals.
    pub fn new(title: &str, right: f64, ticks: &[f64], decimals: usize) -> Svg {
        let mut svg = Svg {
            out: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
                 width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
                 <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
            ),
            right,
            from: ticks.first().copied().unwrap_or(0.0),
            to: ticks.last().copied().unwrap_or(1.0),
        };
        svg.add(&format!(
            "<text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>",
            escaped(title)
        ));
        for &tick in ticks {
            let y = svg.y(tick);
            svg.line((LEFT, y), (right, y), "#d0d0d0", "");
            svg.text(LEFT - 8.0, y + 4.0, "end", &format!("{tick:.decimals$}"));
        }
        svg.line((LEFT, TOP), (LEFT, BOTTOM), "#000000", "");
        svg.line((LEFT, BOTTOM), (right, BOTTOM), "#000000", "");
        svg
    }

    /// The right end of the area that is drawn in.
    pub fn right(&self) -> f64 {
        self.right
    }

    /// A line of SVG.
    pub fn add(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// The place of a value on the y axis.
    pub fn y(&self, value: f64) -> f64 {
        BOTTOM - (value - self.from) / (self.to - self.from) * (BOTTOM - TOP)
    }

    /// A line with more attributes.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, more: &str) {
        self.add(&format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" {more}/>",
            from.0, from.1, to.0, to.1
        ));
    }

    /// A dot.
    pub fn dot(&mut self, x: f64, y: f64, colour: &str) {
        self.add(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
        ));
    }

    /// A text, which is escaped.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        self.add(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        ));
    }

    /// A line of the legend.
    pub fn key(&mut self, place: usize, name: &str, colour: &str, dashed: bool) {
        let (x, y) = (self.right + 16.0, TOP + 12.0 + 22.0 * place as f64);
        let dash = if dashed {
            " stroke-dasharray=\"7 4\""
        } else {
            ""
        };
        self.line(
            (x, y),
            (x + 26.0, y),
            colour,
            &format!("stroke-width=\"3\"{dash}"),
        );
        self.text(x + 33.0, y + 4.0, "start", name);
    }

    /// The file.
    pub fn end(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
