//! Logistic regression by Newton's method, with a little weight decay.

/// Steps; eight are enough for six decimals.
const STEPS: usize = 25;

/// Constant and weights, in the signs' own units. `decay` pulls the weights of signs that
/// are scaled to a variance of one towards nothing, but not the constant.
pub fn fit(rows: &[(&[f64], bool)], decay: f64) -> Vec<f64> {
    let signs = rows.first().map_or(0, |(x, _)| x.len());
    let n = rows.len() as f64;
    let mean = |of: &dyn Fn(&[f64]) -> f64| rows.iter().map(|(x, _)| of(x)).sum::<f64>() / n;
    let means: Vec<f64> = (0..signs).map(|i| mean(&|x| x[i])).collect();
    let scales: Vec<f64> = (0..signs)
        .map(|i| mean(&|x| (x[i] - means[i]).powi(2)).sqrt().max(1e-9))
        .collect();
    let scaled = |x: &[f64]| -> Vec<f64> {
        let signs = x.iter().zip(&means).zip(&scales);
        std::iter::once(1.0)
            .chain(signs.map(|((x, mean), scale)| (x - mean) / scale))
            .collect()
    };
    let rows: Vec<(Vec<f64>, f64)> = rows
        .iter()
        .map(|(x, y)| (scaled(x), f64::from(u8::from(*y))))
        .collect();
    let mut weights = vec![0.0; signs + 1];
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; signs + 1];
        let mut curvature = vec![vec![0.0; signs + 1]; signs + 1];
        for i in 1..=signs {
            gradient[i] = decay * weights[i];
            curvature[i][i] = decay;
        }
        for (x, y) in &rows {
            let p = sigmoid(x.iter().zip(&weights).map(|(x, w)| x * w).sum());
            for i in 0..=signs {
                gradient[i] += (p - y) * x[i];
                for j in 0..=signs {
                    curvature[i][j] += p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        let step = solve(curvature, gradient);
        weights.iter_mut().zip(step).for_each(|(w, s)| *w -= s);
    }
    let mut out = weights.clone();
    for i in 0..signs {
        out[i + 1] = weights[i + 1] / scales[i];
        out[0] -= out[i + 1] * means[i];
    }
    out
}

/// The probability of a row.
pub fn predict(weights: &[f64], x: &[f64]) -> f64 {
    sigmoid(weights[0] + weights[1..].iter().zip(x).map(|(w, x)| w * x).sum::<f64>())
}

fn sigmoid(score: f64) -> f64 {
    1.0 / (1.0 + (-score).exp())
}

/// `x` of `a x = b`, by elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs()));
        let pivot = pivot.expect("a row at least");
        a.swap(i, pivot);
        b.swap(i, pivot);
        if a[i][i].abs() < 1e-12 {
            // A sign that never varies: it keeps its weight.
            (a[i][i], b[i]) = (1.0, 0.0);
        }
        let (above, below) = a.split_at_mut(i + 1);
        let pivot = &above[i];
        for (row, value) in below.iter_mut().zip(i + 1..) {
            let factor = row[i] / pivot[i];
            for (x, p) in row.iter_mut().zip(pivot).skip(i) {
                *x -= factor * p;
            }
            b[value] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}
