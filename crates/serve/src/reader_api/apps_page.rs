//! `/apps`: the address for apps, and the devices that have a token.

use super::device_login::{device_name, today};
use crate::api::NoDocument;
use crate::library::{in_folder, sent, token};
use crate::state::LibraryApp;
use axum::body::{Body, Bytes};
use axum::extract::OriginalUri;
use axum::http::{HeaderMap, Response, StatusCode};
use forest_archive::{AppDevice, AppDevices, MAX_DEVICES, OWNER};
use forest_web::app_guard::SECOND_BASE;
use forest_web::guard::base_url;
use forest_web::served_state::ServedState;
use forest_web::shell;
use forest_web::token::random_name;
use maud::{Markup, html};
use url::Url;

/// The result of a form of the page.
#[derive(Debug, Default)]
struct AppsNotice {
    /// The name and token of a new device.
    made: Option<(String, String)>,
    /// The name of a revoked device.
    revoked: Option<String>,
    /// Why there is no new device.
    fault: Option<&'static str>,
}

pub(super) async fn show(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
) -> Response<Body> {
    page(&state, &base_url(&headers, &uri), AppsNotice::default()).await
}

async fn page(state: &ServedState<LibraryApp>, base: &Url, done: AppsNotice) -> Response<Body> {
    let devices = in_folder(state, |dir| Ok(AppDevices::of(dir)?));
    match devices.await {
        Ok(devices) => {
            let status = match done.fault {
                Some(_) => StatusCode::BAD_REQUEST,
                None => StatusCode::OK,
            };
            shell::page(
                status,
                "In other apps",
                &whole(state, base, &devices, &done),
            )
        }
        Err(why) => why.page("", "In other apps"),
    }
}

fn whole(state: &LibraryApp, base: &Url, devices: &AppDevices, done: &AppsNotice) -> Markup {
    let has_password = state.web.access.is_some();
    html! { .measure {
        h1 { "In other apps" }
        p { "Apps that speak the Google Reader API read these feeds, and share what is read and starred. In the app choose FreshRSS, and give:" }
        (address_table(base, has_password))
        @if let Some((name, token)) = &done.made {
            p .good role="status" { "The token of " span dir="auto" { (name) } ", which is not shown again:" }
            pre .code { (token) }
        }
        @if let Some(name) = &done.revoked {
            p .good role="status" { span dir="auto" { (name) } " is revoked: its apps are not answered any more." }
        }
        (new_device(state, done.fault))
        h2 { "Devices" }
        @if devices.devices.is_empty() { p { "No device has a token yet." } }
        @else { (device_table(state, &devices.devices)) }
        @if !has_password {
            p .meta { "This server has no password, so that it answers this machine alone. Phones need " code { "--password-file" } " and " code { "--addr" } "." }
        }
    } }
}

fn address_table(base: &Url, has_password: bool) -> Markup {
    let path = SECOND_BASE.trim_start_matches('/');
    let address = |path| base.join(path).map(String::from).unwrap_or_default();
    let root = address("./");
    html! {
        .scroll { table { tbody {
            tr { th scope="row" { "Address" } td .name { code { (address(path)) } } }
            tr { th scope="row" { "or, for Miniflux" } td .name { code { (root.trim_end_matches('/')) } } }
            tr { th scope="row" { "User" } td .name { code { (OWNER) } ", or any other" } }
            tr { th scope="row" { "Password" } td .name {
                "the token of the device" @if has_password { ", or the password of this server" }
            } }
        } } }
    }
}

fn new_device(state: &LibraryApp, fault: Option<&str>) -> Markup {
    html! {
        form method="post" action="apps" {
            (token(state))
            label for="name" { "A token for a device with this name" }
            .row {
                input #name name="name" type="text" maxlength="60" placeholder="Phone" autocomplete="off"
                    aria-describedby=[fault.map(|_| "fault")] aria-invalid=[fault.map(|_| "true")];
                button .main { "Make a token" }
            }
            @if let Some(fault) = fault { p #fault .bad role="alert" { (fault) } }
        }
    }
}

fn device_table(state: &LibraryApp, devices: &[AppDevice]) -> Markup {
    html! { .scroll { table {
        thead { tr { th scope="col" { "Device" } th scope="col" { "Since" } th scope="col" { "Last used" } th scope="col" { span .unseen { "Revoke" } } } }
        tbody { @for device in devices { tr {
            th scope="row" { span dir="auto" { (device.name) } @if device.salt.is_some() { " (by the password)" } }
            td { (device.made) }
            td { @match device.used { Some(day) => (day), None => "never" } }
            td { form .inline method="post" action="apps" {
                (token(state))
                button .small name="revoke" value=(device.id) { "Revoke" span .unseen { " " (device.name) } }
            } }
        } } }
    } } }
}

pub(super) async fn change(
    state: ServedState<LibraryApp>,
    OriginalUri(uri): OriginalUri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let sent = match sent(&state, &body) {
        Ok(sent) => sent,
        Err(refused) => return *refused,
    };
    let base = base_url(&headers, &uri);
    let done = match sent.get("revoke") {
        "" => make(&state, device_name(sent.get("name"))).await,
        id => revoke(&state, id.to_owned()).await,
    };
    match done {
        Ok(done) => page(&state, &base, done).await,
        Err(why) => why.page("", "In other apps"),
    }
}

async fn make(state: &ServedState<LibraryApp>, name: String) -> Result<AppsNotice, NoDocument> {
    if name.is_empty() {
        return Ok(AppsNotice {
            fault: Some("Give the device a name, so that you know which one to revoke."),
            ..AppsNotice::default()
        });
    }
    let token = random_name();
    let device = AppDevice::new(random_name(), name.clone(), &token, today());
    let added = in_folder(state, move |dir| {
        Ok(AppDevices::change(dir, |devices| {
            let has_room = devices.devices.len() < MAX_DEVICES;
            devices.devices.extend(has_room.then_some(device));
            has_room
        })?)
    });
    let mut done = AppsNotice::default();
    if added.await? {
        done.made = Some((name, token));
    } else {
        done.fault = Some("There are 100 devices: revoke one first.");
    }
    Ok(done)
}

async fn revoke(state: &ServedState<LibraryApp>, id: String) -> Result<AppsNotice, NoDocument> {
    let revoked = in_folder(state, move |dir| {
        Ok(AppDevices::change(dir, |devices| {
            let place = devices.devices.iter().position(|device| device.id == id);
            place.map(|place| devices.devices.remove(place).name)
        })?)
    });
    Ok(AppsNotice {
        revoked: revoked.await?,
        ..AppsNotice::default()
    })
}
