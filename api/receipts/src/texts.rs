//! A document's texts in its reader's language.

use domain::language::Language;
use domain::moment::Moment;
use domain::money::Money;
use domain::payment::Card;
use domain::payment::receipt::{ReceiptFacts, ReceiptLine};
use platform::texts::text;

/// The text under `receipt.<key>`.
pub(crate) fn say(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    text(lang, &format!("receipt.{key}"), values)
}

/// An amount with the ISO code of its currency and as many decimals as the currency has, such as `GBP 259.07` and `KRW 12000`.
pub(crate) fn amount(facts: &ReceiptFacts, amount_minor: u64) -> String {
    let money = Money::new(amount_minor, facts.currency);
    format!("{} {}", facts.currency.code(), money.decimal())
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

/// A moment, in UTC, as ISO 8601 writes it for people.
pub(crate) fn moment(at: Moment) -> String {
    format!("{} UTC", at.format("%Y-%m-%d %H:%M"))
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
        assert_eq!(amount(&facts(Currency::Gbp), 25_907), "GBP 259.07");
        assert_eq!(amount(&facts(Currency::Krw), 25_907), "KRW 25907");
        for currency in Currency::ALL {
            let shown = amount(&facts(currency), 1);
            let decimals = shown.split_once('.').map_or(0, |(_, rest)| rest.len());
            assert_eq!(decimals, currency.decimals() as usize, "{shown}");
        }
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
