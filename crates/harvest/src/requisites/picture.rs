//! Tells pictures and fonts by their bytes.

/// The file extension of a picture: its `Content-Type` says that it is a picture, and its
/// first bytes say which. `None`: it is no picture that browsers show.
pub fn extension(content_type: Option<&str>, bytes: &[u8]) -> Option<&'static str> {
    let essence = content_type?.split(';').next()?.trim().to_ascii_lowercase();
    let subtype = essence.strip_prefix("image/")?;
    match subtype {
        "svg+xml" => is_svg(bytes).then_some("svg"),
        _ => raster(bytes),
    }
}

/// The media type of a picture by the [extension] of its file. An SVG is one that runs no
/// script where it is shown as a picture.
pub fn picture_type(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "jpg" => "image/jpeg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "webp" => "image/webp",
        _ => return None,
    })
}

/// The signatures of the MIME Sniffing standard, and AVIF's.
fn raster(bytes: &[u8]) -> Option<&'static str> {
    let begins = |signature: &[u8]| bytes.starts_with(signature);
    match bytes {
        _ if begins(b"\xFF\xD8\xFF") => Some("jpg"),
        _ if begins(b"\x89PNG\r\n\x1A\n") => Some("png"),
        _ if begins(b"GIF87a") || begins(b"GIF89a") => Some("gif"),
        _ if begins(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("webp"),
        _ if begins(b"BM") => Some("bmp"),
        _ if begins(b"\0\0\x01\0") => Some("ico"),
        _ => match (bytes.get(4..8), bytes.get(8..12)) {
            (Some(b"ftyp"), Some(b"avif" | b"avis")) => Some("avif"),
            _ => None,
        },
    }
}

/// Bytes in which the root element of an SVG stands: licences are long.
const ROOT_WITHIN: usize = 4096;

fn is_svg(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(ROOT_WITHIN)];
    let is_text = !head.contains(&0);
    is_text
        && head
            .windows(4)
            .any(|four| four.eq_ignore_ascii_case(b"<svg"))
}

/// The file extension of a font, by its first bytes.
pub(super) fn font(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(..4)? {
        b"wOF2" => Some("woff2"),
        b"wOFF" => Some("woff"),
        b"OTTO" => Some("otf"),
        b"\0\x01\0\0" | b"true" => Some("ttf"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_bytes_must_agree_that_it_is_a_picture() {
        let check = |content_type: &str, bytes: &[u8], expected: Option<&str>| {
            assert_eq!(
                extension(Some(content_type), bytes),
                expected,
                "{content_type}"
            );
            assert_eq!(
                expected.and_then(picture_type).is_some(),
                expected.is_some()
            );
        };
        let png = b"\x89PNG\r\n\x1A\n....";
        check("image/png", png, Some("png"));
        // A server's mistake about which one it is.
        check("image/jpeg; charset=x", png, Some("png"));
        check("IMAGE/JPEG", b"\xFF\xD8\xFF\xE0", Some("jpg"));
        check("image/webp", b"RIFF....WEBPVP8 ", Some("webp"));
        check("image/avif", b"\0\0\0\x1cftypavif", Some("avif"));
        check("image/gif", b"GIF89a", Some("gif"));
        check("text/html", png, None);
        check("image/png", b"<html><script>", None);
        check("image/png", b"<svg>", None);
        check(
            "image/svg+xml",
            b"<?xml version='1.0'?><!-- a --><svg>",
            Some("svg"),
        );
        check("image/svg+xml", b"<html>", None);
        check("image/png", b"", None);
        assert_eq!(extension(None, png), None);
    }

    #[test]
    fn fonts() {
        assert_eq!(font(b"wOF2...."), Some("woff2"));
        assert_eq!(font(b"<html>"), None);
        assert_eq!(font(b""), None);
    }
}
