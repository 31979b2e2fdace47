//! The settings as fields of a form: three screens, as the paper has (figures 1 to 3).

/// One setting on a screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct SettingField {
    /// The key in the file of settings.
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    /// A hint below the field, or nothing.
    pub(super) hint: &'static str,
}

/// One screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    pub(super) title: &'static str,
    pub(super) intro: &'static str,
    pub(super) fields: &'static [SettingField],
}

const fn field(key: &'static str, label: &'static str, hint: &'static str) -> SettingField {
    SettingField { key, label, hint }
}

/// All screens.
pub(super) const SCREENS: [Screen; 3] = [
    Screen {
        title: "Ignore",
        intro: "What is left out of each page.",
        fields: &[
            field("ads", "Advertisements", "By the list of servers."),
            field("scripts", "Scripts", ""),
            field(
                "noscript",
                "Show what stands in noscript",
                "Where scripts go.",
            ),
            field("styles", "Styles", ""),
            field("div_styles", "Style attributes of div", ""),
            field("images", "Images that are no links", ""),
            field("image_alt", "Show their ALT text in their place", ""),
            field("image_links", "Images that are links", ""),
            field(
                "image_link_alt",
                "Show the ALT text of their images as the link",
                "",
            ),
            field(
                "keep_images_from",
                "Keep images from this size on",
                "Pixels; 0: none.",
            ),
            field("text_links", "Links with text", ""),
            field("forms", "Forms", ""),
            field("inputs", "Input fields", ""),
            field("buttons", "Buttons", ""),
            field("selects", "Lists to choose from", ""),
            field("meta", "Meta data", "The charset stays."),
            field("frames", "Frames", ""),
            field("cell_widths", "Widths of table cells", ""),
            field("embeds", "Embedded objects", ""),
        ],
    },
    Screen {
        title: "Advanced",
        intro: "Lists of links, empty tables, and pages that are all links.",
        fields: &[
            field("link_lists", "Lists of links in tables", ""),
            field(
                "link_ratio",
                "Links a word that make a cell a list",
                "From 0.",
            ),
            field("chars_per_word", "Letters a word", ""),
            field(
                "unspaced_chars_per_word",
                "Letters a word in Han, Kana, Thai",
                "",
            ),
            field("least_links", "Links that a list has at the least", ""),
            field("remove_cells", "Take the cell away, too", ""),
            field(
                "link_list_blocks",
                "Also lists of links outside of tables",
                "",
            ),
            field("keep_fields", "Keep what has input fields", ""),
            field("empty_tables", "Tables that are empty", ""),
            field(
                "substance",
                "Elements that fill a table",
                "Tags, with spaces between.",
            ),
            field("substance_chars", "Characters that fill a table", ""),
            field("emptied_blocks", "Other blocks that lost all", ""),
            field("blocks", "Blocks of text by statistics", ""),
            field(
                "portal_share",
                "Share of words below which a page stays",
                "0 to 1; 0: never.",
            ),
            field(
                "repeat",
                "Repeat until nothing changes",
                "If not: once, as published.",
            ),
        ],
    },
    Screen {
        title: "Output",
        intro: "What is made of the page.",
        fields: &[
            field("output", "Format", ""),
            field("removed_links", "List the removed links at the end", ""),
            field("removed_ad_links", "Also those of advertisements", ""),
        ],
    },
];

/// The values of a setting that is chosen from a list.
pub(super) fn choices(key: &str) -> &'static [(&'static str, &'static str)] {
    match key {
        "blocks" => &[
            ("none", "None"),
            ("lqf", "Link quota filter"),
            ("sw", "Stop words"),
            ("onepage", "All but the article"),
        ],
        "output" => &[("html", "HTML"), ("text", "Plain text"), ("xhtml", "XHTML")],
        _ => &[],
    }
}
