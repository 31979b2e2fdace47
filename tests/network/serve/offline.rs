//! Articles without the network, in a real browser: those that were opened are kept until the
//! reader logs out.

use super::Running;
use super::access::PASSWORD;
use super::archived::illustrated;
use super::browser::{Browser, Driver, Hand, Person};
use super::options;
use crate::loopback::Loopback;
use axum::Router;
use axum::http::StatusCode;
use forest_serve::FilterPages;
use forest_web::access::hash_of;

impl Person {
    /// The value that a script gives to its last argument.
    pub async fn eval_later(&self, script: &str) -> serde_json::Value {
        let script = format!("const done = arguments[arguments.length - 1]; {script}");
        let value = self.client.execute_async(&script, Vec::new()).await;
        value.expect("a value")
    }

    /// The articles that the browser keeps.
    async fn kept(&self) -> serde_json::Value {
        let script = "caches.open('articles').then(c => c.keys())\
            .then(keys => done(keys.map(k => new URL(k.url).pathname).sort()))";
        self.eval_later(script).await
    }

    /// Opens articles, and waits until they and their pictures are kept.
    async fn keep(&self, paths: &[&str]) {
        for path in paths {
            self.go(path).await;
        }
        // What is forgotten is looked for behind each article that was kept.
        let all = paths.len();
        let script = format!(
            "const wait = async () => {{ const count = async (name) => \
             (await (await caches.open(name)).keys()).length; \
             while (await count('articles') < {all} || await count('pictures') < {all}) \
             await new Promise(requestAnimationFrame); done(true); }}; wait();"
        );
        assert_eq!(self.eval_later(&script).await, true);
    }
}

/// A person at a server whose worker is at work.
async fn person(driver: &Driver, server: &Running, password: Option<&str>) -> Person {
    let person = Person {
        client: driver.open(false).await,
        server: format!("http://{}", server.address),
        hand: Hand::Mouse,
    };
    person.go("/reader").await;
    if let Some(password) = password {
        person.write("input[name=password]", password).await;
    }
    person.find(".entries").await;
    let ready = "navigator.serviceWorker.ready.then(() => { const wait = () => \
        navigator.serviceWorker.controller ? done(true) : requestAnimationFrame(wait); wait(); })";
    assert_eq!(person.eval_later(ready).await, true);
    person
}

#[test]
fn opened_articles_are_read_without_the_network() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (_site, _user, server) = illustrated(&["--with-images"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let person = runtime.block_on(person(&driver, &server, None));
    runtime.block_on(async {
        // An article has its key without the list that it was opened from; parts of pages have none.
        person.keep(&["/reader/1?in=show%3Dall", "/reader/2"]).await;
        person.go("/reader/3?beside=page").await;
        person.go("/settings").await;
        assert_eq!(
            person.kept().await,
            serde_json::json!(["/reader/1", "/reader/2"])
        );
    });
    drop(server);
    runtime.block_on(async {
        person.go("/reader/1").await;
        let text = person.text().await;
        assert!(
            text.contains("Story 1") && text.contains("keeper"),
            "{text}"
        );
        let picture = "fetch(document.querySelector('article img').src)\
            .then(answer => answer.text()).then(done, error => done(String(error)))";
        let picture = person.eval_later(picture).await;
        assert!(
            picture
                .as_str()
                .is_some_and(|bytes| bytes.ends_with("1.png")),
            "{picture}"
        );
        let is_styled = "return getComputedStyle(document.querySelector('nav')).display";
        assert_eq!(person.eval(is_styled).await, "flex");
        for path in ["/reader", "/reader/3"] {
            person.go(path).await;
            let text = person.text().await;
            assert!(text.contains("You are offline"), "{text}");
            assert!(
                text.contains("Story 2") && !text.contains("Story 3"),
                "{text}"
            );
        }
        person.activate("main li a").await;
        person.find("article h1").await;
        // A mark is not taken for made, and the article stays.
        person.activate("button[value=starred]").await;
        person.wait_for("No network: this was not marked.").await;
        person.client.close().await.expect("closed");
    });
}

#[test]
fn a_proxy_without_its_server_is_no_network() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (_site, _user, server) = illustrated(&["--with-images"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let person = runtime.block_on(person(&driver, &server, None));
    runtime.block_on(person.keep(&["/reader/1"]));
    let address = server.address;
    drop(server);
    let _proxy = Loopback::at(address, |_| {
        Router::new().fallback(async || (StatusCode::BAD_GATEWAY, "502 Bad Gateway"))
    });
    runtime.block_on(async {
        for (path, part) in [
            ("/reader/1", "keeper"),
            ("/reader", "You are offline"),
            ("/reader/2", "You are offline"),
        ] {
            person.go(path).await;
            let text = person.text().await;
            assert!(text.contains(part), "{path}: {text}");
        }
        person.client.close().await.expect("closed");
    });
}

#[test]
fn the_last_hundred_articles_are_kept() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (_site, _user, server) = illustrated(&["--with-images"]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let person = person(&driver, &server, None).await;
        // As many as there may be, and a picture that is too large beside the others.
        let fill = "const fill = async () => { const articles = await caches.open('articles'); \
            for (let n = 1000; n < 1100; n++) await articles.put(`/reader/${n}`, new Response('x', \
            { headers: { 'x-forest-bytes': '1' } })); \
            await (await caches.open('pictures')).put('/archive/resource/0.png', new Response('x', \
            { headers: { 'x-forest-bytes': '50000000' } })); done(true); }; fill();";
        person.eval_later(fill).await;
        person.go("/reader/1").await;
        let settled = "const wait = async () => { const articles = await caches.open('articles'); \
            const pictures = await caches.open('pictures'); \
            const is = async () => await articles.match('/reader/1') && \
            !await articles.match('/reader/1000') && !await pictures.match('/archive/resource/0.png'); \
            while (!await is()) await new Promise(requestAnimationFrame); \
            done([(await articles.keys()).length, (await pictures.keys()).length]); }; wait();";
        assert_eq!(person.eval_later(settled).await, serde_json::json!([100, 1]));
        person.client.close().await.expect("closed");
    });
}

#[test]
fn who_logs_out_leaves_no_article_behind() {
    let Some(driver) = Driver::new(Browser::Chromium) else {
        return;
    };
    let (_site, user, _) = illustrated(&["--with-images"]);
    let options = options()
        .with_archive(user.store())
        .with_password_hash(hash_of(PASSWORD).expect("a hash"));
    let pages = FilterPages::new(options).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let person = runtime.block_on(person(&driver, &server, Some(PASSWORD)));
    runtime.block_on(async {
        person.keep(&["/reader/1"]).await;
        person.go("/settings").await;
        person.activate("form[action=logout] button").await;
        person.find("input[name=password]").await;
        assert_eq!(person.kept().await, serde_json::json!([]));
        let pictures =
            "caches.open('pictures').then(c => c.keys()).then(keys => done(keys.length))";
        assert_eq!(person.eval_later(pictures).await, 0);
        person.client.close().await.expect("closed");
    });
}
