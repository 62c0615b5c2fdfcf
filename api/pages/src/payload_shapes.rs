//! The shapes of page payloads: what `GET /_page` answers and the first HTML embeds. The pages are put together as JSON
//! from the catalogue's ready-made pieces; every story holds the real answers against these.
#![expect(dead_code, reason = "only the shape is read, by the document")]

use std::borrow::Cow;

use http_kit::contract::forms::CustomForm;
use http_kit::contract::price::Price;
use http_kit::contract::words::{CountryWord, FlowWord, LanguageWord};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shop::activity::ActivityLead;
use shop::contract::catalogue::{Faq, Region, RegionLink, SearchResult};
use shop::inventories::rooms::{Image, RoomType};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::brand::ShownBrand;

pub mod content;
pub mod property;

use self::content::{BlogPage, ContentPage, HelpPage, PostPage, SiteMapPage};
use self::property::{DueLine, PropertyPage};

/// One page of the site: route, head, frame and the route's own data.
pub struct PagePayload;

/// One route with the data its page shows.
fn page<Shown: ToSchema>(route: &str) -> ObjectBuilder {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    ObjectBuilder::new()
        .property("route", text().enum_values(Some([route])))
        .property(
            "url",
            text().description(Some("Path and query this payload answers")),
        )
        .property("status", ObjectBuilder::new().schema_type(Type::Integer))
        .property("redirect", <Option<String>>::schema())
        .property("head", Ref::from_schema_name(Head::name()))
        .property("chrome", Ref::from_schema_name(Chrome::name()))
        .property("data", Ref::from_schema_name(Shown::name()))
        .required("route")
        .required("url")
        .required("status")
        .required("redirect")
        .required("head")
        .required("chrome")
        .required("data")
}

impl PartialSchema for PagePayload {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .item(page::<HomePage>("home"))
            .item(page::<SearchPage>("search"))
            .item(page::<PropertyPage>("property"))
            .item(page::<BookingFormPage>("booking_form"))
            .item(page::<BookingFormPage>("application"))
            .item(page::<PaymentEntryPage>("payment"))
            .item(page::<PaymentTokenPage>("payment_token"))
            .item(page::<PaymentCompletePage>("payment_complete"))
            .item(page::<ReceiptPage>("receipt"))
            .item(page::<VerifyPage>("verify"))
            .item(page::<FormSubmittedPage>("form_submitted"))
            .item(page::<ProfilePage>("profile"))
            .item(page::<SupportLinkPage>("support_link"))
            .item(page::<WorkspacePage>("workspace"))
            .item(page::<LegalPage>("legal"))
            .item(page::<ContentPage>("content"))
            .item(page::<HelpPage>("help"))
            .item(page::<BlogPage>("blog"))
            .item(page::<PostPage>("post"))
            .item(page::<SiteMapPage>("site_map"))
            .item(page::<NotFoundPage>("not_found"))
            .item(page::<ServerErrorPage>("server_error"))
            .into()
    }
}

impl ToSchema for PagePayload {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("PagePayload")
    }

    fn schemas(known: &mut Vec<(String, RefOr<Schema>)>) {
        fn add<Shape: ToSchema>(known: &mut Vec<(String, RefOr<Schema>)>) {
            known.push((Shape::name().into_owned(), Shape::schema()));
            Shape::schemas(known);
        }
        add::<Head>(known);
        add::<Chrome>(known);
        add::<HomePage>(known);
        add::<SearchPage>(known);
        add::<PropertyPage>(known);
        add::<BookingFormPage>(known);
        add::<PaymentEntryPage>(known);
        add::<PaymentTokenPage>(known);
        add::<PaymentCompletePage>(known);
        add::<ReceiptPage>(known);
        add::<VerifyPage>(known);
        add::<FormSubmittedPage>(known);
        add::<ProfilePage>(known);
        add::<SupportLinkPage>(known);
        add::<WorkspacePage>(known);
        add::<LegalPage>(known);
        add::<ContentPage>(known);
        add::<HelpPage>(known);
        add::<BlogPage>(known);
        add::<PostPage>(known);
        add::<SiteMapPage>(known);
        add::<NotFoundPage>(known);
        add::<ServerErrorPage>(known);
    }
}

