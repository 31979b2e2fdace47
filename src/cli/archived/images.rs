//! The options for pictures that are stored with articles.

use anyhow::{Context, bail};
use forest_fetch::{FetchOptions, Fetcher};
use forest_harvest::RequisiteOptions;

/// The pictures, style sheets and fonts to store.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Pictures")]
pub struct ImageArgs {
    /// Store the pictures of articles as well: those within the text and the lead picture,
    /// each once, and the icons of their sites. They are requested as pages are, with the same
    /// robots.txt, delays and rules for addresses, and again only if the article changes. A
    /// harvest also requests those of articles of the last 7 days that were stored without
    /// pictures.
    #[arg(long)]
    with_images: bool,
    /// Store the style sheets and fonts of the pages as well, 50 a page and 5 MB each at
    /// the most, so that a replay of the archive looks like them. Implies --with-images.
    #[arg(long)]
    with_requisites: bool,
    /// Store this number of pictures of an article at the most, the first ones.
    #[arg(long, value_name = "N", default_value_t = RequisiteOptions::PICTURES)]
    max_images: usize,
    /// Store pictures of this number of bytes at the most.
    #[arg(long, value_name = "BYTES", default_value_t = FetchOptions::PICTURE_LIMIT)]
    max_image_bytes: u64,
}

impl ImageArgs {
    /// The requisites to store; `None` without the options.
    pub fn options(&self) -> Option<RequisiteOptions> {
        let wanted = self.with_images || self.with_requisites;
        wanted.then(|| self.pictures().with_styles(self.with_requisites))
    }

    /// Pictures alone.
    pub fn pictures(&self) -> RequisiteOptions {
        RequisiteOptions::default().with_pictures(self.max_images)
    }

    /// The same; an error if there is no archive to store them in.
    pub fn options_with(&self, has_archive: bool) -> anyhow::Result<Option<RequisiteOptions>> {
        let options = self.options();
        if options.is_some() && !has_archive {
            bail!("pictures are stored in an archive: name one with --archive");
        }
        Ok(options)
    }

    /// The fetcher of pages and pictures.
    pub fn fetcher(&self, options: FetchOptions) -> anyhow::Result<Fetcher> {
        let options = options.with_picture_limit(self.max_image_bytes);
        Fetcher::new(options).context("cannot use the network")
    }
}
