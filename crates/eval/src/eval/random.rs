//! Random numbers from a seed.

/// Steele, Lea and Flood 2014, as in Java's `SplittableRandom`: a generator of
/// our own, so that no update of a crate changes a published figure.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, by the high half of a product (Lemire 2019, without
    /// the rejection: the bias is under n / 2^64).
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.number()) * n as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    pub fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number of the normal distribution with mean 0 and deviation 1: twelve of 0 to 1 in
    /// sum, without logarithm and cosine, whose last bit differs between machines.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }

    /// Brings items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    /// The first outputs of the published generator for seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.number()).collect();
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, expected);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_deviation_1() {
        let mut random = SplitMix64::new(1);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 10_000.0;
        let square = numbers.iter().map(|n| n * n).sum::<f64>() / 10_000.0;
        assert!(
            mean.abs() < 0.05 && (square - 1.0).abs() < 0.05,
            "{mean} {square}"
        );
    }
}
