//! The description of the interfaces: OpenAPI 3.1, as far as it is used here.

use crate::state::LibraryApp;
use axum::routing::MethodRouter;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A path and all that is done at it.
pub(super) struct ApiEndpoint {
    /// As OpenAPI and the router write it, with parameters in braces.
    pub(super) path: &'static str,
    pub(super) route: fn() -> MethodRouter<Arc<LibraryApp>>,
    pub(super) operations: &'static [ApiOperation],
}

/// A method at a path.
pub(super) struct ApiOperation {
    /// In lower case.
    pub(super) method: &'static str,
    pub(super) summary: &'static str,
    pub(super) parameters: &'static [ApiParameter],
    /// The media types of the request's body; none: there is no body.
    pub(super) body: &'static [&'static str],
    /// The media types of an answer with status 200.
    pub(super) kinds: &'static [&'static str],
    /// Other statuses and their reasons.
    pub(super) faults: &'static [(u16, &'static str)],
    /// The media type of faults.
    pub(super) fault_kind: &'static str,
}

/// A parameter of the path or the query.
pub(super) struct ApiParameter {
    pub(super) name: &'static str,
    pub(super) place: ParameterPlace,
    pub(super) about: &'static str,
}

/// The place of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterPlace {
    Path,
    Query,
    /// In the query, where it can be left out.
    OptionalQuery,
}

/// The description of these endpoints.
pub(super) fn document(endpoints: &[ApiEndpoint]) -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let operations = endpoint.operations.iter();
        let operations: Map<String, Value> = operations
            .map(|operation| (operation.method.to_owned(), described(operation)))
            .collect();
        paths.insert(endpoint.path.to_owned(), Value::Object(operations));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "forest serve",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Feeds with whole articles, and the articles of pages.",
        },
        "paths": paths,
    })
}

fn described(operation: &ApiOperation) -> Value {
    let parameters = operation.parameters.iter().map(|parameter| {
        let place = match parameter.place {
            ParameterPlace::Path => "path",
            ParameterPlace::Query | ParameterPlace::OptionalQuery => "query",
        };
        json!({
            "name": parameter.name,
            "in": place,
            "description": parameter.about,
            "required": parameter.place != ParameterPlace::OptionalQuery,
            "schema": { "type": "string" },
        })
    });
    let mut responses = Map::new();
    let found = json!({ "description": "The answer.", "content": content(operation.kinds) });
    responses.insert("200".to_owned(), found);
    for (status, why) in operation.faults {
        let mut fault = json!({ "description": why });
        // An answer that says that nothing has changed has no body.
        if *status >= 400 {
            fault["content"] = content(&[operation.fault_kind]);
        }
        responses.insert(status.to_string(), fault);
    }
    let mut described = json!({
        "summary": operation.summary,
        "parameters": parameters.collect::<Vec<Value>>(),
        "responses": responses,
    });
    if !operation.body.is_empty() {
        described["requestBody"] = json!({ "required": true, "content": content(operation.body) });
    }
    described
}

fn content(kinds: &[&str]) -> Value {
    let kinds = kinds.iter();
    Value::Object(kinds.map(|kind| ((*kind).to_owned(), json!({}))).collect())
}
