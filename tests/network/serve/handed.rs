//! The bookmark "Save this page" in a real browser: pages that hand themselves over, and pages whose
//! policy lets only their address come.

use super::Running;
use super::browser::{Browser, Driver, Hand, Person};
use super::library::{articles, server_of};
use crate::harvest_cli::site::{Site, User};
use crate::loopback::Loopback;
use axum::Router;
use axum::http::header::HeaderName;
use axum::response::Html;
use axum::routing::get;
use fantoccini::wd::WindowHandle;

/// A page whose last words come by its script, as to a reader with a login.
fn page(name: &str) -> Html<String> {
    let words: String = crate::story::paragraphs("", 5)
        .iter()
        .map(|text| format!("<p>{text}</p>"))
        .collect();
    Html(format!(
        "<!DOCTYPE html><title>{name}</title><h1>{name}</h1><div class=story>{words}<p id=late></div>\
         <script>late.textContent = 'The walrus came back to the harbour on a Monday in ' + 1987</script>"
    ))
}

/// A site of pages that are open, and of pages whose policy cuts them off from the windows that they open.
fn site() -> Loopback {
    let policy = HeaderName::from_static("cross-origin-opener-policy");
    let shut = move || {
        let policy = policy.clone();
        async move { ([(policy, "same-origin")], page("Shut")) }
    };
    let router = Router::new()
        .route("/open", get(|| async { page("Open") }))
        .route("/shut", get(shut));
    Loopback::of(|_| router)
}

async fn change_to(person: &Person, window: WindowHandle) {
    let changed = person.client.switch_to_window(window).await;
    changed.expect("changed");
}

/// Changes to the window that another one opens.
async fn change_to_opened(person: &Person, window: &WindowHandle) {
    for _ in 0..2000 {
        let all = person.client.windows().await.expect("windows");
        if let Some(opened) = all.into_iter().find(|other| other != window) {
            change_to(person, opened).await;
            return;
        }
    }
    panic!("no window was opened");
}

/// Clicks the bookmark at a page, and changes to the window that it opens.
async fn click_bookmark(person: &Person, server: &Running, url: &str) {
    person.go("/archive").await;
    // As a browser reads it from its address.
    let script = "return decodeURIComponent([...document.querySelectorAll('a')]\
        .find(a => a.textContent === 'Save this page').href)";
    let script = person.eval(script).await;
    let script = script.as_str().expect("a bookmark");
    let script = script.trim_start_matches("javascript:");
    person.client.goto(url).await.expect("a page");
    let window = person.client.window().await.expect("a window");
    person.eval(script).await;
    change_to_opened(person, &window).await;
    person.find("form[data-handed]").await;
    let at = person.client.current_url().await.expect("an address");
    assert!(
        at.as_str()
            .starts_with(&format!("http://{}/save?from=page", server.address)),
        "{at}"
    );
}

fn with_person(check: impl AsyncFnOnce(&Person, &Running, &Loopback, &User)) {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (feed, user, site) = (Site::new(1), User::new(), site());
    user.add(&feed).ends(0, &[]);
    let server = server_of(&user);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let person = Person {
            client: driver.open(false).await,
            server: format!("http://{}", server.address),
            hand: Hand::Mouse,
        };
        check(&person, &server, &site, &user).await;
        person.client.close().await.expect("closed");
    });
}

#[test]
fn the_page_that_the_browser_has_is_saved_by_one_button() {
    with_person(async |person, server, site, user| {
        let url = format!("http://{}/open", site.address);
        click_bookmark(person, server, &url).await;
        let text = person.wait_for("The page as your browser shows it (").await;
        assert!(text.contains(" kB) came with it."), "{text}");
        // Another message changes nothing.
        let held = "return document.querySelector('[name=page]').value";
        let before = person.eval(held).await;
        person.eval("postMessage({html: 'other'}, '*')").await;
        assert_eq!(person.eval(held).await, before);
        person.activate("main form button").await;
        person.wait_for("as your browser showed it").await;
        user.round(4, &[]);
        let found = articles(&server.own("/reader?feed=forest%3Asaved&show=all"));
        let article = server.own(&found[0]).text();
        assert!(article.contains("harbour on a Monday in 1987"), "{article}");
    });
}

#[test]
fn of_a_page_whose_policy_forbids_it_only_the_address_comes() {
    with_person(async |person, server, site, _| {
        let url = format!("http://{}/shut", site.address);
        click_bookmark(person, server, &url).await;
        let text = person.wait_for("policy forbids more").await;
        assert!(!text.contains("kB"), "{text}");
        person.activate("main form button").await;
        person
            .wait_for("as soon as the harvest has fetched it")
            .await;
    });
}

#[test]
fn a_page_hands_over_no_page_of_another_site() {
    with_person(async |person, server, site, _| {
        // A page that opens our window for an address that is not its own.
        let own = format!("http://{}/open", site.address);
        person.client.goto(&own).await.expect("a page");
        let window = person.client.window().await.expect("a window");
        let script = format!(
            "window.opened = open('http://{}/save?from=page&url=http://bank.example/')",
            server.address
        );
        person.eval(&format!("{script}; return null")).await;
        change_to_opened(person, &window).await;
        person.find("form[data-handed]").await;
        let told = "addEventListener('message', () => window.told = true); return null";
        person.eval(told).await;
        let opened = person.client.window().await.expect("a window");
        change_to(person, window).await;
        person
            .eval("opened.postMessage({html: '<p>evil'}, '*'); return null")
            .await;
        change_to(person, opened).await;
        let is_told =
            "const wait = () => window.told ? done(true) : requestAnimationFrame(wait); wait();";
        assert_eq!(person.eval_later(is_told).await, true);
        let held = "return document.querySelector('[name=page]').value";
        assert_eq!(person.eval(held).await, "");
        person.wait_for("policy forbids more").await;
    });
}
