//! A payment link that a member of staff made for a booking: an instalment of the rent, or another sum that is due by a day
//! (D38, D100).

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::id::UserId;
use crate::moment::Moment;
use crate::money::Currency;
use crate::payment::fee::FeeRate;
use crate::payment::price::{Line, PaymentType, PriceRejection, Quote, quote};
use crate::sealed::Sealed;

/// How long a link is good unless its maker says otherwise (D100).
pub const DEFAULT_DAYS: u16 = 14;

/// The longest time that a link may be good for.
pub const MOST_DAYS: u16 = 90;

/// The largest amount of one link, in dollars' worth of its currency.
const MOST_DOLLARS: u64 = 50_000;

/// What may be asked for by a link. Holding fee and deposit are the booking's own: by a link they would be due twice.
pub const KINDS: [PaymentType; 2] = [PaymentType::Rent, PaymentType::PlatformFee];

/// What a link's payment is opened with, beside its quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkTerms {
    /// The member of staff who made it.
    pub by: UserId,
    /// The day by which it is to be paid; only shown, the link itself ends with the payment's `expires_at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_on: Option<NaiveDate>,
}

/// What the maker of a link wrote: sealed, because it is about a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkWords {
    /// For the payer, shown on the page and in the mail; may be empty.
    pub note: String,
    /// Why the link was made, for colleagues.
    pub reason: String,
}

/// A link as the fold of its payment's events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentLink {
    pub made_at: Moment,
    /// `None` once its payer was forgotten.
    pub words: Option<LinkWords>,
}

impl PaymentLink {
    /// The link as the event that made it tells it.
    pub(super) fn made(at: Moment, words: &Sealed<LinkWords>) -> Self {
        Self {
            made_at: at,
            words: words.get().cloned(),
        }
    }
}

/// The largest amount that a link may ask for, in minor units.
pub const fn most_minor(currency: Currency) -> u64 {
    currency.minor_of_dollars(MOST_DOLLARS)
}

/// The quote of a link: one line of the named amount, with the processing fee.
///
/// # Errors
/// [`PriceRejection::NotDue`] for a type that no link asks for, `TooSmall` and `TooLarge` outside of the bounds, `Uneven` for an amount that
/// cannot be charged to its last digit.
pub fn link_quote(
    currency: Currency,
    kind: PaymentType,
    amount_minor: u64,
    fee_rate: FeeRate,
) -> Result<Quote, PriceRejection> {
    if !KINDS.contains(&kind) {
        return Err(PriceRejection::NotDue(kind.code()));
    }
    if amount_minor > most_minor(currency) {
        return Err(PriceRejection::TooLarge);
    }
    let step_minor = currency.charge_step();
    if !amount_minor.is_multiple_of(step_minor) {
        return Err(PriceRejection::Uneven { step_minor });
    }
    quote(currency, &[Line { kind, amount_minor }], &[], fee_rate)
}
