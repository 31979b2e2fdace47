//! Pages that were changed in a few places.

use crate::rng::Rng;

/// The extent of the changes.
pub struct Mutation<'a> {
    /// Changes of a page at the most.
    pub changes: usize,
    /// Bytes that a change takes away or copies at the most.
    pub bytes: usize,
    /// Markup that is inserted.
    pub pieces: &'a [&'a str],
}

impl Mutation<'_> {
    /// The page, changed.
    pub fn of(&self, html: &str, rng: &mut Rng) -> String {
        let mut page = html.to_owned();
        for _ in 0..rng.between(1, self.changes) {
            let at = page.floor_char_boundary(rng.between(0, page.len()));
            let end = (at + rng.between(0, self.bytes)).min(page.len());
            let until = page.ceil_char_boundary(end);
            match rng.between(0, 2) {
                0 => page.replace_range(at..until, ""),
                1 => page.insert_str(at, rng.pick::<&str>(self.pieces)),
                _ => {
                    let copied = page[at..until].to_owned();
                    let to = page.floor_char_boundary(rng.between(0, page.len()));
                    page.insert_str(to, &copied);
                }
            }
        }
        page
    }
}
