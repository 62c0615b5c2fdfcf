//! The shape of a price in the document.
#![expect(dead_code, reason = "only the shape is read, by the document")]

use utoipa::ToSchema;

use super::words::PeriodWord;

/// A price as cards and pages show it: never without currency and period.
#[derive(ToSchema)]
#[schema(example = json!({ "amount_minor": 21500, "currency": "GBP", "symbol": "£", "decimals": 2, "duration": "weekly" }))]
pub struct Price {
    amount_minor: u64,
    currency: String,
    symbol: String,
    decimals: u32,
    duration: PeriodWord,
}
