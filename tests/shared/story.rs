//! Made-up stories, for the made-up sites of tests.

const NOUNS: [&str; 16] = [
    "harbour", "ferry", "baker", "organ", "valley", "school", "bridge", "winter", "market",
    "island", "engine", "garden", "letter", "museum", "forest", "river",
];

/// The paragraphs of a story. Each story has words of its own, and so has each site with a
/// name.
pub fn paragraphs(site: &str, n: usize) -> Vec<String> {
    let word = |k: usize| NOUNS[(n * 7 + k * 5 + k * k * n + site.len()) % NOUNS.len()];
    let at = match site {
        "" => String::new(),
        name => format!("{name} "),
    };
    let paragraph = |p: usize| {
        format!(
            "On the day number{n} the {} and the {} of district{n} were counted again, said the keeper of the {}. \
             Nobody at the {at}{} had expected part{p} of story{n} to end before the {} was painted.",
            word(p),
            word(p + 1),
            word(p + 2),
            word(p + 3),
            word(p + 4)
        )
    };
    (0..6).map(paragraph).collect()
}
