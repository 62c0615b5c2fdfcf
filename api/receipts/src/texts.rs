//! A document's texts in its reader's language.

use domain::language::Language;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::Card;
use domain::payment::receipt::{ReceiptFacts, ReceiptLine};
use platform::days::{HomeClock, on_clock};
use platform::texts::text;

/// The text under `receipt.<key>`.
pub(crate) fn say(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    text(lang, &format!("receipt.{key}"), values)
}

/// An amount as the language writes it: `GBP 259.07` and `KRW 12000`, in Spanish, French and German `1.234,56 GBP` with the unit
/// behind and `€` for euros. As many decimals as the currency has.
pub(crate) fn amount(facts: &ReceiptFacts, amount_minor: u64, lang: Language) -> String {
    let decimal = Money::new(amount_minor, facts.currency).decimal();
    let code = facts.currency.code();
    let unit = if code == "EUR" { "€" } else { code };
    match lang {
        Language::En | Language::Zh => format!("{code} {decimal}"),
        // Groups of four digits stand together in Spanish.
        Language::Es => format!("{} {unit}", grouped(&decimal, '.', 5)),
        Language::Fr => format!("{} {unit}", grouped(&decimal, ' ', 4)),
        Language::De => format!("{} {unit}", grouped(&decimal, '.', 4)),
    }
}

/// A decimal number with a comma, and its whole part in groups of three where it has at least `from` digits.
fn grouped(decimal: &str, separator: char, from: usize) -> String {
    let (whole, rest) = decimal.split_once('.').unwrap_or((decimal, ""));
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 && whole.len() >= from {
            text.push(separator);
        }
        text.push(digit);
    }
    if !rest.is_empty() {
        text.push(',');
        text.push_str(rest);
    }
    text
}

/// What a line is for.
pub(crate) fn line(lang: Language, line: &ReceiptLine) -> String {
    say(lang, &format!("line_{}", line.kind.name()), &[])
}

/// How it was paid.
pub(crate) fn method(lang: Language, card: Option<&Card>) -> String {
    match card {
        Some(card) => {
            let mut letters = card.brand.chars();
            let first = letters.next().map(|letter| letter.to_uppercase().to_string());
            let brand = first.unwrap_or_default() + letters.as_str();
            say(lang, "method_card", &[("brand", &brand), ("last4", &card.last4)])
        }
        None => say(lang, "method_other", &[]),
    }
}

/// A moment on the home's clock, as the language writes it; in English and Chinese as ISO 8601 writes it for people. A document of
/// before knows no clock and tells it in UTC.
pub(crate) fn moment(at: Moment, lang: Language, clock: Option<&HomeClock>) -> String {
    let format = match lang {
        Language::En | Language::Zh => "%Y-%m-%d %H:%M",
        Language::Es | Language::Fr => "%d/%m/%Y %H:%M",
        Language::De => "%d.%m.%Y, %H:%M",
    };
    let (shown, name) = on_clock(lang, at, clock);
    let shown = shown.format(format);
    match (clock, lang) {
        (None, _) => format!("{shown} {name}"),
        (Some(_), Language::Zh) => format!("{shown}（{name}）"),
        (Some(_), _) => format!("{shown} ({name})"),
    }
}

#[cfg(test)]
mod tests {
    use domain::id::PaymentId;
    use domain::money::Currency;
    use domain::payment::receipt::ReceiptKind;

    use super::*;

    fn facts(currency: Currency) -> ReceiptFacts {
        ReceiptFacts {
            number: "R-2026-0000042".to_owned(),
            kind: ReceiptKind::Receipt,
            payment_id: "00000000-0000-0000-0000-000000000001"
                .parse::<PaymentId>()
                .unwrap(),
            issued_at: Moment::default(),
            receipt_number: None,
            currency,
            lines: Vec::new(),
            total_minor: 25_907,
            charges: Vec::new(),
            refunds: Vec::new(),
        }
    }

    /// Every currency has its ISO code and its own number of decimals.
    #[test]
    fn amounts_follow_their_currency() {
        let english = |currency, minor| amount(&facts(currency), minor, Language::En);
        assert_eq!(english(Currency::Gbp, 25_907), "GBP 259.07");
        assert_eq!(english(Currency::Krw, 25_907), "KRW 25907");
        for currency in Currency::ALL {
            let shown = english(currency, 1);
            let decimals = shown.split_once('.').map_or(0, |(_, rest)| rest.len());
            assert_eq!(decimals, currency.decimals() as usize, "{shown}");
        }
    }

    /// The sign of the decimals, the groups and the unit's place are the language's own.
    #[test]
    fn amounts_follow_their_language() {
        let euros = |lang| amount(&facts(Currency::Eur), 123_456_789, lang);
        assert_eq!(euros(Language::En), "EUR 1234567.89");
        assert_eq!(euros(Language::Es), "1.234.567,89 €");
        assert_eq!(euros(Language::Fr), "1 234 567,89 €");
        assert_eq!(euros(Language::De), "1.234.567,89 €");
        let pounds = |lang| amount(&facts(Currency::Gbp), 123_456, lang);
        assert_eq!(pounds(Language::Es), "1234,56 GBP");
        assert_eq!(pounds(Language::De), "1.234,56 GBP");
        let won = |lang| amount(&facts(Currency::Krw), 12_000, lang);
        assert_eq!(won(Language::Fr), "12 000 KRW");
    }

    #[test]
    fn moments_follow_their_language() {
        let at = "2026-11-05T09:07:00Z".parse::<Moment>().unwrap();
        assert_eq!(moment(at, Language::En, None), "2026-11-05 09:07 UTC");
        assert_eq!(moment(at, Language::Fr, None), "05/11/2026 09:07 UTC");
        assert_eq!(moment(at, Language::De, None), "05.11.2026, 09:07 UTC");
        let clock = HomeClock {
            zone: "Europe/Madrid".to_owned(),
            city: "Madrid".to_owned(),
        };
        let told = |lang| moment(at, lang, Some(&clock));
        assert_eq!(told(Language::Es), "05/11/2026 10:07 (hora de Madrid)");
        assert_eq!(told(Language::Zh), "2026-11-05 10:07（Madrid时间）");
    }

    #[test]
    fn card_is_named_as_people_read_it() {
        let card = Card {
            brand: "visa".to_owned(),
            last4: "4242".to_owned(),
        };
        assert_eq!(method(Language::En, Some(&card)), "Visa, ending in 4242");
        assert_eq!(method(Language::Zh, None), "测试付款，没有银行卡记录");
    }
}
