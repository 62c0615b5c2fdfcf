//! The shapes of the catalogue's answers. Search results are put together from pieces written when a property last
//! changed, and `only`, `except` and `methods` choose among fields, so no struct of ours is serialised there: these say
//! what comes out, and every story holds the real answers against them.
#![expect(dead_code, reason = "only the shape is read, by the document")]

use std::borrow::Cow;

use chrono::NaiveDate;
use http_kit::contract::price::Price;
use http_kit::contract::words::{
    ConfigurationWord, CountryWord, FlowWord, GuarantorWord, HomeStateWord, InventoryStatusWord,
    OfferKindWord, PeriodWord, PropertyKindWord, RegionStateWord, RegionTypeWord, SubtypeWord, TagWord,
};
use serde::Serialize;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::inventories::photos::Photo;
use crate::inventories::rooms::Image;
use crate::search::ShownFacets;

/// A point on earth.
#[derive(ToSchema)]
pub struct Coordinates {
    lat: f64,
    lng: f64,
}

/// The rectangle around a region.
#[derive(ToSchema)]
pub struct Bounds {
    southwest: Coordinates,
    northeast: Coordinates,
}

/// A way and how long it takes.
#[derive(ToSchema)]
pub struct Travel {
    distance_m: u32,
    duration_s: u32,
}

/// A region named in passing.
#[derive(ToSchema)]
pub struct RegionName {
    id: Uuid,
    name: String,
    canonical_name: String,
}

/// One of the regions above another.
#[derive(ToSchema)]
pub struct Ancestor {
    id: Uuid,
    name: String,
    canonical_name: String,
    region_type: RegionTypeWord,
}

/// Where a region lies.
#[derive(ToSchema)]
pub struct RegionLocation {
    country: String,
    country_key: CountryWord,
    locality: Option<String>,
    coordinates: RegionCoordinates,
}

/// A region's middle and its rectangle.
#[derive(ToSchema)]
pub struct RegionCoordinates {
    location_coordinates: Coordinates,
    location_bounds: Bounds,
}

/// A region with all its usual fields.
#[derive(ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub struct Region {
    id: Uuid,
    name: String,
    canonical_name: String,
    region_type: RegionTypeWord,
    subtype: Option<SubtypeWord>,
    state: RegionStateWord,
    parent_id: Option<Uuid>,
    parent_name: Option<String>,
    parent_canonical_name: Option<String>,
    redirect_canonical_name: Option<String>,
    location: RegionLocation,
    ancestors: Vec<Ancestor>,
    period: PeriodWord,
    currency: String,
    #[schema(value_type = Vec<f64>, min_items = 2, max_items = 2)]
    budget_range: Vec<u32>,
    homes: u64,
    time_zone: Option<String>,
}

/// A region with the fields that `only` left and `methods` added: those of [`Region`] and these.
#[derive(ToSchema)]
pub struct RegionFields {
    ancestors_short: Vec<Ancestor>,
    root_name: Option<String>,
    stories: Vec<String>,
    region_inventory_price_range: Option<PriceRange>,
    application_configs: ApplicationConfigs,
    meta: RegionMeta,
    faqs: Vec<Faq>,
}

/// A kind of room with the fields that `only` left: those of `RoomType`.
#[derive(ToSchema)]
pub struct RoomTypeFields {
    id: String,
}

/// Name and texts of a region's page.
#[derive(ToSchema)]
pub struct RegionMeta {
    title: String,
    meta: String,
    keywords: String,
}

/// The cheapest and the dearest starting price of a region.
#[derive(ToSchema)]
pub struct PriceRange {
    min: Price,
    max: Price,
}

/// How rooms are taken in a region.
#[derive(ToSchema)]
pub struct ApplicationConfigs {
    flow: FlowWord,
}

/// A region as a link.
#[derive(ToSchema)]
pub struct RegionLink {
    id: Uuid,
    name: String,
    canonical_name: String,
    region_type: RegionTypeWord,
    lat: f64,
    lng: f64,
    homes: u64,
    distance_m: Option<f64>,
}

/// Places around a place.
#[derive(ToSchema)]
pub struct Nearby {
    cities: Vec<RegionLink>,
    areas: Vec<RegionLink>,
    universities: Vec<RegionLink>,
    inventories: Vec<InventoryCard>,
}

/// A badge that a property has today (D59).
pub struct Badge;

impl PartialSchema for Badge {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .item(Ref::from_schema_name(PlainBadge::name()))
            .item(Ref::from_schema_name(CashbackBadge::name()))
            .into()
    }
}

impl ToSchema for Badge {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Badge")
    }

    fn schemas(known: &mut Vec<(String, RefOr<Schema>)>) {
        known.push((PlainBadge::name().into_owned(), PlainBadge::schema()));
        PlainBadge::schemas(known);
        known.push((CashbackBadge::name().into_owned(), CashbackBadge::schema()));
        CashbackBadge::schemas(known);
    }
}

/// A badge that says all by its kind.
#[derive(ToSchema)]
pub struct PlainBadge {
    #[schema(inline)]
    kind: PlainBadgeKind,
}

/// Kinds of badge without a value.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum PlainBadgeKind {
    TopRated,
    FillingFast,
    PropertyOfTheDay,
    Exclusive,
    StudentsChoice,
    ImmediateMoveIn,
    BreakfastIncluded,
}

