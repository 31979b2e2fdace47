//! `forest harvest secret add|list|remove`: headers and cookies that only a site itself gets.
//!
//! No message and no output has a value.

use crate::cli::archived::archive_dir::ArchiveArgs;
use crate::cli::stdin::{first_line, read_limited};
use crate::cli::when::now;
use crate::cli::{Exit, Global};
use anyhow::{Context, bail};
use forest_archive::{
    ArchiveReader, CookieFile, MAX_COOKIE_FILE_BYTES, MAX_SECRET_BYTES, SecretSite, SiteSecret,
    SiteSecrets,
};
use forest_harvest::report::{secret_json, secret_line, secret_rows};
use forest_harvest::{FeedStore, keep_secret_header};
use forest_html::error::counted;
use forest_html::text::Secret;
use std::convert::Infallible;
use std::fs::File;
use std::io::IsTerminal;
use std::path::PathBuf;

/// Give sites headers and cookies that nobody else may see
#[derive(Debug, clap::Args)]
#[command(after_help = "\
They stand in secrets.json in the archive's folder, which only its owner can read. Each is sent
to its own site alone: with and without www., on no other port, to no host that the site
redirects to, and over https only unless http:// stands before SITE. A harvest that runs sends
them from its next request on. Backups and exports leave them out.

Examples:
  forest harvest secret add news.example.org --header 'Authorization: -' < token.txt
  forest harvest secret add news.example.org --cookies cookies.txt
  forest harvest secret list
  forest harvest secret remove news.example.org")]
pub struct SecretArgs {
    #[command(subcommand)]
    command: SecretCommand,
}

subcommands!(SecretCommand {
    Add(AddSecretArgs) => add,
    List(ListSecretsArgs) => list,
    Remove(RemoveSecretsArgs) => remove,
});

pub fn run(args: SecretArgs, global: &Global) -> anyhow::Result<Exit> {
    args.command.run(global)
}

/// Give a site a header, or the cookies of a file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SITE is a host, with its port if it has one of its own, or an address there. A header replaces
the one with the same name, and the cookies of a file all earlier ones. It goes before a header
of the site's wrapper with the same name; --header of a command goes before both.

What stands on a command line is in the history of the shell: give `-` for the value of a header
to read it from the first line of stdin, or `-` for the file of cookies. The file has the
Netscape format, as `yt-dlp --cookies` and extensions of browsers write it.

Examples:
  forest harvest secret add news.example.org --header 'Authorization: -' < token.txt
  forest harvest secret add news.example.org --cookies cookies.txt
  forest harvest secret add http://127.0.0.1:8000 --header 'X-Key: -'")]
pub struct AddSecretArgs {
    /// The site.
    #[arg(value_name = "SITE")]
    site: String,
    /// Send this header; `-` as its value: the first line of stdin.
    #[arg(long, value_name = "NAME: VALUE", required_unless_present = "cookies",
        value_parser = as_secret)]
    header: Option<Secret>,
    /// Send the cookies of the site in this file; `-`: stdin.
    #[arg(long, value_name = "FILE", conflicts_with = "header")]
    cookies: Option<PathBuf>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// List the names of headers and cookies, without their values
#[derive(Debug, clap::Args)]
pub struct ListSecretsArgs {
    /// Write a line of JSON a header or cookie.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// Remove the headers and cookies of a site
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  forest harvest secret remove news.example.org
  forest harvest secret remove news.example.org --header Authorization
  forest harvest secret remove news.example.org --cookie session")]
pub struct RemoveSecretsArgs {
    /// The site.
    #[arg(value_name = "SITE")]
    site: String,
    /// Remove only the header with this name.
    #[arg(long, value_name = "NAME")]
    header: Option<String>,
    /// Remove only cookies with this name.
    #[arg(long, value_name = "NAME", conflicts_with = "header")]
    cookie: Option<String>,
    #[command(flatten)]
    archive: ArchiveArgs,
}

/// All that was typed, to be read later: a message about a wrong argument would show it.
fn as_secret(typed: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(typed))
}

fn site(typed: &str) -> anyhow::Result<SecretSite> {
    SecretSite::read(typed).context("SITE is no host, and no address of one: give news.example.org")
}

