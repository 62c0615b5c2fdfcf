//! The shape of one property or room in the words of Spec §3.
#![expect(dead_code, reason = "only the shape is read, by the document")]

use chrono::NaiveDate;
use http_kit::contract::forms::CustomForm;
use http_kit::contract::words::{
    ConfigurationWord, CountryWord, FeatureGroupWord, GuarantorWord, InventoryStatusWord, PropertyKindWord,
    TagWord, UnitTypeWord,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::catalogue::{Coordinates, Faq, Offer, Pricing, RegionName};
use crate::inventories::rooms::RoomType;

/// A property or room in the words of Spec §3; `only`, `except` and `methods` choose the fields.
#[derive(ToSchema)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the names and kinds are the contract's"
)]
pub struct Inventory {
    id: Uuid,
    name: String,
    canonical_name: String,
    parent_id: Option<Uuid>,
    /// `child` for a room.
    level: Option<String>,
    #[schema(rename = "tenancyName")]
    tenancy_name: Option<String>,
    #[schema(rename = "resetMoveInDate")]
    reset_move_in_date: bool,
    /// Null where it is not said, like every fact of a home.
    #[schema(rename = "type")]
    kind: Option<PropertyKindWord>,
    unit_type: Option<UnitTypeWord>,
    status: InventoryStatusWord,
    available: bool,
    region_id: Uuid,
    provider_id: Option<Uuid>,
    source_link: Option<String>,
    description: String,
    pricing: Pricing,
    images: Vec<InventoryImage>,
    videos: Vec<String>,
    virtual_views: Vec<String>,
    location: Address,
    /// Null where nobody said a point.
    location_coordinates: Option<Coordinates>,
    tags: Vec<TagWord>,
    features: Vec<FeatureList>,
    faqs: Vec<Faq>,
    meta: InventoryMeta,
    config: Option<ConfigurationName>,
    reviews_count: u32,
    reviews_rating: Option<f64>,
    payment_before_bookform: bool,
    is_local_non_commissionable: bool,
    /// Null where it can be booked and the number of rooms is not said.
    rooms_left: Option<u32>,
    owner: Owner,
    meta_types: Vec<String>,
    parent: Option<InventoryParent>,
    region: Option<RegionName>,
    site_plan: Option<String>,
    meta_facts: MetaFacts,
    meta_short: MetaFacts,
    meta_general_facts: MetaFacts,
    meta_community_facts: CommunityFacts,
    meta_distances: Vec<PlaceDistance>,
    destination_distances: Vec<PlaceDistance>,
    feature_tags: Vec<String>,
    children_short: Vec<ChildName>,
    active_children: Vec<RoomType>,
    active_children_count: u32,
    region_parent_country: CountryWord,
    region_parent_city_canonical: Option<String>,
    inventory_custom_form: CustomForm,
    offers: Vec<Offer>,
}

/// How the owner is reached.
#[derive(ToSchema)]
pub struct Owner {
    phones: Vec<String>,
}

/// The property that a room belongs to.
#[derive(ToSchema)]
pub struct InventoryParent {
    id: Uuid,
    name: String,
    canonical_name: String,
    region_id: Uuid,
    region: Option<RegionName>,
    status: InventoryStatusWord,
}

/// A picture of a property.
#[derive(ToSchema)]
pub struct InventoryImage {
    path: String,
    caption: String,
    #[schema(rename = "type")]
    kind: String,
    featured: bool,
}

/// Amenities of one group.
#[derive(ToSchema)]
pub struct FeatureList {
    #[schema(rename = "type")]
    kind: FeatureGroupWord,
    name: String,
    values: Vec<FeatureValue>,
}

/// One amenity.
#[derive(ToSchema)]
pub struct FeatureValue {
    key: String,
    name: String,
}

/// Arrangement that three room attributes add up to.
#[derive(ToSchema)]
pub struct ConfigurationName {
    id: ConfigurationWord,
    name: String,
}

/// A room by name.
#[derive(ToSchema)]
pub struct ChildName {
    id: Uuid,
    name: String,
}

/// Facts of the house.
#[derive(ToSchema)]
pub struct MetaFacts {
    opened_year: Option<u16>,
    floors: Option<u16>,
    bills_included: Option<bool>,
    checked_on: Option<NaiveDate>,
}

/// Facts about the people in it.
#[derive(ToSchema)]
pub struct CommunityFacts {
    residents: Option<u32>,
}

/// Something near a property.
#[derive(ToSchema)]
pub struct PlaceDistance {
    kind: String,
    name: String,
    distance_m: u32,
}

/// Terms of a property (Spec §3).
#[derive(ToSchema)]
pub struct InventoryMeta {
    payment: bool,
    /// `true` or `false`, as the specification writes it; null where it is not said.
    guarantor_required: Option<String>,
    guarantor: Option<GuarantorWord>,
    lease_duration: Option<u16>,
    min_lease_duration: Option<u16>,
    max_lease_duration: Option<u16>,
    available_from_formatted: Option<NaiveDate>,
    meta_title: Option<String>,
    meta_description: Option<String>,
    meta_keywords: Option<String>,
    /// The home's own; null where it names none.
    deposit: Option<f64>,
    refundable_token: Option<f64>,
    platform_fee: Option<f64>,
    max_deposit: Option<f64>,
    deposit_multiplier: Option<f64>,
}

/// A postal address, part by part.
#[derive(ToSchema)]
pub struct Address {
    street_number: PlaceName,
    route: PlaceName,
    locality: PlaceName,
    district: PlaceName,
    state: PlaceName,
    country: PlaceName,
    postal_code: PlaceName,
}

/// A part of an address in its long and its short form.
#[derive(ToSchema)]
pub struct PlaceName {
    long_name: String,
    short_name: String,
}