/// Head that search engines and browser tabs read.
#[derive(ToSchema)]
pub struct Head {
    title: String,
    description: String,
    keywords: Option<String>,
    canonical: Option<String>,
    robots: Robots,
    prev: Option<String>,
    next: Option<String>,
    image: Option<String>,
    alternates: Vec<Alternate>,
}

/// Rule for search engines that read a page.
#[derive(ToSchema)]
pub enum Robots {
    #[schema(rename = "index,follow")]
    Listed,
    #[schema(rename = "noindex,nofollow")]
    Private,
}

/// The same page in another language.
#[derive(ToSchema)]
pub struct Alternate {
    lang: LanguageWord,
    href: String,
}

/// The frame around every page: brand, language, menus.
#[derive(ToSchema)]
pub struct Chrome {
    brand_name: String,
    /// Null for the face that ships.
    brand: Option<ShownBrand>,
    lang: LanguageWord,
    variant: SiteVariant,
    dev_tools: bool,
    /// Figures of the house; null where it sets none.
    rating: Option<String>,
    downloads: Option<String>,
    support_email: Option<String>,
    /// Writes are refused for now.
    maintenance: bool,
    /// Payments take test cards, and no real money moves.
    test_payments: bool,
    /// Popular cities by country for menu, home and footer.
    countries: Vec<CountryMenu>,
}

/// Which of the two front doors is served (D119).
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum SiteVariant {
    Standard,
    China,
}

/// A country with its popular cities.
#[derive(ToSchema)]
pub struct CountryMenu {
    key: CountryWord,
    name: String,
    canonical_name: String,
    cities: Vec<CityName>,
}

/// A city in a menu.
#[derive(ToSchema)]
pub struct CityName {
    id: Uuid,
    name: String,
    canonical_name: String,
}

/// `/`: popular cities by country.
#[derive(ToSchema)]
pub struct HomePage {
    countries: Vec<HomeCountry>,
    totals: HomeTotals,
}

/// A country on the home page.
#[derive(ToSchema)]
pub struct HomeCountry {
    key: CountryWord,
    name: String,
    cities: Vec<HomeCity>,
}

/// A city's card; `from` is what the cheapest room costs that can be booked.
#[derive(ToSchema)]
pub struct HomeCity {
    name: String,
    canonical_name: String,
    image: String,
    homes: u64,
    from: Option<Price>,
}

/// Totals of the marketplace.
#[derive(ToSchema)]
pub struct HomeTotals {
    homes: u64,
    universities: u64,
    cities: u64,
}

/// `/places/search/{region}`.
#[derive(Serialize, ToSchema)]
pub struct SearchPage {
    #[schema(value_type = Region)]
    pub region: Value,
    /// Countries and states: children are shown before homes (D6).
    pub is_region_page: bool,
    #[schema(value_type = Vec<RegionLink>)]
    pub children: Vec<Value>,
    #[schema(value_type = Vec<RegionLink>)]
    pub universities: Vec<Value>,
    #[schema(value_type = Vec<RegionLink>)]
    pub areas: Vec<Value>,
    #[schema(value_type = SearchResult)]
    pub search: Box<RawValue>,
    pub total_in_region: u64,
    /// Cities with homes, the nearest first, where the place has none.
    #[schema(value_type = Vec<RegionLink>)]
    pub nearest: Vec<Value>,
    pub center: SearchCenter,
    #[schema(value_type = Vec<Faq>)]
    pub faqs: Vec<Value>,
}

/// Where distances are measured from.
#[derive(Serialize, ToSchema)]
pub struct SearchCenter {
    pub lat: f64,
    pub lng: f64,
    pub label: String,
    pub is_university: bool,
}

