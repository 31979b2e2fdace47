//! The buttons that mark an entry as read or starred.

use super::token;
use crate::state::LibraryApp;
use forest_archive::{ArticleMark, ArticleMarks, ListedEntry};
use maud::{Markup, html};

/// The buttons of an entry. `up` leads to the level of `/reader`; `back` is the address,
/// from there, of the page that they stand on; `of` names the element with the title, where there
/// are several.
pub(super) fn buttons(
    state: &LibraryApp,
    marks: &ArticleMarks,
    entry: &ListedEntry,
    (up, back): (&str, &str),
    of: Option<&str>,
) -> Markup {
    let is_read = marks.has(ArticleMark::Read, &entry.key);
    let is_starred = marks.has(ArticleMark::Starred, &entry.key);
    let button = |name: &str, is_set: bool, shown: &str| {
        html! {
            form method="post" action={ (up) "reader/mark" } {
                (token(state))
                input type="hidden" name="id" value=(entry.id);
                input type="hidden" name="back" value=(back);
                input type="hidden" name="on" value=(!is_set);
                button .small name="mark" value=(name) aria-describedby=[of] { (shown) }
            }
        }
    };
    html! { span data-marks {
        (button("read", is_read, if is_read { "Mark as unread" } else { "Mark as read" })) " "
        (button("starred", is_starred, if is_starred { "Remove the star" } else { "Star" }))
    } }
}