/// Money back, and how much at the most.
#[derive(ToSchema)]
pub struct CashbackBadge {
    #[schema(inline)]
    kind: CashbackBadgeKind,
    value: Price,
}

/// The one kind of badge with a value.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum CashbackBadgeKind {
    Cashback,
}

/// A property as a search result shows it. Distances are from the search's centre.
#[derive(ToSchema)]
pub struct InventoryCard {
    id: Uuid,
    name: String,
    canonical_name: String,
    available: bool,
    /// Null for a home that is not let yet or was deleted.
    state: Option<HomeStateWord>,
    /// Null where nobody said a point, like `lng`.
    lat: Option<f64>,
    lng: Option<f64>,
    price: Price,
    images: Vec<Image>,
    /// At most five, a room first; without previews.
    photos: Vec<Photo>,
    badges: Vec<Badge>,
    reviews_rating: Option<f64>,
    reviews_count: u32,
    room_kinds: Vec<ConfigurationWord>,
    rooms_left: Option<u32>,
    distance_m: Option<u32>,
    walking: Option<Travel>,
    transit: Option<Travel>,
    region: RegionName,
}

/// A card with the fields of Spec §3 beside it: those of [`InventoryCard`] and these; `only` and `except` choose.
#[derive(ToSchema)]
pub struct FoundInventory {
    status: InventoryStatusWord,
    /// Null where it is not said, like every fact of a home.
    #[schema(rename = "type")]
    kind: Option<PropertyKindWord>,
    region_id: Uuid,
    provider_id: Option<Uuid>,
    pricing: Pricing,
    location_coordinates: Option<Coordinates>,
    features: Vec<FeatureName>,
    tags: Vec<TagWord>,
    meta: FoundMeta,
}

/// A feature by its name.
#[derive(ToSchema)]
pub struct FeatureName {
    key: String,
    name: String,
}

/// Terms a search result carries.
#[derive(ToSchema)]
pub struct FoundMeta {
    /// `true` or `false`, as the specification writes it; null where it is not said.
    guarantor_required: Option<String>,
    guarantor: Option<GuarantorWord>,
}

/// Prices as decimal numbers (X5); null where nothing has one.
#[derive(ToSchema)]
pub struct Pricing {
    min_price: Option<f64>,
    max_price: Option<f64>,
    price: Option<f64>,
    min_available_price: Option<f64>,
    max_available_price: Option<f64>,
    available_price: Option<f64>,
    currency: String,
    duration: PeriodWord,
}

/// `next_token` goes on after the last result even while listings change; sent back in place of `p`.
#[derive(Serialize, ToSchema)]
pub struct SearchMeta {
    #[schema(value_type = Option<u64>)]
    pub prev: Option<usize>,
    #[schema(value_type = Option<u64>)]
    pub next: Option<usize>,
    #[schema(value_type = u64)]
    pub count: usize,
    #[schema(value_type = u64)]
    pub limit: usize,
    #[schema(value_type = u64)]
    pub pages: usize,
    #[schema(value_type = u64)]
    pub current_page: usize,
    pub next_token: Option<String>,
}

/// A page of search results; facets and pins when asked for.
#[derive(ToSchema)]
pub struct SearchResult {
    meta: SearchMeta,
    result: Vec<InventoryCard>,
    facets: ShownFacets,
    pins: Vec<MapPin<'static>>,
}

/// The same with the fields of Spec §3.
#[derive(ToSchema)]
pub struct FoundInventories {
    meta: SearchMeta,
    result: Vec<FoundInventory>,
    facets: ShownFacets,
    pins: Vec<MapPin<'static>>,
}

/// A match on the map (P38).
#[derive(Serialize, ToSchema)]
pub struct MapPin<'i> {
    pub id: Uuid,
    pub canonical_name: &'i str,
    pub name: &'i str,
    pub lat: f64,
    pub lng: f64,
    #[schema(value_type = Price)]
    pub price: search_index::item::Price,
    pub available: bool,
    /// As a card has it.
    #[schema(value_type = Option<HomeStateWord>)]
    pub state: Option<&'static str>,
}

/// A question with its answer.
#[derive(ToSchema)]
pub struct Faq {
    question: String,
    answer: String,
}

/// An offer that can be had today.
#[derive(ToSchema)]
pub struct Offer {
    id: String,
    title: String,
    description: String,
    kind: OfferKindWord,
    value_minor: u64,
    value: f64,
    currency: String,
    valid_from: Option<NaiveDate>,
    valid_to: Option<NaiveDate>,
    terms: String,
    stackable: bool,
}

/// Prices of one kind of room by month (D60).
#[derive(ToSchema)]
pub struct PriceTrend {
    name: String,
    points: Vec<PriceTrendPoint>,
}

/// One month of one kind of room (D60).
#[derive(ToSchema)]
pub struct PriceMonthRow {
    configuration: String,
    month: String,
    min: f64,
    median: f64,
    max: f64,
    currency: String,
    duration: PeriodWord,
    n: u32,
}

/// One month; prices as decimal numbers.
#[derive(ToSchema)]
pub struct PriceTrendPoint {
    month: String,
    min: f64,
    median: f64,
    max: f64,
    currency: String,
    duration: PeriodWord,
    n: u32,
}

/// A number, or `5000+`.
#[derive(serde::Serialize, ToSchema)]
#[serde(untagged)]
pub enum ViewCount {
    Counted(u32),
    Many(String),
}
