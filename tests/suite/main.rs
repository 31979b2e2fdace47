//! The library through its public API, and the program as its user runs it. What speaks
//! with servers is in `network`. One binary for many tests: each links the whole library.

mod cli;
#[path = "../shared/collection.rs"]
mod collection;
mod contrib;
mod eval;
mod feed;
mod filter_gold;
mod gold_ranking;
mod hostile_feed;
mod interchange;
mod lists;
#[path = "../shared/judges.rs"]
mod judges;
#[path = "../shared/loopback.rs"]
mod loopback;
mod kinds;
mod labels;
#[path = "../shared/needed.rs"]
mod needed;
mod no_article;
mod own_json;
#[path = "../shared/pages.rs"]
mod pages;
#[cfg(unix)]
#[path = "../shared/nobody.rs"]
mod nobody;
mod readme;
mod report;
#[cfg(feature = "heavy")]
mod scorer;
#[path = "../shared/story.rs"]
mod story;
mod structure;
mod tokenizer;
#[path = "../shared/tokens.rs"]
mod tokens;
mod tree;
#[path = "../shared/trees.rs"]
mod trees;
mod tune;
mod xhtml;
mod xpath_oracle;
