//! Settings with a name, each for one use.

use super::settings::{FilterSettings, OutputFormat};
use serde::{Deserialize, Serialize};

/// Settings with a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// As published: the state of figure 1.
    #[default]
    Paper,
    /// For small screens and slow lines: the page with its layout, without what is heavy.
    Light,
    /// To read: the page without link lists, forms and styles, with the pictures of its content.
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

    /// What it is for, a sentence.
    pub fn purpose(self) -> &'static str {
        match self {
            Profile::Paper => "As published: the state of the paper's figure 1.",
            Profile::Light => {
                "For small screens and slow lines: the layout stays, what is heavy goes."
            }
            Profile::Reader => {
                "To read: without link lists, forms and styles, with the pictures of the content."
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

    /// The settings.
    pub fn settings(self) -> FilterSettings {
        let paper = FilterSettings::default();
        let light = FilterSettings {
            keep_images_from: 100,
            removed_ad_links: false,
            least_links: 3,
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
                forms: true,
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
                forms: true,
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
