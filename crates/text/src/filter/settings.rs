//! The settings: every filter on or off, and what each is adjusted by (4.3, figures 1 to 3);
//! profiles, settings with a name.

use crate::error::{ErrorKind, Result};
use forest_core::yaml::{YamlKey, read_yaml, yaml_error_at, yaml_place};
use serde::{Deserialize, Serialize};

/// Bytes of a settings file at the most. The YAML reader is quadratic in open brackets; a
/// file with every setting has some 800 bytes.
pub const MAX_SETTINGS_BYTES: usize = 16_000;

/// Tags in [`FilterSettings::substance`] at the most.
const MAX_SUBSTANCE_TAGS: usize = 100;

/// Defines the settings with their defaults, and the file that sets some of them.
macro_rules! settings {
    ($($(#[doc = $doc:literal])* $field:ident: $type:ty = $default:expr,)*) => {
        /// Which filters are on, and how each is adjusted. The defaults are the state that
        /// figure 1 of the paper shows; [`Profile`] has others.
        ///
        /// ```
        /// use forest_text::filter::{FilterSettings, Profile};
        ///
        /// let settings = FilterSettings::from_yaml("profile: reader\nforms: false\n")?;
        /// let expected = FilterSettings { forms: false, ..Profile::Reader.settings() };
        /// assert_eq!(settings, expected);
        /// assert_eq!(FilterSettings::from_yaml(&expected.to_yaml())?, expected);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(from = "FilterSettingsFile")]
        pub struct FilterSettings {
            $($(#[doc = $doc])* pub $field: $type,)*
        }

        impl Default for FilterSettings {
            fn default() -> FilterSettings {
                FilterSettings { $($field: $default,)* }
            }
        }

        /// A file of settings: those that it has, over a profile's.
        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields, expecting = "filter settings, such as `scripts: true`")]
        struct FilterSettingsFile {
            profile: Option<Profile>,
            $($field: Option<$type>,)*
        }

        impl From<FilterSettingsFile> for FilterSettings {
            fn from(file: FilterSettingsFile) -> FilterSettings {
                let mut settings = file.profile.unwrap_or_default().settings();
                $(if let Some(value) = file.$field {
                    settings.$field = value;
                })*
                settings
            }
        }
    };
}

settings! {
    /// Advertisements: elements whose `src` or `href` names a server of the list (3.1).
    ads: bool = true,
    /// Scripts: `script`, event attributes, `javascript:` addresses and all else that runs.
    scripts: bool = true,
    /// The contents of `noscript` take its place, where scripts are removed.
    noscript: bool = true,
    /// Styles: `style`, style sheets in `link`, `style` attributes.
    styles: bool = false,
    /// `style` attributes of `div`.
    div_styles: bool = true,
    /// Images that are no links.
    images: bool = true,
    /// The ALT text in the place of a removed image that is no link.
    image_alt: bool = false,
    /// Images that are links, with the link if it has no text.
    image_links: bool = true,
    /// The ALT text as the text of the link, in the place of a removed image.
    image_link_alt: bool = false,
    /// Images whose `width` and `height` both have at least so many pixels stay, and so do
    /// those of a `figure`; 0: none. Not in the paper, which loses pictures of the content
    /// (figure 10).
    keep_images_from: u32 = 0,
    /// Links with text.
    text_links: bool = false,
    /// `form`.
    forms: bool = false,
    /// `input`.
    inputs: bool = false,
    /// `button`.
    buttons: bool = false,
    /// `select`.
    selects: bool = false,
    /// `meta`; the one that names the charset stays.
    meta: bool = true,
    /// `frame` and `iframe`.
    frames: bool = true,
    /// Widths of the cells of tables.
    cell_widths: bool = false,
    /// `embed`, `object` and `applet`.
    embeds: bool = true,
    /// Link lists: cells of tables with more than `link_ratio` links a word (3.2).
    link_lists: bool = true,
    /// Links a word that is not linked, above which a cell is a link list. From 0.
    link_ratio: f64 = super::LINK_RATIO,
    /// Characters a word, by which letters become words. Above 0.
    chars_per_word: f64 = 5.0,
    /// Characters a word in scripts without spaces: Han, Kana, Thai. Above 0.
    unspaced_chars_per_word: f64 = 2.0,
    /// Links that a link list has at the least. The paper has no such limit: 1.
    least_links: u32 = 1,
    /// A cell that is a link list goes itself, with its content.
    remove_cells: bool = false,
    /// Link lists are also other blocks: lists, `div`, `nav` and the like.
    link_list_blocks: bool = false,
    /// A cell or block with an input field is no link list and keeps its own links. A field is substance.
    keep_fields: bool = false,
    /// Tables without substance (3.3).
    empty_tables: bool = true,
    /// Elements that are substance, by tag.
    substance: Vec<String> = super::SUBSTANCE.map(str::to_owned).to_vec(),
    /// Characters without white space from which on a table has substance.
    substance_chars: u32 = super::SUBSTANCE_CHARS,
    /// Blocks that lost all that they had go like empty tables.
    emptied_blocks: bool = false,
    /// Blocks of text that a statistical method leaves out (section 5).
    blocks: BlockMethod = BlockMethod::None,
    /// The removed text links are listed at the end of the page (3.4).
    removed_links: bool = true,
    /// The list has the links of advertisements, too.
    removed_ad_links: bool = true,
    /// A page that would keep less than this share of its text, linked or not, in characters,
    /// is a portal and keeps its text. 0 to 1; 0: no page is.
    portal_share: f64 = super::PORTAL_SHARE,
    /// Filters are repeated until they find nothing more. If false, the page is walked
    /// once, as published.
    repeat: bool = true,
    /// The format in which the page is written.
    output: OutputFormat = OutputFormat::Html,
}

/// A statistical method that removes blocks of text (section 5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockMethod {
    /// None.
    #[default]
    None,
    /// The link quota filter, [`baseline::lqf`](forest_core::baseline::lqf).
    Lqf,
    /// The stop-word filter, [`baseline::sw`](forest_core::baseline::sw).
    Sw,
    /// All but the article, by [`onepage`](forest_core::onepage).
    Onepage,
}

/// The format in which a filtered page is written (figure 3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputFormat {
    /// The page with its layout.
    #[default]
    Html,
    /// Its text, a line a block.
    Text,
    /// The page as well-formed XML.
    Xhtml,
}

