//! The shape of a property's page.
#![expect(dead_code, reason = "of some only the shape is read, by the document")]

use chrono::NaiveDate;
use http_kit::contract::price::Price;
use http_kit::contract::words::{FlowWord, HomeStateWord, PaymentTypeWord, RegionTypeWord};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shop::contract::catalogue::{Faq, InventoryCard, Offer, PriceTrend, Region, Travel};
use shop::inventories::photos::{Photo, Recording};
use shop::inventories::rooms::RoomType;
use utoipa::ToSchema;
use uuid::Uuid;

/// `/places/{name}`.
#[derive(Serialize, ToSchema)]
pub struct PropertyPage {
    pub id: Uuid,
    pub name: String,
    pub canonical_name: String,
    pub available: bool,
    pub bookable: bool,
    #[schema(value_type = HomeStateWord)]
    pub state: &'static str,
    /// The day from which a paused home is let again, where one is known.
    pub reopens_on: Option<NaiveDate>,
    #[schema(value_type = FlowWord)]
    pub flow: &'static str,
    pub address: String,
    /// Null where nobody said a point, like `lng`.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    pub description: String,
    /// Texts of the page that are not there in the reader's language (D132), each with its own.
    pub foreign_texts: Vec<ForeignText>,
    pub provider_checked_on: Option<NaiveDate>,
    #[schema(value_type = Region)]
    pub region: Option<Value>,
    #[schema(value_type = Vec<Breadcrumb>)]
    pub breadcrumbs: Vec<Value>,
    /// From how much; null where no lease has a price.
    #[schema(value_type = Option<Price>)]
    pub price: Option<search_index::item::Price>,
    #[schema(value_type = Vec<PropertyImage>)]
    pub images: Vec<Value>,
    /// Photos of the home, then those of its room types.
    pub photos: Vec<Photo>,
    pub plans: Vec<Photo>,
    pub recordings: Vec<Recording>,
    #[schema(value_type = Vec<Fact>)]
    pub facts: Vec<Value>,
    #[schema(value_type = Vec<PropertyFeature>)]
    pub features: Vec<Value>,
    pub room_types: Vec<RoomType>,
    #[schema(value_type = Vec<Offer>)]
    pub offers: Vec<Value>,
    #[schema(value_type = Reviews)]
    pub reviews: Value,
    #[schema(value_type = Vec<PriceTrend>)]
    pub price_trends: Vec<Value>,
    pub view_count: Option<String>,
    pub nearby: PropertyNearby,
    #[schema(value_type = Vec<Faq>)]
    pub faqs: Vec<Value>,
    #[schema(value_type = Vec<InventoryCard>)]
    pub similar: Vec<Box<RawValue>>,
    #[schema(value_type = Vec<DueLine>)]
    pub payment_summary: Vec<Value>,
    /// Percentage that is added for processing it: `3.627`, or `0` where nothing is.
    pub processing_fee_percent: String,
}

/// One step of the way to a page.
#[derive(ToSchema)]
pub struct Breadcrumb {
    name: String,
    href: String,
}

/// A picture of the gallery.
#[derive(ToSchema)]
pub struct PropertyImage {
    path: String,
    caption: String,
    kind: String,
}

/// One of the few facts that decide.
#[derive(ToSchema)]
pub struct Fact {
    icon: String,
    title: String,
    detail: String,
}

/// An amenity with its group, in the reader's language.
#[derive(ToSchema)]
pub struct PropertyFeature {
    group: String,
    key: String,
    name: String,
}

/// Ratings and what residents wrote.
#[derive(ToSchema)]
pub struct Reviews {
    count: u32,
    rating: Option<f64>,
    parts: Vec<RatingPart>,
    items: Vec<Review>,
}

/// The mean of one aspect.
#[derive(ToSchema)]
pub struct RatingPart {
    name: String,
    rating: f64,
}

/// Review by a resident.
#[derive(ToSchema)]
pub struct Review {
    author: String,
    course: Option<String>,
    rating: u8,
    stayed: String,
    text: String,
}

/// A text, as the page has it, in another language than the reader's.
#[derive(Serialize, ToSchema)]
pub struct ForeignText {
    pub text: String,
    /// A tag for `lang`: `en`.
    pub lang: String,
}

/// Universities and places around a property.
#[derive(Serialize, ToSchema)]
pub struct PropertyNearby {
    #[schema(value_type = Vec<NearUniversity>)]
    pub universities: Vec<Value>,
    #[schema(value_type = Vec<NearPlace>)]
    pub places: Vec<Value>,
}

/// A university with the ways to it.
#[derive(ToSchema)]
pub struct NearUniversity {
    id: Uuid,
    name: String,
    canonical_name: String,
    region_type: RegionTypeWord,
    lat: f64,
    lng: f64,
    homes: u64,
    distance_m: Option<f64>,
    walking: Travel,
    driving: Travel,
    /// Null: no timetable is known.
    transit: Option<Travel>,
}

/// Place that daily life needs.
#[derive(ToSchema)]
pub struct NearPlace {
    kind: String,
    name: String,
    walking: Travel,
}

/// Part of the price that is due before the stay.
#[derive(ToSchema)]
pub struct DueLine {
    #[schema(rename = "type")]
    kind: PaymentTypeWord,
    amount: Price,
    /// The house's default, which is no term of the home: it names no deposit of its own.
    is_default: bool,
}