/// The property a form or payment is about.
#[derive(ToSchema)]
pub struct BookedProperty {
    id: Uuid,
    name: String,
    canonical_name: String,
    image: Image,
    region: BookedRegion,
    available: bool,
    bookable: bool,
    guarantor_required: Option<bool>,
    flow: FlowWord,
    payment_before_bookform: bool,
}

/// The city of a booked property.
#[derive(ToSchema)]
pub struct BookedRegion {
    name: String,
    canonical_name: String,
    country_key: CountryWord,
}

/// Fields that an address fills in (Spec §2).
#[derive(ToSchema)]
pub struct Prefill {
    inventory_id: Option<String>,
    lead_uuid: Option<String>,
    configuration: Option<String>,
    university: Option<String>,
    lease_duration: Option<String>,
    move_in_date: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    phone_code: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    bookform_source: Option<String>,
    show_submit_confirmation: bool,
}

/// `/places/{name}/form` and `/application`.
#[derive(ToSchema)]
pub struct BookingFormPage {
    property: BookedProperty,
    room_types: Vec<RoomType>,
    prefill: Prefill,
    form: CustomForm,
    /// Amounts that are paid in the next step, without the processing fee.
    payment_summary: Vec<DueLine>,
    /// Percentage that is added for processing it: `3.627`, or `0` where nothing is.
    processing_fee_percent: String,
    with_accommodation_card: bool,
}

/// `/places/{id}/payment`.
#[derive(ToSchema)]
pub struct PaymentEntryPage {
    property: BookedProperty,
    room_types: Vec<RoomType>,
    lead_uuid: Option<String>,
    with_accommodation_card: bool,
}

/// `/payments/{token}`.
#[derive(ToSchema)]
pub struct PaymentTokenPage {
    token: String,
}

/// `/receipts/{number}`.
#[derive(ToSchema)]
pub struct ReceiptPage {
    number: String,
    /// The payment's token, where the address names it.
    token: Option<String>,
    /// Of a mail's link.
    pass: Option<String>,
}

/// `/verify`.
#[derive(ToSchema)]
pub struct VerifyPage {}

/// `/payments/complete`.
#[derive(ToSchema)]
pub struct PaymentCompletePage {
    token: String,
    lead_uuid: Option<String>,
    inventory_id: Option<String>,
}

/// `/forms/submit`.
#[derive(ToSchema)]
pub struct FormSubmittedPage {
    lead_uuid: Option<String>,
}

/// `/terms` and `/privacy`.
#[derive(ToSchema)]
pub struct LegalPage {
    page: LegalText,
    /// How long a room is kept while its payer pays, in words.
    hold: String,
    /// Who processes personal data for the house, each in a sentence.
    processors: Vec<String>,
}

/// Which of the texts that a login accepts.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum LegalText {
    Terms,
    Privacy,
}

/// `/profile` and below.
#[derive(ToSchema)]
pub struct ProfilePage {
    page: ProfileTab,
    /// The one lead that its own link shows without a login (D19).
    lead: Option<ActivityLead>,
    /// The conversation that is open under `support`.
    case_id: Option<String>,
}

/// `/support/{token}`: the link of a mail.
#[derive(ToSchema)]
pub struct SupportLinkPage {
    token: String,
}

/// Pages behind the login guard.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum ProfileTab {
    Profile,
    Leads,
    Shortlist,
    Support,
    /// Support about cashback.
    Cashback,
}

/// `/workspace`: the browser asks for the rest.
#[derive(ToSchema)]
pub struct WorkspacePage {}

/// Page 404.
#[derive(ToSchema)]
pub struct NotFoundPage {
    support_email: Option<String>,
    message: Option<String>,
}

/// Page 500.
#[derive(ToSchema)]
pub struct ServerErrorPage {
    support_email: Option<String>,
}