impl OutputFormat {
    /// The media type of a document in this format, with its charset.
    pub fn media_type(self) -> &'static str {
        match self {
            OutputFormat::Html => "text/html; charset=utf-8",
            OutputFormat::Text => "text/plain; charset=utf-8",
            OutputFormat::Xhtml => "application/xhtml+xml; charset=utf-8",
        }
    }
}

impl FilterSettings {
    /// Nothing is on.
    pub fn none() -> FilterSettings {
        FilterSettings {
            ads: false,
            scripts: false,
            noscript: false,
            div_styles: false,
            images: false,
            image_links: false,
            meta: false,
            frames: false,
            embeds: false,
            link_lists: false,
            empty_tables: false,
            removed_links: false,
            portal_share: 0.0,
            ..FilterSettings::default()
        }
    }

    /// Reads a file of settings: YAML, a setting a line by the name of its field here, and
    /// `profile`, whose values the other settings have; without it they have the defaults.
    /// An empty file is allowed.
    ///
    /// # Errors
    ///
    /// If the file is not YAML, or has an unknown key, or a value of another type or out of
    /// its range. The error names the line and the key.
    pub fn from_yaml(text: &str) -> Result<FilterSettings> {
        let refused = |line, reason| ErrorKind::FilterSettings { line, reason }.into();
        if text.len() > MAX_SETTINGS_BYTES {
            let bytes = text.len();
            let reason = format!("it has {bytes} bytes, more than {MAX_SETTINGS_BYTES}");
            return Err(refused(None, reason));
        }
        // A file of comments is a document without a value.
        let read = read_yaml::<Option<FilterSettings>>(text);
        let checked = read.map(Option::unwrap_or_default).and_then(|settings| {
            let fault = settings.fault();
            fault.map_or(Ok(settings), |(key, reason)| {
                Err(yaml_error_at(text, &[YamlKey::Name(key)], reason))
            })
        });
        checked.map_err(|error| {
            let (line, reason) = yaml_place(&error);
            refused(line, reason)
        })
    }

