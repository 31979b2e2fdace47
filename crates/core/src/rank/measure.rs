//! The measures of an element: J, U, I = J * U, coverage.

use super::explain::Explanation;
use crate::pattern::{Occurrence, TermCounts};

/// A measure of how informative an element is.
pub trait Measure {
    /// The measure of one element, at least 0.
    fn of(&self, occurrence: &Occurrence) -> f64;

    /// The numbers that it was computed from.
    fn explain(&self, occurrence: &Occurrence) -> Explanation;
}

/// I = J * U (equation 4): FOREST.
#[derive(Debug, Clone, Copy, Default)]
pub struct Informativeness;

/// J alone (figure 7).
#[derive(Debug, Clone, Copy, Default)]
pub struct Density;

/// U alone (figure 7).
#[derive(Debug, Clone, Copy, Default)]
pub struct Unexpectedness;

/// The coverage of the page's signifiers (equation 6): COVERAGE.
#[derive(Debug, Clone, Copy, Default)]
pub struct Coverage;

/// The measures by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MeasureName {
    /// [`Informativeness`].
    Informativeness,
    /// [`Density`].
    Density,
    /// [`Unexpectedness`].
    Unexpectedness,
    /// [`Coverage`].
    Coverage,
}

impl MeasureName {
    /// The measure.
    pub fn measure(self) -> &'static dyn Measure {
        match self {
            MeasureName::Informativeness => &Informativeness,
            MeasureName::Density => &Density,
            MeasureName::Unexpectedness => &Unexpectedness,
            MeasureName::Coverage => &Coverage,
        }
    }
}

/// J: Jeffreys' statistical density of signifiers, equation (2).
///
/// ```text
/// J = max(0, (x + 1/2 - sqrt((x + 1/2) * (y + 1/2) / N)) / (N + 1))
///
/// x   signifiers in the element's text, with multiplicity, 0..
/// y   other terms in it, 0..
/// N   x + y; J is 0 for N = 0
/// J   0..1, the worst-case estimate of the density at 70 % confidence
/// ```
///
/// ```
/// use forest_core::rank::jeffreys_density;
///
/// let rounded = |x, y| (jeffreys_density(x, y) * 1e4).round() / 1e4;
/// assert_eq!(rounded(8, 20), 0.2071);
/// assert_eq!(rounded(3, 5), 0.2165); // comparable: fewer observations
/// assert_eq!(rounded(1, 0), 0.3170); // "about 0.32"
/// assert_eq!(rounded(0, 0), 0.0);
/// assert_eq!(rounded(0, 1), 0.0); // below 0, so 0
/// ```
pub fn jeffreys_density(x: u32, y: u32) -> f64 {
    let (x, y) = (f64::from(x), f64::from(y));
    let n = x + y;
    if n == 0.0 {
        return 0.0;
    }
    let deviation = ((x + 0.5) * (y + 0.5) / n).sqrt();
    ((x + 0.5 - deviation) / (n + 1.0)).max(0.0)
}

/// U: the unexpectedness of an element, equation (3), in nats.
///
/// ```text
/// C_w = (x + y) ln(X + Y)       generation complexity
/// C   = x ln X + y ln Y         description complexity
/// U   = C_w - C
///
/// x, y   signifiers and other terms of the element, 0..
/// X, Y   those of its page, at least x and y; 0 ln 0 = 0
/// U      at least 0, as C <= C_w
/// ```
///
/// The logarithm is natural: with it the paper's two examples come out, whose
/// "bits" are nats.
///
/// ```
/// use forest_core::pattern::TermCounts;
/// use forest_core::rank::unexpectedness;
///
/// let page = TermCounts { signifiers: 20, others: 100 };
/// let u = |signifiers, others| unexpectedness(TermCounts { signifiers, others }, page);
/// assert_eq!((u(10, 26) * 100.0).round() / 100.0, 22.66); // "23 bits"
/// assert_eq!((u(3, 1) * 100.0).round() / 100.0, 5.56); // "6 bits"
/// assert_eq!(u(0, 0), 0.0);
/// let all = TermCounts { signifiers: 20, others: 0 };
/// assert_eq!(unexpectedness(all, all), 0.0); // 0 ln 0 = 0: a page of signifiers surprises nobody
/// ```
pub fn unexpectedness(element: TermCounts, page: TermCounts) -> f64 {
    let term = |n: u32, of: u32| match n {
        0 => 0.0,
        _ => f64::from(n) * f64::from(of).ln(),
    };
    let drawn = f64::from(element.signifiers) + f64::from(element.others);
    let total = f64::from(page.signifiers) + f64::from(page.others);
    if drawn == 0.0 {
        return 0.0;
    }
    let generation = drawn * total.ln();
    let description = term(element.signifiers, page.signifiers) + term(element.others, page.others);
    (generation - description).max(0.0)
}

fn j(o: &Occurrence) -> f64 {
    jeffreys_density(o.element.signifiers, o.element.others)
}

fn u(o: &Occurrence) -> f64 {
    unexpectedness(o.element, o.page_counts)
}

fn explain_j(o: &Occurrence) -> Explanation {
    Explanation::leaf(j(o), "J, statistical density (equation 2)")
        .with(
            f64::from(o.element.signifiers),
            "x, signifiers in the element",
        )
        .with(f64::from(o.element.others), "y, other terms in the element")
}

fn explain_u(o: &Occurrence) -> Explanation {
    Explanation::leaf(u(o), "U, unexpectedness in nats (equation 3)")
        .with(
            f64::from(o.element.signifiers),
            "x, signifiers in the element",
        )
        .with(f64::from(o.element.others), "y, other terms in the element")
        .with(
            f64::from(o.page_counts.signifiers),
            "X, signifiers on the page",
        )
        .with(
            f64::from(o.page_counts.others),
            "Y, other terms on the page",
        )
}

impl Measure for Informativeness {
    fn of(&self, o: &Occurrence) -> f64 {
        j(o) * u(o)
    }

    fn explain(&self, o: &Occurrence) -> Explanation {
        Explanation::leaf(self.of(o), "I = J * U, informativeness (equation 4)")
            .detail(explain_j(o))
            .detail(explain_u(o))
    }
}

impl Measure for Density {
    fn of(&self, o: &Occurrence) -> f64 {
        j(o)
    }

    fn explain(&self, o: &Occurrence) -> Explanation {
        explain_j(o)
    }
}

impl Measure for Unexpectedness {
    fn of(&self, o: &Occurrence) -> f64 {
        u(o)
    }

    fn explain(&self, o: &Occurrence) -> Explanation {
        explain_u(o)
    }
}

impl Measure for Coverage {
    fn of(&self, o: &Occurrence) -> f64 {
        o.coverage
    }

    fn explain(&self, o: &Occurrence) -> Explanation {
        Explanation::leaf(
            o.coverage,
            "Cov, normalised weights of the signifiers in the element over their number (equation 6)",
        )
    }
}
