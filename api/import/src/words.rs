//! The words of feeds for currencies, periods and kinds of rooms.

use domain::money::Currency;

/// The time that a price is for.
#[derive(Clone, Copy)]
pub(super) enum Per {
    Night,
    Week,
    Month,
}

pub(super) fn per_of(text: &str) -> Option<Per> {
    match text.to_ascii_lowercase().as_str() {
        "night" | "nightly" => Some(Per::Night),
        "week" | "weekly" => Some(Per::Week),
        "month" | "monthly" => Some(Per::Month),
        _ => None,
    }
}

/// ISO codes, and the words that feeds of the market carry (D35).
pub(super) fn currency_of(text: &str) -> Option<Currency> {
    Currency::from_code(text).or(match text.to_ascii_lowercase().as_str() {
        "pound" | "pounds" => Some(Currency::Gbp),
        "euro" | "euros" => Some(Currency::Eur),
        "dollar" | "dollars" => Some(Currency::Usd),
        _ => None,
    })
}

/// Kinds of rooms that feeds name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Whole,
    Studio,
    Ensuite,
    Private,
    Shared,
    Hotel,
}

pub(super) fn kind_of(text: &str) -> Option<Kind> {
    match text.to_ascii_lowercase().as_str() {
        "entire home/apt" | "entire place" | "entire" => Some(Kind::Whole),
        "studio" | "studio flat" => Some(Kind::Studio),
        "ensuite" | "en-suite" | "en suite" | "ensuite room" => Some(Kind::Ensuite),
        "private room" | "private" => Some(Kind::Private),
        "shared room" | "shared" => Some(Kind::Shared),
        "hotel room" | "hotel" => Some(Kind::Hotel),
        _ => None,
    }
}
