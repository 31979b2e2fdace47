//! Who may ask: a device with its token. An app gives the token as its password, or the server's
//! password, for which it gets a token.
//!
//! The token of an app that gave the password follows from the password's hash: it is the same at
//! each login, and another password revokes it.
//!
//! Wrong passwords are counted as those of `/login` are. Wrong tokens are counted, too, but a right
//! one is always let in: nobody guesses one, and a revoked device must not keep out the others of
//! its network.

use super::fault::AppFault;
use super::request::AppRequest;
use super::{AppAnswer, json, text};
use crate::library::in_folder;
use crate::state::LibraryApp;
use axum::http::request::Parts;
use chrono::{NaiveDate, Utc};
use forest_archive::{AppDevice, AppDevices, MAX_DEVICES};
use forest_html::text::fold;
use forest_web::access::{MAX_PASSWORD_BYTES, PageAccess};
use forest_web::places::ConnectionPlace;
use forest_web::served_state::ServedState;
use forest_web::token::random_name;
use serde_json::json as value;
use std::sync::Arc;
use std::time::SystemTime;

/// Characters of a device's name.
const NAME_CHARS: usize = 60;

/// Counts something wrong of the client; the fault that says so.
fn wrong(state: &ServedState<LibraryApp>, fault: AppFault) -> AppFault {
    match state.wrong_tokens.add(state.client) {
        Ok(()) => fault,
        Err(why) => AppFault::Untried(why),
    }
}

/// Today's date.
pub(super) fn today() -> NaiveDate {
    chrono::DateTime::<Utc>::from(SystemTime::now()).date_naive()
}

/// A name for people, on one line and not too long.
pub(super) fn device_name(typed: &str) -> String {
    let name: String = fold(typed).chars().filter(|c| !c.is_control()).collect();
    name.chars().take(NAME_CHARS).collect()
}

/// Lets a request with the token of a device through.
pub(super) async fn authorise(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
    parts: &Parts,
) -> Result<(), AppFault> {
    if request.token.is_empty() {
        return Err(AppFault::BadToken);
    }
    let is_right = has_device(state, request.token.clone()).await?;
    // Of a token for changes some apps say nothing, others `x`.
    let second = request.get("T").trim();
    let is_same = !request.is_post || matches!(second, "" | "x") || second == request.token;
    if !is_right || !is_same {
        return Err(wrong(state, AppFault::BadToken));
    }
    if let Some(place) = parts.extensions.get::<Arc<ConnectionPlace>>() {
        place.let_in();
    }
    Ok(())
}

/// True for the token of a device, whose day of use is noted.
async fn has_device(state: &ServedState<LibraryApp>, token: String) -> Result<bool, AppFault> {
    if token.len() > MAX_PASSWORD_BYTES {
        return Ok(false);
    }
    let access = state.web.access.clone();
    let found = in_folder(state, move |dir| {
        let devices = AppDevices::of(dir)?;
        let Some(device) = devices.with_token(&token) else {
            return Ok(false);
        };
        if !is_of_password(device, access.as_deref(), &token) {
            return Ok(false);
        }
        if device.used != Some(today()) {
            AppDevices::change(dir, |devices| {
                let mut all = devices.devices.iter_mut();
                if let Some(device) = all.find(|known| known.id == device.id) {
                    device.used = Some(today());
                }
            })?;
        }
        Ok(true)
    });
    Ok(found.await?)
}

/// True unless the token follows from another password than the present one.
fn is_of_password(device: &AppDevice, access: Option<&PageAccess>, token: &str) -> bool {
    let Some(salt) = &device.salt else {
        return true;
    };
    access.is_some_and(|access| access.app_token(salt) == token)
}

/// `accounts/ClientLogin`: a token for a password.
pub(super) async fn log_in(state: &ServedState<LibraryApp>, request: &AppRequest) -> AppAnswer {
    let given = request.get("Passwd");
    if given.is_empty() {
        return Err(AppFault::BadLogin);
    }
    let token = if has_device(state, given.to_owned()).await? {
        given.to_owned()
    } else {
        token_for_password(state, request, given.to_owned()).await?
    };
    Ok(match request.get("output") {
        "json" => json(&value!({"SID": token, "LSID": token, "Auth": token})),
        _ => text(&format!("SID={token}\nLSID={token}\nAuth={token}\n")),
    })
}

async fn token_for_password(
    state: &ServedState<LibraryApp>,
    request: &AppRequest,
    given: String,
) -> Result<String, AppFault> {
    let Some(access) = state.web.access.clone() else {
        return Err(wrong(state, AppFault::BadLogin));
    };
    match access
        .is_password(&state.web.cores, state.client, given)
        .await
    {
        Ok(true) => {}
        Ok(false) => return Err(AppFault::BadLogin),
        Err(why) => return Err(AppFault::Untried(why)),
    }
    let name = app_name(request);
    let token = in_folder(state, move |dir| {
        Ok(AppDevices::change(dir, |devices| {
            token_of_app(devices, &access, name)
        })?)
    });
    token.await?.ok_or(AppFault::TooManyDevices)
}

/// The name that an app says of itself, without its version.
fn app_name(request: &AppRequest) -> String {
    let names = ["client", "source"].map(|name| request.get(name));
    let mut names = names.into_iter().chain([request.agent.as_str(), "App"]);
    let name = names.find_map(|name| {
        let name = device_name(name.split('/').next().unwrap_or_default());
        (!name.is_empty()).then_some(name)
    });
    name.unwrap_or_default()
}

/// The token of an app that gave the password; `None` if there is no room for one more.
fn token_of_app(devices: &mut AppDevices, access: &PageAccess, name: String) -> Option<String> {
    let mut known = devices.devices.iter_mut();
    let known = known.find_map(|device| {
        let salt = device.salt.clone().filter(|_| device.name == name)?;
        Some((device, salt))
    });
    if let Some((device, salt)) = known {
        let token = access.app_token(&salt);
        device.set_token(&token);
        return Some(token);
    }
    if devices.devices.len() >= MAX_DEVICES {
        return None;
    }
    let salt = random_name();
    let token = access.app_token(&salt);
    let mut device = AppDevice::new(random_name(), name, &token, today());
    device.salt = Some(salt);
    devices.devices.push(device);
    Some(token)
}
