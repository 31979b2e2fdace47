//! Which pictures are stored with articles.

use anyhow::bail;
use forest::fetch::FetchOptions;
use forest::harvest::{PictureTally, RequisiteOptions};

/// What is stored besides pages.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Pictures")]
pub struct ImageArgs {
    /// Store the pictures of articles as well: those within the text and the lead picture,
    /// each once. They are asked for as pages are, with the same robots.txt, delays and
    /// rules for addresses, and not again unless the article changes. A harvest asks for
    /// those of articles of the last 7 days that were stored without, too.
    #[arg(long)]
    with_images: bool,
    /// With the style sheets and fonts of the pages, too, 50 a page and 5 MB each, so that
    /// a replay of the archive looks like them. Implies --with-images.
    #[arg(long)]
    with_requisites: bool,
    /// Pictures of an article at the most, the first ones.
    #[arg(long, value_name = "N", default_value_t = RequisiteOptions::PICTURES)]
    max_images: usize,
    /// Bytes of a picture at the most; a larger one is not stored.
    #[arg(long, value_name = "BYTES", default_value_t = FetchOptions::PICTURE_LIMIT)]
    max_image_bytes: u64,
}

impl ImageArgs {
    /// What is wanted besides pages.
    pub fn options(&self) -> Option<RequisiteOptions> {
        let wanted = self.with_images || self.with_requisites;
        wanted.then(|| {
            RequisiteOptions::default()
                .with_pictures(self.max_images)
                .with_styles(self.with_requisites)
        })
    }

    /// The same where there may be no archive to store them in.
    pub fn options_with(&self, has_archive: bool) -> anyhow::Result<Option<RequisiteOptions>> {
        let options = self.options();
        if options.is_some() && !has_archive {
            bail!("pictures are stored in an archive: name one with --archive");
        }
        Ok(options)
    }

    /// How they are fetched.
    pub fn limit(&self, options: FetchOptions) -> FetchOptions {
        options.with_picture_limit(self.max_image_bytes)
    }
}

/// What is said of pictures in the end.
pub fn summary(tally: PictureTally) -> String {
    let stored = match tally.stored {
        1 => "1 picture".to_owned(),
        n => format!("{n} pictures"),
    };
    match tally.failed {
        0 => stored,
        n => format!("{stored} ({n} failed)"),
    }
}

/// What is said of a picture that could not be had.
pub fn failure(url: &str, why: &str) -> String {
    format!("{url}: the picture is not stored: {why}")
}
