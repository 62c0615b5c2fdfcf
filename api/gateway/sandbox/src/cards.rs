//! The sandbox's cards (X7): Stripe's published numbers and our own for what Stripe has none.

use domain::payment::decline::DeclineCode;

/// What a card does when it is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardBehaviour {
    Succeeds,
    Declines(DeclineCode),
    /// Asks the payer to prove who they are (3-D Secure).
    Challenges,
    /// Pending first, then paid.
    SettlesLater,
    /// Pending first, then turned down.
    FailsLater,
    /// Paid, then disputed.
    Disputes,
}

/// A test card, as `/dev/sandbox` lists it.
#[derive(Debug, Clone, Copy)]
pub struct TestCard {
    pub number: &'static str,
    pub behaviour: CardBehaviour,
    pub says: &'static str,
}

const fn card(number: &'static str, behaviour: CardBehaviour, says: &'static str) -> TestCard {
    TestCard {
        number,
        behaviour,
        says,
    }
}

pub const CARDS: [TestCard; 13] = [
    card("4242424242424242", CardBehaviour::Succeeds, "pays"),
    card(
        "4000000000000002",
        CardBehaviour::Declines(DeclineCode::GenericDecline),
        "generic_decline",
    ),
    card(
        "4000000000009995",
        CardBehaviour::Declines(DeclineCode::InsufficientFunds),
        "insufficient_funds",
    ),
    card(
        "4000000000000069",
        CardBehaviour::Declines(DeclineCode::ExpiredCard),
        "expired_card",
    ),
    card(
        "4242424242424241",
        CardBehaviour::Declines(DeclineCode::IncorrectNumber),
        "incorrect_number",
    ),
    card(
        "4000002500003155",
        CardBehaviour::Challenges,
        "asks for 3-D Secure",
    ),
    card(
        "4000000000010001",
        CardBehaviour::Declines(DeclineCode::DoNotHonor),
        "do_not_honor",
    ),
    card(
        "4000000000010019",
        CardBehaviour::Declines(DeclineCode::TransactionNotAllowed),
        "transaction_not_allowed",
    ),
    card(
        "4000000000010027",
        CardBehaviour::Declines(DeclineCode::LiveModeTestCard),
        "live_mode_test_card",
    ),
    card(
        "4000000000010035",
        CardBehaviour::Declines(DeclineCode::TestmodeDecline),
        "testmode_decline",
    ),
    card(
        "4000000000010043",
        CardBehaviour::SettlesLater,
        "pending, then paid",
    ),
    card(
        "4000000000010050",
        CardBehaviour::FailsLater,
        "pending, then declined",
    ),
    card("4000000000000259", CardBehaviour::Disputes, "paid, then disputed"),
];

/// What a number does. Numbers that are nobody's test card are real ones or typing mistakes.
pub fn behaviour(number: &str) -> CardBehaviour {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    CARDS
        .iter()
        .find(|card| card.number == digits)
        .map_or_else(|| stranger(&digits), |card| card.behaviour)
}

/// The number as the list of test cards has it; `None` for any other.
pub fn listed(number: &str) -> Option<&'static str> {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    CARDS
        .iter()
        .find(|card| card.number == digits)
        .map(|card| card.number)
}

fn stranger(digits: &str) -> CardBehaviour {
    let plausible = (12..=19).contains(&digits.len()) && checks_out(digits);
    CardBehaviour::Declines(if plausible {
        DeclineCode::TestmodeDecline
    } else {
        DeclineCode::IncorrectNumber
    })
}

/// Brand by first digit, enough for a receipt.
pub fn brand(number: &str) -> &'static str {
    match number.trim_start().as_bytes().first() {
        Some(b'4') => "visa",
        Some(b'5') => "mastercard",
        Some(b'3') => "amex",
        _ => "card",
    }
}

/// The last four digits.
pub fn last4(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(4)..].iter().collect()
}

/// The check digit of card numbers (Luhn).
fn checks_out(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(digit - b'0');
            let doubled = value * 2;
            match (place % 2, doubled > 9) {
                (0, _) => value,
                (_, true) => doubled - 9,
                (_, false) => doubled,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decline_code_of_the_specification_has_a_card() {
        for code in DeclineCode::ALL
            .into_iter()
            .filter(|code| *code != DeclineCode::Other)
        {
            let found = CARDS
                .iter()
                .any(|card| card.behaviour == CardBehaviour::Declines(code));
            assert!(found, "{}", code.code());
        }
    }

    #[test]
    fn our_own_numbers_would_pass_a_browser_s_check() {
        for card in CARDS.iter().filter(|card| card.number != "4242424242424241") {
            assert!(checks_out(card.number), "{}", card.number);
        }
    }

    #[test]
    fn a_real_card_is_not_charged_and_a_mistyped_one_is_called_so() {
        assert_eq!(
            behaviour("5555 5555 5555 4444"),
            CardBehaviour::Declines(DeclineCode::TestmodeDecline)
        );
        assert_eq!(
            behaviour("1234"),
            CardBehaviour::Declines(DeclineCode::IncorrectNumber)
        );
        assert_eq!(behaviour("4242 4242 4242 4242"), CardBehaviour::Succeeds);
        assert_eq!(
            behaviour(""),
            CardBehaviour::Declines(DeclineCode::IncorrectNumber)
        );
    }
}
