//! Digits of any script as the digits 0 to 9, for what people paste.

/// The zeros of the decimal digits that keyboards write; nine more follow each (Unicode, category Nd).
const ZEROS: [u32; 18] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x17E0, 0xFF10,
];

/// Digits of a one-time code.
const CODE_LENGTH: usize = 6;

/// The ASCII digit that a digit of another script stands for; every other character stays.
pub fn plain(c: char) -> char {
    let value = ZEROS.iter().find_map(|zero| {
        let value = u32::from(c).checked_sub(*zero)?;
        (value < 10).then_some(value)
    });
    value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// The one-time code in a pasted text: its first six digits that stand together, apart from spaces and dashes between them;
/// else all of its digits.
pub fn one_time_code(text: &str) -> String {
    let mut groups = vec![String::new()];
    let mut all = String::new();
    for c in text.chars().map(plain) {
        if c.is_ascii_digit() {
            all.push(c);
            if let Some(group) = groups.last_mut() {
                group.push(c);
            }
        } else if !(c.is_whitespace() || super::is_unseen(c) || is_dash(c)) {
            groups.push(String::new());
        }
    }
    let code = groups.into_iter().find(|group| group.len() == CODE_LENGTH);
    code.unwrap_or(all)
}

const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FF0D}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_code_keeps_its_six_digits() {
        for pasted in [
            "123456",
            " 123 456 ",
            "123-456",
            "123\u{2011}456",
            "１２３４５６",
            "١٢٣٤٥٦",
            "Your code is 123 456. It is good for 10 minutes",
        ] {
            assert_eq!(one_time_code(pasted), "123456", "{pasted:?}");
        }
        assert_eq!(one_time_code("1234567"), "1234567");
        assert_eq!(one_time_code("12a34"), "1234");
    }
}
