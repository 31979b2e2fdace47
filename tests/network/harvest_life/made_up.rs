//! Sites that nobody wrote.

use crate::harvest_life::press::{Fate, Press, Story};
use crate::story::paragraphs;

const MENU: &str = "<ul class=menu><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About</a></ul>";

fn plain(title: &str, body: &str) -> String {
    format!(
        "<html lang=en><title>{title}</title><body>{MENU}<h1>{title}</h1><div class=story>{body}</div>\
         <div class=foot>All rights reserved. <a href=/imprint>Imprint</a></div>"
    )
}

fn redesigned(title: &str, body: &str) -> String {
    format!(
        "<html lang=en><title>{title}</title><body><header><nav>{MENU}</nav></header><main><article class=piece>\
         <h1>{title}</h1><section class=copy>{body}</section></article></main><footer>All rights reserved. \
         <a href=/imprint>Imprint</a></footer>"
    )
}

fn site(name: &str, fate: Fate) -> Press {
    let story = |n: usize| {
        let title = format!("Story {n} of the {name}");
        let said = paragraphs(name, n);
        let body: String = said.iter().map(|said| format!("<p>{said}</p>")).collect();
        let is_new = matches!(fate, Fate::Redesigned { .. });
        let page = if is_new { redesigned } else { plain };
        Story {
            path: format!("/story/{n}.html"),
            summary: said[0].clone(),
            html: page(&title, &body).into_bytes(),
            before: is_new.then(|| plain(&title, &body).into_bytes()),
            is_article: true,
            gold: vec![said.join("\n")],
            title,
        }
    };
    Press::new(name, (1..=20).map(story).collect(), fate)
}

/// One of each fate.
pub fn sites() -> Vec<Press> {
    vec![
        site("gazette", Fate::Quiet),
        site("courier", Fate::Redesigned { at: 36 }),
        site("herald", Fate::Down { from: 24, to: 48 }),
        site("mirror", Fate::Hostile { from: 36 }),
    ]
}
