//! A document's texts in its reader's language.

use domain::language::Language;
use domain::money::Money;
use domain::payment::Card;
use domain::payment::receipt::{ReceiptFacts, ReceiptLine};
use platform::forms::forms_of;
use platform::texts::text;

use crate::pages::Shown;

/// The text under `receipt.<key>`.
pub(crate) fn say(lang: Language, key: &str, values: &[(&str, &str)]) -> String {
    text(lang, &format!("receipt.{key}"), values)
}

/// Writes an amount of a document as the site does: `£1,259.07`, `₩12,000`, in Spanish, French and German with the symbol behind. A
/// document of before keeps its form, `GBP 1,259.07`. As many decimals as the currency has.
pub(crate) fn write_amount(facts: &ReceiptFacts, amount_minor: u64, shown: &Shown) -> String {
    let amount = Money::new(amount_minor, facts.currency);
    let forms = forms_of(shown.language);
    if shown.has_symbols {
        forms.write_exact_price(amount)
    } else {
        forms.write_books_money(&amount.decimal(), facts.currency.code())
    }
}

/// Writes an amount that went back, below zero.
pub(crate) fn write_returned(facts: &ReceiptFacts, amount_minor: u64, shown: &Shown) -> String {
    let sign = if shown.has_symbols { "−" } else { "-" };
    format!("{sign}{}", write_amount(facts, amount_minor, shown))
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

#[cfg(test)]
mod tests {
    use domain::id::PaymentId;
    use domain::moment::Moment;
    use domain::money::Currency;
    use domain::payment::receipt::ReceiptKind;

    use super::*;
    use crate::pages::Seller;

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

    fn shown(language: Language) -> Shown {
        let seller = Seller {
            name: "Rooms",
            address: "",
            verify_url: String::new(),
        };
        Shown::new(language, &seller, "P-1".to_owned())
    }

    /// Every currency has its symbol and its own number of decimals.
    #[test]
    fn amounts_follow_their_currency() {
        let english = |currency, minor| write_amount(&facts(currency), minor, &shown(Language::En));
        assert_eq!(english(Currency::Gbp, 125_907), "£1,259.07");
        assert_eq!(english(Currency::Krw, 25_907), "₩25,907");
        for currency in Currency::ALL {
            let shown = english(currency, 1);
            let decimals = shown.split_once('.').map_or(0, |(_, rest)| rest.len());
            assert_eq!(decimals, currency.decimals() as usize, "{shown}");
        }
    }

    /// The sign of the decimals, the groups and the unit's place are the language's own.
    #[test]
    fn amounts_follow_their_language() {
        let euros = |lang| write_amount(&facts(Currency::Eur), 123_456_789, &shown(lang));
        assert_eq!(euros(Language::En), "€1,234,567.89");
        assert_eq!(euros(Language::Es), "1.234.567,89\u{a0}€");
        assert_eq!(euros(Language::Fr), "1\u{202f}234\u{202f}567,89\u{a0}€");
        assert_eq!(euros(Language::De), "1.234.567,89\u{a0}€");
        let pounds = |lang| write_amount(&facts(Currency::Gbp), 123_456, &shown(lang));
        assert_eq!(pounds(Language::Es), "1234,56\u{a0}£");
        assert_eq!(pounds(Language::De), "1.234,56\u{a0}£");
        let won = |lang| write_returned(&facts(Currency::Krw), 12_000, &shown(lang));
        assert_eq!(won(Language::Fr), "−12\u{202f}000\u{a0}₩");
    }

    /// Pages of a document that was issued with codes are made again as they were.
    #[test]
    fn documents_of_before_keep_their_codes() {
        let of_before = |lang| Shown {
            has_symbols: false,
            ..shown(lang)
        };
        let pounds = |lang| write_amount(&facts(Currency::Gbp), 123_456, &of_before(lang));
        assert_eq!(pounds(Language::En), "GBP 1,234.56");
        assert_eq!(pounds(Language::Es), "1234,56 GBP");
        let returned = write_returned(&facts(Currency::Krw), 12_000, &of_before(Language::Fr));
        assert_eq!(returned, "-12\u{202f}000 KRW");
    }

    #[test]
    fn card_is_named_as_people_read_it() {
        let card = Card {
            brand: "visa".to_owned(),
            last4: "4242".to_owned(),
        };
        assert_eq!(method(Language::En, Some(&card)), "Visa ending 4242");
        assert_eq!(method(Language::Zh, None), "测试付款，没有银行卡记录");
    }
}
