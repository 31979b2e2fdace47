//! The pages of the filter inside another program's site, as the paper embeds its panel of
//! settings (4.3): `cargo run --example mounted_pages`, then http://127.0.0.1:8000/reader/filter.

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use forest::filter::{FilterSettings, Profile};
use forest::serve::{FilterPages, ServeOptions, SettingsStore};
use std::io;
use std::sync::Arc;

/// Settings are printed in the place of being saved.
#[derive(Debug)]
struct Printed;

impl SettingsStore for Printed {
    fn save(&self, name: &str, settings: &FilterSettings) -> io::Result<String> {
        println!("# {name}\n{}", settings.to_yaml());
        Ok("the terminal".to_owned())
    }
}

fn site() -> Result<Router, forest::serve::Error> {
    let options = ServeOptions::default()
        .with_settings(Profile::Reader.settings())
        .with_store(Arc::new(Printed));
    let pages = FilterPages::new(options)?;
    let home = || async { Html("<h1>A site</h1><p><a href=reader/filter>Reader settings</a>") };
    // Whoever may use the site may change its settings: a site with users checks them here.
    Ok(Router::new()
        .route("/", get(home))
        .nest("/reader", pages.router()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, site()?).await?;
    Ok(())
}
