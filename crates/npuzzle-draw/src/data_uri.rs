//! Bytes inside a text: data addresses.

/// The address that holds these bytes.
pub(crate) fn data_uri(kind: &str, bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut uri = format!("data:{kind};base64,");
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            uri.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_the_standard_shows() {
        // RFC 4648, section 10.
        let check = |bytes: &str, expect: &str| {
            assert_eq!(data_uri("a/b", bytes.as_bytes()), format!("data:a/b;base64,{expect}"));
        };
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foobar", "Zm9vYmFy");
    }
}
