//! The header of a record: named fields in a WARC, one line in an ARC.

use super::date::read_date;
use chrono::SecondsFormat;

/// Bytes that show where a record begins: a version and the next line, or the line of an
/// ARC, whose longest part is an address.
pub(super) const START_BYTES: usize = 4096;

/// A record's header.
#[derive(Debug, Default)]
pub(super) struct RecordHeader {
    /// The line of its version; empty for an ARC.
    version: String,
    /// Names as they are written, in their order.
    fields: Vec<(String, String)>,
    /// Bytes of the block, as it states; `None` if it states no number.
    pub length: Option<u64>,
    /// Lines are there that are no fields.
    pub has_odd_lines: bool,
}

impl RecordHeader {
    /// Reads the lines of a WARC record's header, the one of the version first.
    pub(super) fn parse(lines: &[u8]) -> RecordHeader {
        let text = String::from_utf8_lossy(lines);
        let mut header = RecordHeader::default();
        let fields = &mut header.fields;
        let first = text.lines().next().unwrap_or_default();
        header.version = first.trim().to_owned();
        for line in text.lines().skip(1).filter(|line| !line.trim().is_empty()) {
            let field = line.split_once(':');
            match (fields.last_mut(), field) {
                (Some((_, value)), _) if line.starts_with([' ', '\t']) => {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(line.trim());
                }
                (_, Some((name, value))) => {
                    fields.push((name.trim().to_owned(), value.trim().to_owned()));
                }
                (_, None) => header.has_odd_lines = true,
            }
        }
        header.length = header.get("content-length").and_then(|n| n.parse().ok());
        header
    }

    /// Reads the line before an ARC record as the header of a WARC one: address, server,
    /// date, type, in version 2 five more fields, and the length. The address may have spaces.
    pub(super) fn parse_arc(line: &[u8]) -> Option<RecordHeader> {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.trim().split(' ').collect();
        let length = words.last()?.parse().ok()?;
        let is_date = |word: &&str| {
            matches!(word.len(), 12 | 14 | 17) && word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (before, behind) = words.split_at(words.len() - 1);
        let place = before.iter().rposition(is_date)?;
        let kind = *behind
            .first()
            .filter(|_| place + 1 < before.len())
            .map(|_| &before[place + 1])?;
        let (url, server) = before[..place].split_at_checked(place.checked_sub(1)?)?;
        let url = url.join(" ");
        let is_server =
            |server: &str| server == "-" || server.contains(['.', ':']) && !server.contains('/');
        if !server.iter().all(|server| is_server(server)) || scheme(&url).is_none() {
            return None;
        }
        let is_web = matches!(scheme(&url).as_deref(), Some("http" | "https"));
        let is_first = url.starts_with("filedesc:");
        let date =
            read_date(before[place]).map(|date| date.to_rfc3339_opts(SecondsFormat::AutoSi, true));
        let name = url.strip_prefix("filedesc://").filter(|_| is_first);
        let about = name.map_or(("WARC-Target-URI", &*url), |name| ("WARC-Filename", name));
        let is_address = |server: &&str| server.parse::<std::net::IpAddr>().is_ok();
        let address = server.first().copied().filter(is_address);
        let fields = [
            ("WARC-Type", if is_first { "warcinfo" } else { "response" }),
            about,
            ("WARC-Date", date.as_deref().unwrap_or_default()),
            (
                "WARC-IP-Address",
                address.filter(|_| !is_first).unwrap_or_default(),
            ),
            (
                "Content-Type",
                if is_web {
                    "application/http; msgtype=response"
                } else {
                    kind
                },
            ),
        ];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        Some(RecordHeader {
            version: String::new(),
            fields: fields
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            length: Some(length),
            has_odd_lines: false,
        })
    }

    /// The first field with the name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let is_named = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        Some(&self.fields.iter().find(is_named)?.1)
    }

    /// The address in the field with the name, without the angle brackets of WARC 1.0 and of
    /// ids; empty where there is none.
    pub(super) fn address(&self, name: &str) -> &str {
        let address = self.get(name).unwrap_or_default();
        address.trim_start_matches('<').trim_end_matches('>')
    }

    /// The line of its version; `None` for an ARC.
    pub(super) fn version(&self) -> Option<&str> {
        Some(self.version.as_str()).filter(|version| !version.is_empty())
    }

    /// All fields, with their names as they are written.
    pub(super) fn into_fields(self) -> Vec<(String, String)> {
        self.fields
    }
}

/// The scheme of an address, in lower case.
pub(super) fn scheme(url: &str) -> Option<String> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-".contains(&byte));
    is_scheme.then(|| scheme.to_ascii_lowercase())
}

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArchiveFormat {
    /// `WARC/1.0` and fields.
    Warc,
    /// `URL IP date type length`, before 2009.
    Arc,
}

impl ArchiveFormat {
    /// The format of an archive by its beginning, of which [`START_BYTES`] are enough.
    pub(super) fn of(start: &[u8]) -> Option<ArchiveFormat> {
        let both = [ArchiveFormat::Warc, ArchiveFormat::Arc];
        both.into_iter().find(|format| format.begins(start))
    }

    /// Returns true if a record begins here, where one should.
    pub(super) fn begins(self, bytes: &[u8]) -> bool {
        match self {
            ArchiveFormat::Warc => bytes.starts_with(b"WARC/"),
            ArchiveFormat::Arc => self.begins_surely(bytes),
        }
    }

    /// Returns true if these bytes are a record's beginning anywhere, also in a text about the
    /// format.
    pub(super) fn begins_surely(self, bytes: &[u8]) -> bool {
        match self {
            ArchiveFormat::Warc => after_version(bytes).is_some_and(|next| {
                let end = next.iter().position(|&byte| !is_of_name(byte));
                let (name, rest) = next.split_at(end.unwrap_or(next.len()));
                let name = name.to_ascii_lowercase();
                rest.starts_with(b":")
                    && (name.starts_with(b"warc-") || name.starts_with(b"content-"))
            }),
            ArchiveFormat::Arc => {
                let bytes = &bytes[..bytes.len().min(START_BYTES)];
                let end = bytes.iter().position(|&byte| byte == b'\n');
                // Cheap, as it is asked of each line of a text.
                bytes.iter().take(16).any(|&byte| byte == b':')
                    && end.is_some_and(|end| RecordHeader::parse_arc(&bytes[..end]).is_some())
            }
        }
    }

    /// Returns true if a member that begins so begins with a record.
    pub(super) fn begins_member(self, bytes: &[u8]) -> bool {
        match self {
            ArchiveFormat::Warc => after_version(bytes).is_some(),
            ArchiveFormat::Arc => self.begins_surely(bytes),
        }
    }
}

/// The bytes behind the line of the version.
fn after_version(bytes: &[u8]) -> Option<&[u8]> {
    let version = bytes.strip_prefix(b"WARC/")?;
    let end = version.iter().take(16).position(|&byte| byte == b'\n')?;
    let digits = version[..end].trim_ascii_end();
    let is_version = !digits.is_empty() && digits.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    is_version.then(|| &version[end + 1..])
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
