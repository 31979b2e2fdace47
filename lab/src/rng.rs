//! Random choices by a name, so that the same name gives the same gold on every machine.

use forest_eval::eval::SplitMix64;
use forest_html::text::fnv1a;

/// A generator that is seeded by a name.
pub struct Rng(SplitMix64);

impl Rng {
    /// The generator named `name`: FNV-1a of its bytes is the seed.
    pub fn named(name: &str) -> Self {
        Rng(SplitMix64::new(fnv1a(name.bytes())))
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        let span = (high - low + 1) as u64;
        low + (self.next() % span) as usize
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.between(0, items.len() - 1)]
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.between(0, i));
        }
    }
}

/// A pile of cards dealt in a shuffled order and shuffled again when it is out.
pub struct Deck {
    cards: Vec<String>,
    order: Vec<usize>,
    rng: Rng,
}

impl Deck {
    /// A deck of `cards`, shuffled by the generator named `name`.
    pub fn new(cards: &[String], name: &str) -> Self {
        Deck {
            cards: cards.to_vec(),
            order: Vec::new(),
            rng: Rng::named(name),
        }
    }

    /// The next card.
    pub fn deal(&mut self) -> String {
        if self.order.is_empty() {
            self.order = (0..self.cards.len()).collect();
            self.rng.shuffle(&mut self.order);
        }
        let card = self.order.pop().expect("a deck is never empty");
        self.cards[card].clone()
    }
}
