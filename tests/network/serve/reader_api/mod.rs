//! The Google Reader API, as its published descriptions ask it and as apps do.

mod items;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
mod liferea;
mod lists;
mod login;
mod marks;
#[cfg(all(feature = "heavy", feature = "archive", feature = "cli"))]
pub mod newsboat;
mod subscribing;

use super::{Answer, Running};
use serde_json::Value;

/// The token of a new device, from the page of apps.
pub fn new_token(server: &Running, name: &str) -> String {
    let form = server.token();
    let page = server.send_form("/apps", &[("token", &form), ("name", name)]);
    assert_eq!(page.status, 200, "{}", page.text());
    let page = page.text();
    let (_, rest) = page.split_once("<pre class=\"code\">").expect("a token");
    rest.split('<').next().expect("its end").to_owned()
}

/// An app that reads a server.
pub struct App<'s> {
    pub server: &'s Running,
    /// The path of the address that it was given.
    pub base: &'static str,
    pub token: String,
}

impl<'s> App<'s> {
    /// An app of a new device.
    pub fn new(server: &'s Running) -> App<'s> {
        App {
            server,
            base: "/api/greader.php",
            token: new_token(server, "Phone"),
        }
    }

    fn headers(&self) -> [String; 2] {
        [
            format!("Host: {}", self.server.address),
            format!("Authorization: GoogleLogin auth={}", self.token),
        ]
    }

    pub fn get(&self, path: &str) -> Answer {
        let headers = self.headers();
        let line = format!("GET {}/reader/{path}", self.base);
        self.server.ask(&line, &[&headers[0], &headers[1]])
    }

    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let headers = self.headers();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields);
        let line = format!("POST {}/reader/{path}", self.base);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let body = form.finish();
        let headers = [&*headers[0], &*headers[1], kind];
        self.server.ask_with(&line, &headers, body.as_bytes())
    }

    #[track_caller]
    pub fn json(&self, path: &str) -> Value {
        json_of(&self.get(path))
    }

    /// Changes something, which works.
    #[track_caller]
    pub fn change(&self, path: &str, fields: &[(&str, &str)]) {
        let answer = self.post(path, fields);
        assert_eq!((answer.status, &*answer.text()), (200, "OK"), "{path}");
    }

    /// The numbers of the entries of a stream, as decimals.
    #[track_caller]
    pub fn ids(&self, query: &str) -> Vec<String> {
        let found = self.json(&format!("api/0/stream/items/ids?output=json&{query}"));
        let refs = found["itemRefs"].as_array().expect("a list");
        let ids = refs.iter().map(|one| one["id"].as_str().expect("a text"));
        ids.map(str::to_owned).collect()
    }

    /// The unread entries.
    #[track_caller]
    pub fn unread(&self) -> Vec<String> {
        self.ids("n=100&s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read")
    }
}

#[track_caller]
pub fn json_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let kind = answer.header("content-type").expect("one");
    assert_eq!(kind, "application/json; charset=utf-8");
    serde_json::from_slice(&answer.body).expect("JSON")
}