    /// The file of these settings.
    pub fn to_yaml(&self) -> String {
        serde_yaml::to_string(self).expect("settings are YAML")
    }

    /// The first setting that is out of its range, and the range.
    pub fn fault(&self) -> Option<(&'static str, &'static str)> {
        let is_number = |n: f64| n.is_finite() && n >= 0.0;
        if !is_number(self.link_ratio) {
            return Some(("link_ratio", "it must be a number from 0"));
        }
        for (key, chars) in [
            ("chars_per_word", self.chars_per_word),
            ("unspaced_chars_per_word", self.unspaced_chars_per_word),
        ] {
            if !is_number(chars) || chars == 0.0 {
                return Some((key, "it must be a number above 0"));
            }
        }
        if !(0.0..=1.0).contains(&self.portal_share) {
            return Some(("portal_share", "it must be a share from 0 to 1"));
        }
        if self.substance.len() > MAX_SUBSTANCE_TAGS {
            return Some(("substance", "it must have at most 100 tags"));
        }
        let is_tag = |tag: &String| {
            !tag.is_empty()
                && tag.len() <= 64
                && tag
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        if !self.substance.iter().all(is_tag) {
            return Some((
                "substance",
                "tags are lower-case letters, digits and hyphens",
            ));
        }
        None
    }
}

/// Settings with a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// As published: the state of figure 1.
    #[default]
    Paper,
    /// For small screens and slow lines: the page with its layout, without what is heavy.
    Light,
    /// To read: the page without link lists, fields and styles, with the pictures of its content.
    Reader,
    /// For text tools: plain text, no links.
    Text,
    /// To listen to: ALT texts in the place of images, no layout tables left over, link
    /// lists at the end.
    Speech,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 5] = [
        Profile::Paper,
        Profile::Light,
        Profile::Reader,
        Profile::Text,
        Profile::Speech,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Paper => "paper",
            Profile::Light => "light",
            Profile::Reader => "reader",
            Profile::Text => "text",
            Profile::Speech => "speech",
        }
    }

    /// Its purpose, a sentence.
    pub fn purpose(self) -> &'static str {
        match self {
            Profile::Paper => "As published: the state of the paper's figure 1.",
            Profile::Light => {
                "For small screens and slow lines: the layout stays, what is heavy goes."
            }
            Profile::Reader => {
                "To read: without link lists, fields and styles, with the pictures of the content."
            }
            Profile::Text => "For text tools: plain text, without links and ALT texts.",
            Profile::Speech => {
                "To listen to: ALT texts in the place of images, link lists at the end."
            }
        }
    }

    /// The profile of a name.
    pub fn by_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|p| p.name() == name)
    }

    /// The settings. No profile removes `form`: there are pages that are one form as a whole.
    pub fn settings(self) -> FilterSettings {
        let paper = FilterSettings::default();
        let light = FilterSettings {
            keep_images_from: 100,
            removed_ad_links: false,
            link_ratio: super::BLOCK_LINK_RATIO,
            least_links: 2,
            link_list_blocks: true,
            emptied_blocks: true,
            keep_fields: true,
            ..paper.clone()
        };
        match self {
            Profile::Paper => paper,
            Profile::Light => light,
            Profile::Reader => FilterSettings {
                styles: true,
                inputs: true,
                buttons: true,
                selects: true,
                cell_widths: true,
                remove_cells: true,
                keep_fields: false,
                ..light
            },
            Profile::Text => FilterSettings {
                styles: true,
                keep_images_from: 0,
                inputs: true,
                buttons: true,
                selects: true,
                keep_fields: false,
                removed_links: false,
                output: OutputFormat::Text,
                ..light
            },
            Profile::Speech => FilterSettings {
                styles: true,
                image_alt: true,
                image_link_alt: true,
                keep_images_from: 0,
                cell_widths: true,
                remove_cells: true,
                ..light
            },
        }
    }
}
