//! The HTTP message in a response record: its header, and its body in one piece.

/// Bytes of an HTTP header at most; servers refuse and clients cut earlier.
pub(super) const MAX_HEADER_BYTES: usize = 256 * 1024;

/// Status and fields.
#[derive(Debug)]
pub(super) struct HttpHead {
    pub status: u16,
    fields: Vec<(String, String)>,
}

impl HttpHead {
    /// The first field with the (lower case) name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(known, _)| known == name)?;
        Some(value)
    }
}

/// Bytes of a head that is written anew, at the most: fields beyond are left out.
const MAX_NEW_HEAD_BYTES: usize = 64_000;

/// Fields that describe a body as it was sent.
const OF_TRANSPORT: [&str; 3] = ["content-length", "content-encoding", "transfer-encoding"];

impl HttpHead {
    /// Returns true if it names a coding of the body.
    pub(super) fn has_codings(&self) -> bool {
        let codings = ["content-encoding", "transfer-encoding"];
        codings.iter().any(|name| self.get(name).is_some())
    }

    /// The head for a payload of so many bytes whose codings were undone. What it said of
    /// these stands under another name; cookies are left out, which may be secrets.
    pub(super) fn of_payload(&self, bytes: usize) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {:03}\r\nContent-Length: {bytes}\r\n", self.status);
        for (name, value) in &self.fields {
            let is_line = |text: &str| !text.contains(char::is_control);
            if name == "set-cookie" || !is_line(name) || !is_line(value) {
                continue;
            }
            let before = if OF_TRANSPORT.contains(&name.as_str()) {
                "X-Archive-Orig-"
            } else {
                ""
            };
            let line = format!("{before}{name}: {value}\r\n");
            if head.len() + line.len() <= MAX_NEW_HEAD_BYTES {
                head.push_str(&line);
            }
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}

/// The head of a page that did not come by HTTP.
pub(super) fn head_of_file(content_type: &str, bytes: usize) -> Vec<u8> {
    let kind = content_type.replace(|c: char| c.is_control(), " ");
    format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\nContent-Type: {kind}\r\n\r\n")
        .into_bytes()
}

/// Head and body of a message; `None` if it is no HTTP.
pub(super) fn split(block: &[u8]) -> Option<(HttpHead, &[u8])> {
    let mut rest = block;
    let mut lines = Vec::new();
    loop {
        let head_bytes = block.len() - rest.len();
        let end = rest.iter().position(|&byte| byte == b'\n');
        let (line, next) = match end {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, &rest[rest.len()..]),
        };
        if head_bytes > MAX_HEADER_BYTES {
            return None;
        }
        rest = next;
        let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let mut lines = lines.into_iter();
    let first = lines.next()?;
    let mut words = first.split_ascii_whitespace();
    if !words.next()?.to_ascii_uppercase().starts_with("HTTP/") {
        return None;
    }
    let status = words.next()?.parse().ok()?;
    let fields = lines
        .filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect();
    Some((HttpHead { status, fields }, rest))
}

/// The body with its transfer coding undone.
pub(super) fn join_chunks(head: &HttpHead, body: &[u8]) -> Vec<u8> {
    let chunked = head
        .get("transfer-encoding")
        .is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked"));
    let joined = chunked.then(|| unchunk(body)).flatten();
    joined.unwrap_or_else(|| body.to_vec())
}

/// Joins the chunks of a body; `None` where it does not begin with a chunk. A
/// body that ends early gives the chunks that are there.
fn unchunk(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((size, after)) = chunk_size(rest) {
        if size == 0 {
            return Some(out);
        }
        let (chunk, next) = after.split_at(size.min(after.len()));
        out.extend_from_slice(chunk);
        rest = next
            .strip_prefix(b"\r\n")
            .or(next.strip_prefix(b"\n"))
            .unwrap_or(next);
    }
    (!out.is_empty()).then_some(out)
}

/// The size in a chunk's first line, and what follows the line.
fn chunk_size(body: &[u8]) -> Option<(usize, &[u8])> {
    // Sixteen digits and an extension; longer lines are no chunk's.
    let end = body.iter().take(256).position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&body[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let size = usize::from_str_radix(digits, 16).ok()?;
    Some((size, &body[end + 1..]))
}
