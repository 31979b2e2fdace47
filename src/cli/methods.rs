//! The option `--method`.

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use forest_core::learn::Method;
use forest_text::pipeline::{AnyMethod, MAX_BYTES, Pipeline};
use std::ffi::OsStr;
use std::io::{ErrorKind as IoError, Read};

/// The methods in the help and the completions of a command. The others are parsed, too, so
/// that the command can name the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Methods {
    All,
    Learning,
    PageByPage,
}

impl Methods {
    fn has(self, method: &AnyMethod) -> bool {
        match self {
            Methods::All => true,
            Methods::Learning => method.learns(),
            Methods::PageByPage => !method.learns(),
        }
    }
}

impl TypedValueParser for Methods {
    type Value = AnyMethod;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<AnyMethod, Error> {
        let name = value
            .to_str()
            .ok_or_else(|| anyhow!("--method: not Unicode"));
        name.and_then(method).map_err(|e| {
            let message = format!("--method: {e:#}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let offered = AnyMethod::all().filter(|method| self.has(method));
        Some(Box::new(offered.map(|method| {
            let also = match &method {
                AnyMethod::OnePage(preset) => preset.other_names(),
                _ => &[],
            };
            PossibleValue::new(method.to_string()).aliases(also.iter().copied())
        })))
    }
}

/// The method of a name, pipelines in files included.
///
/// # Errors
///
/// If there is no such method, or the file has no pipeline.
pub fn method(name: &str) -> anyhow::Result<AnyMethod> {
    let unknown = match name.parse::<AnyMethod>() {
        Ok(method) => return Ok(method),
        Err(unknown) => unknown,
    };
    let Some(path) = Pipeline::name_in(name) else {
        bail!("{unknown}, pipeline:FILE");
    };
    let text = read(path)?;
    let pipeline = Pipeline::parse(path, &text).with_context(|| path.to_owned())?;
    Ok(AnyMethod::Pipeline(pipeline))
}

/// The method to learn a site by; `forest` if none is given.
///
/// # Errors
///
/// If it is a one-page method.
pub fn of_site(given: Option<&AnyMethod>) -> anyhow::Result<Method> {
    let Some(method) = given else {
        return Ok(Method::default());
    };
    method.of_site().with_context(|| {
        format!(
            "method {method} looks at one page at a time and learns no wrapper: \
             use it with `apply --method {method}`"
        )
    })
}

fn read(path: &str) -> anyhow::Result<String> {
    let shown = || format!("cannot read the pipeline {path}");
    let file = match std::fs::File::open(path) {
        Err(e) if e.kind() == IoError::NotFound => {
            let shipped = Pipeline::SHIPPED.map(|(name, _)| name).join(", ");
            bail!(
                "no file {path}, and no pipeline of this name comes with forest; known: {shipped}"
            )
        }
        opened => opened.with_context(shown)?,
    };
    let mut text = String::new();
    // One byte more than the limit: the parser then reports a file that is too long.
    let mut bounded = file.take(MAX_BYTES as u64 + 1);
    bounded.read_to_string(&mut text).with_context(shown)?;
    Ok(text)
}
