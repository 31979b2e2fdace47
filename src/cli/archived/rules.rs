//! The options for rules of a feed, which skip items and bound pictures.

use forest_core::feed::ItemRules;

/// Rules of a feed.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Rules")]
pub struct RuleArgs {
    /// Skip items with this text in their title, in any case; * matches any characters.
    #[arg(long, value_name = "TEXT", value_parser = pattern)]
    skip_title: Vec<String>,
    /// Skip items with this text in their address, in any case; * matches any characters.
    #[arg(long, value_name = "TEXT", value_parser = pattern)]
    skip_address: Vec<String>,
    /// Skip items whose address is not below this path: /news/.
    #[arg(long, value_name = "PATH")]
    section: Option<String>,
    /// Skip articles of fewer words than this number.
    #[arg(long, value_name = "N")]
    least_words: Option<usize>,
}

/// The rule for the pictures of a feed.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Rules")]
pub struct PictureRuleArgs {
    /// Store pictures of 30 days of the feed's articles up to this number of megabytes, where the
    /// harvest stores pictures; 0: none [default: as of any feed, see `forest harvest run`].
    #[arg(long, value_name = "MB")]
    image_budget: Option<u64>,
}

impl PictureRuleArgs {
    /// These rules, and this one.
    pub fn with(&self, rules: ItemRules) -> ItemRules {
        ItemRules {
            image_budget_mb: self.image_budget,
            ..rules
        }
    }
}

impl RuleArgs {
    /// The rules.
    pub fn rules(&self) -> ItemRules {
        ItemRules {
            titles: self.skip_title.clone(),
            addresses: self.skip_address.clone(),
            section: self.section.clone(),
            least_words: self.least_words.filter(|words| *words > 0),
            image_budget_mb: None,
        }
    }
}

/// A pattern that is in some texts and not in all.
fn pattern(text: &str) -> Result<String, String> {
    let pattern = ItemRules::pattern(text).map(str::to_owned);
    pattern.ok_or("this would skip everything: give a part of a title or an address".to_owned())
}
