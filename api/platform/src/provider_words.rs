//! Bounds the words of providers before they are written down: in log lines, in events, on pages of staff. A provider may repeat what it
//! was sent, or what a payer typed into its form.

/// Letters of one message at most.
const LETTERS_MAX: usize = 200;
/// Digits of a phone number at least.
const PHONE_DIGITS: usize = 7;
/// Digits of a card's number at least, also behind letters.
const CARD_DIGITS: usize = 12;
/// Marks with which numbers are written.
const MARKS: &str = "+-().,;:/'\"";
/// Beginnings of keys.
const KEYS: [&str; 3] = ["sk_", "rk_", "whsec_"];
/// Stands within the secret with which a browser pays.
const SECRET: &str = "_secret_";
/// Stands for each word that is left out.
const LEFT_OUT: &str = "…";

/// Writes a provider's message in one line of bounded length, without e-mail addresses, secrets, and numbers of phones and cards.
pub fn bound_provider_words(said: &str) -> String {
    let said = said.replace(char::is_control, " ");
    let (mut words, mut number) = (Vec::new(), Vec::new());
    for word in said.split_whitespace() {
        if is_number(word) {
            number.push(word);
            continue;
        }
        end_number(&mut words, &mut number);
        words.push(if is_personal(word) { LEFT_OUT } else { word });
    }
    end_number(&mut words, &mut number);
    let line = words.join(" ");
    if line.chars().count() <= LETTERS_MAX {
        return line;
    }
    let cut: String = line.chars().take(LETTERS_MAX).collect();
    format!("{cut}{LEFT_OUT}")
}

/// Whether a word is a part of a number, which may be written in several.
fn is_number(word: &str) -> bool {
    word.chars()
        .all(|letter| letter.is_numeric() || MARKS.contains(letter))
}

/// Takes the words of a number over, or leaves them out where they are a phone's or a card's.
fn end_number<'w>(words: &mut Vec<&'w str>, number: &mut Vec<&'w str>) {
    let letters = number.iter().flat_map(|word| word.chars());
    if letters.filter(|letter| letter.is_numeric()).count() >= PHONE_DIGITS {
        number.clear();
        words.push(LEFT_OUT);
    }
    words.append(number);
}

fn is_personal(word: &str) -> bool {
    word.contains(['@', '＠']) || holds_secret(word) || has_long_number(word)
}

fn holds_secret(word: &str) -> bool {
    let mut parts = word.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.any(|part| part.contains(SECRET) || KEYS.iter().any(|key| part.starts_with(key)))
}

/// Whether a phone's number stands in a word, or a card's: digits of an id follow a letter or a low line.
fn has_long_number(word: &str) -> bool {
    let (mut digits, mut is_apart) = (0, true);
    for letter in word.chars() {
        if letter.is_numeric() {
            digits += 1;
            if digits >= CARD_DIGITS || (is_apart && digits >= PHONE_DIGITS) {
                return true;
            }
        } else {
            digits = 0;
            is_apart = !letter.is_alphanumeric() && letter != '_';
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_secrets_are_left_out_of_a_message() {
        for (said, written) in [
            ("No such refund: re_3NX1234567", "No such refund: re_3NX1234567"),
            (
                "Amount must be at least 30 pence",
                "Amount must be at least 30 pence",
            ),
            (
                "Customer mei.lin+1@example.com is blocked",
                "Customer … is blocked",
            ),
            ("Call +44 (0) 7700 900-123 now", "Call … now"),
            ("Card 4242 4242 4242 4242 was declined.", "Card … was declined."),
            ("number=4242424242424242", "…"),
            ("card4242424242424242", "…"),
            ("tel:7700900123", "…"),
            ("Invalid API Key: sk_live_abc", "Invalid API Key: …"),
            ("key=rk_test_abc, risk_level", "… risk_level"),
            ("pi_1_secret_2 was used", "… was used"),
            ("two\nlines\r\n\tand\u{0}more", "two lines and more"),
            ("", ""),
        ] {
            assert_eq!(bound_provider_words(said), written, "{said}");
        }
    }

    #[test]
    fn long_messages_are_cut_after_they_are_cleaned() {
        let page = "a word ".repeat(1_000) + "mei@example.com";
        let written = bound_provider_words(&page);
        assert_eq!(written.chars().count(), LETTERS_MAX + 1);
        let late = "4242 ".repeat(1_000) + "is refused";
        assert_eq!(bound_provider_words(&late), "… is refused");
    }
}
