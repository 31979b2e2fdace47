//! The filters, in the order of figure 1 and section 3.

mod ads;
pub(super) mod blocks;
mod cells;
mod elements;
mod images;
mod link_lists;
mod links;
mod scripts;
mod styles;
mod tables;

use super::PageFilter;
use super::ads::AdList;
use super::settings::FilterSettings;
use std::sync::Arc;

/// The filters that are on.
pub(super) fn of(settings: &FilterSettings, ads: Arc<AdList>) -> Vec<Arc<dyn PageFilter>> {
    let mut filters: Vec<Arc<dyn PageFilter>> = Vec::new();
    let mut add = |is_on: bool, filter: Arc<dyn PageFilter>| {
        if is_on {
            filters.push(filter);
        }
    };
    let s = settings;
    let keep_from = s.keep_images_from;
    add(
        s.ads,
        Arc::new(ads::AdRemover::new(ads, s.removed_ad_links)),
    );
    add(s.scripts, Arc::new(scripts::ScriptRemover::new(s.noscript)));
    add(s.styles, Arc::new(styles::StyleRemover));
    add(s.div_styles, Arc::new(styles::DivStyleRemover));
    add(
        s.images,
        Arc::new(images::ImageRemover::new(s.image_alt, keep_from)),
    );
    let image_links = images::ImageLinkRemover::new(s.image_link_alt, keep_from);
    add(s.image_links, Arc::new(image_links));
    add(s.text_links, Arc::new(links::TextLinkRemover));
    add(s.forms, Arc::new(elements::FORMS));
    add(s.inputs, Arc::new(elements::INPUTS));
    add(s.buttons, Arc::new(elements::BUTTONS));
    add(s.selects, Arc::new(elements::SELECTS));
    add(s.meta, Arc::new(elements::MetaRemover));
    add(s.frames, Arc::new(elements::FRAMES));
    add(s.cell_widths, Arc::new(cells::CellWidthRemover));
    add(s.embeds, Arc::new(elements::EMBEDS));
    add(s.link_lists, Arc::new(link_lists::LinkListRemover::new(s)));
    add(s.empty_tables, Arc::new(tables::EmptyTableRemover::new(s)));
    add(s.emptied_blocks, Arc::new(blocks::EmptiedBlockRemover));
    filters
}