pub fn add(args: AddSecretArgs, global: &Global) -> anyhow::Result<Exit> {
    let site = site(&args.site)?;
    let dir = args.archive.dir(global)?;
    // It makes an archive where there is none: a feed may need its secret when it is added.
    let store = FeedStore::open(&dir)?;
    match (&args.header, &args.cookies) {
        (Some(header), _) => {
            let (name, value) = read_header(header)?;
            keep_secret_header(&dir, &site, &name, value)?;
            global.say(format_args!("{}: has the header {name}", site.name()));
        }
        (None, Some(path)) => {
            let file = CookieFile::read(&read_cookies(path)?, &site, now());
            if !tell(&file, &site, global) {
                return Ok(Exit::Nothing);
            }
            let count = file.cookies.len();
            SiteSecrets::keep_cookies(&dir, &site, file.cookies)?;
            let counted = counted(count, "cookie", "cookies");
            global.say(format_args!("{}: has {counted}", site.name()));
        }
        (None, None) => bail!("give --header or --cookies"),
    }
    drop(store);
    if site.over_http() {
        let name = site.name();
        global.warn(format_args!(
            "{name}: what is sent over http can be read on the way: leave out http:// if the site has https"
        ));
    }
    Ok(Exit::Done)
}

/// A header as it was typed, its value from stdin if that is wanted.
fn read_header(typed: &Secret) -> anyhow::Result<(String, Secret)> {
    let (name, value) = typed
        .reveal()
        .split_once(':')
        .context("--header is written 'Name: value', or 'Name: -'")?;
    let value = match value.trim() {
        "-" if std::io::stdin().is_terminal() => {
            let typed = rpassword::prompt_password("the value: ").context("the terminal")?;
            Secret::new(typed.trim())
        }
        // Longer ones are refused then.
        "-" => Secret::new(first_line(2 * MAX_SECRET_BYTES)?.trim()),
        value => Secret::new(value),
    };
    Ok((name.trim().to_owned(), value))
}

fn read_cookies(path: &PathBuf) -> anyhow::Result<String> {
    let shown = path.display();
    let read = match path.to_str() {
        Some("-") => read_limited(std::io::stdin().lock(), MAX_COOKIE_FILE_BYTES),
        _ => File::open(path).and_then(|file| read_limited(file, MAX_COOKIE_FILE_BYTES)),
    };
    let bytes = read.with_context(|| format!("--cookies {shown}"))?;
    if bytes.len() > MAX_COOKIE_FILE_BYTES {
        bail!(
            "--cookies {shown}: it has more than {MAX_COOKIE_FILE_BYTES} bytes: leave out other sites"
        );
    }
    let text = String::from_utf8(bytes);
    // The error of the conversion would have the bytes.
    let text = text.map_err(|_| anyhow::anyhow!("--cookies {shown}: it is no text in UTF-8"))?;
    Ok(text)
}

/// Says what is passed over; false if nothing is left.
fn tell(file: &CookieFile, site: &SecretSite, global: &Global) -> bool {
    if let [first, ..] = file.refused[..] {
        let lines = counted(file.refused.len(), "line is", "lines are");
        global.warn(format_args!("{lines} no cookie, the first is line {first}"));
    }
    if file.of_others > 0 {
        let others = counted(file.of_others, "cookie", "cookies");
        global.say(format_args!("left out, of other sites: {others}"));
    }
    if file.expired > 0 {
        let expired = counted(file.expired, "cookie", "cookies");
        global.warn(format_args!("left out, since they have expired: {expired}"));
    }
    if file.cookies.is_empty() {
        let name = site.name();
        global.warn(format_args!(
            "the file has no cookie of {name}: nothing was changed"
        ));
    }
    !file.cookies.is_empty()
}

pub fn list(args: ListSecretsArgs, global: &Global) -> anyhow::Result<Exit> {
    let dir = args.archive.dir(global)?;
    ArchiveReader::open(&dir)?;
    let mut out = String::new();
    for row in secret_rows(&SiteSecrets::of(&dir)?) {
        if args.json {
            out.push_str(&secret_json(&row).to_string());
        } else {
            out.push_str(&secret_line(&row, now()));
        }
        out.push('\n');
    }
    global.print(out.as_bytes())?;
    Ok(Exit::Done)
}

pub fn remove(args: RemoveSecretsArgs, global: &Global) -> anyhow::Result<Exit> {
    let site = site(&args.site)?;
    let dir = args.archive.dir(global)?;
    ArchiveReader::open(&dir)?;
    let is_one = |one: SiteSecret<'_>| match (one, &args.header, &args.cookie) {
        (_, None, None) => true,
        (SiteSecret::Header(known), Some(name), _) => known.name.eq_ignore_ascii_case(name),
        (SiteSecret::Cookie(known), _, Some(name)) => known.name == *name,
        _ => false,
    };
    let name = site.name();
    match SiteSecrets::remove(&dir, name, is_one)? {
        0 => {
            global.warn(format_args!(
                "{name}: no such secret: `forest harvest secret list` shows them"
            ));
            Ok(Exit::Nothing)
        }
        count => {
            let removed = counted(count, "secret is", "secrets are");
            global.say(format_args!("{name}: {removed} removed"));
            Ok(Exit::Done)
        }
    }
}
