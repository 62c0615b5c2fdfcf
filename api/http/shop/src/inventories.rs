//! Properties and rooms by name or id, with what belongs to them (Spec §7, A4, B1).

use axum::extract::State;
use axum::http::HeaderMap;
use domain::inventory::Status;
use domain::inventory::property::PropertyKind;
use http_kit::caller::Caller;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{List, Meta, Success};
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::permissions::Access;
use http_kit::request::{Path, Query, RequestContext, limit_of, listed};
use http_kit::said::{say, unknown_value};
use platform::clock;
use projections::inventory_page::{self, ListFilter, Named};
use records::Records;
use search_index::SearchIndex;
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;

use crate::Services;
use crate::contract::catalogue::{Offer, PriceMonthRow, RoomTypeFields, ViewCount};
use crate::contract::inventory::Inventory;
use crate::listed_statuses::admit_statuses;
use crate::regions;
use crate::views::Views;

pub mod address;
pub mod home;
pub mod market;
pub mod photos;
pub mod rooms;
pub mod view;
pub mod words;

use home::Home;
use view::Fields;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(Access::Open, routes!(list))
        .endpoint(Access::Open, routes!(show))
        .endpoint(Access::Open, routes!(view_count))
        .endpoint(Access::Open, routes!(reviews_media))
        .endpoint(Access::Open, routes!(offers))
        .endpoint(Access::Open, routes!(room_types))
        .endpoint(Access::Open, routes!(price_trends))
}

/// D44.
const LIST_LIMIT: u64 = 10;
/// Whole documents are large: a list holds fewer of them than of anything else.
const LIST_LIMIT_MAX: u64 = 200;
const LIMIT_MAX: u64 = 1_000;
const ROOMS_LIMIT: u64 = 200;
/// Spec §7: reviews with media come thirty at a time.
const MEDIA_LIMIT: u64 = 30;

/// Spec §9.
const META_TYPES: [&str; 6] = [
    "private_room",
    "shared_room",
    "private_bathroom",
    "shared_bathroom",
    "private_kitchen",
    "shared_kitchen",
];

/// Parameters of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    p: Option<u64>,
    /// 10 unless given, at most 200.
    limit: Option<u64>,
    /// `student_accommodation` also brings `apartment` and `university_hall`.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Comma-separated; `active` unless given. `deleted` is for staff.
    statuses: Option<String>,
    /// A city, by id or canonical name.
    region_id: Option<String>,
    methods: Option<String>,
    only: Option<String>,
    except: Option<String>,
}

/// Properties, newest first.
#[utoipa::path(get, path = "/api/v0/inventories", operation_id = "newest_inventories", tag = "inventories", params(ListQuery), responses(
    (status = 200, description = "A page of properties", body = Success<List<Inventory>>),
    (status = 403, description = "Deleted properties are for staff", body = http_kit::error::Failure),
    (status = 422, description = "Unknown values, each named", body = http_kit::error::Failure),
))]
pub async fn list(
    State(records): State<Records>,
    context: RequestContext,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> ApiResult<Success<List<Value>>> {
    let filter = filter(&records.catalogue, &query)?;
    admit_statuses(&caller, &filter.statuses)?;
    let limit = limit_of(query.limit, LIST_LIMIT, LIST_LIMIT_MAX)?;
    let page = query.p.unwrap_or(1).max(1);
    let offset = (page - 1).saturating_mul(limit);
    let rows = u32::try_from(limit).unwrap_or(u32::MAX);
    let (count, pages) = inventory_page::list(records.read.readers(), &filter, rows, offset).await?;
    let fields = Fields::read(
        query.methods.as_deref(),
        query.only.as_deref(),
        query.except.as_deref(),
    );
    let mut result = Vec::with_capacity(pages.len());
    for page in pages {
        if let Some(home) = home::with_stock(&records, page).await? {
            result.push(view::property(&home, &fields, context.lang));
        }
    }
    Ok(Success::new(List {
        meta: Meta::new(count, limit, page),
        result,
    }))
}

fn filter(catalogue: &SearchIndex, query: &ListQuery) -> ApiResult<ListFilter> {
    let mut errors = Vec::new();
    let mut refuse = |field: &str, value: &str| {
        errors.push(FieldError::new(
            field,
            "unknown_value",
            unknown_value(field, value),
        ));
    };
    let mut kinds = Vec::new();
    for word in listed(query.kind.as_deref().unwrap_or_default()) {
        match PropertyKind::ALL.into_iter().find(|kind| kind.key() == word) {
            Some(kind) => kinds.extend(inventory_page::kinds_of(kind)),
            None => refuse("type", word),
        }
    }
    let mut statuses = Vec::new();
    for word in listed(query.statuses.as_deref().unwrap_or_default()) {
        // Drafts are their provider's business.
        match [Status::Active, Status::Inactive, Status::Deleted]
            .into_iter()
            .find(|status| status.key() == word)
        {
            Some(status) => statuses.push(status),
            None => refuse("statuses", word),
        }
    }
    if !errors.is_empty() {
        return Err(ApiError::invalid(errors));
    }
    let region = query
        .region_id
        .as_deref()
        .filter(|key| !key.is_empty())
        .map(|key| {
            let places = catalogue.places();
            // A region nobody knows has no homes.
            regions::by_key(&places, key).map_or_else(|| key.to_owned(), |place| place.id.to_string())
        });
    Ok(ListFilter {
        kinds,
        statuses: if statuses.is_empty() {
            vec![Status::Active]
        } else {
            statuses
        },
        region,
    })
}

/// Which fields of one property or room are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ShowQuery {
    methods: Option<String>,
    only: Option<String>,
    except: Option<String>,
    /// Changes nothing.
    #[serde(rename = "type")]
    #[expect(
        dead_code,
        reason = "accepted as Spec §7 lists it; a home is found by its name alone"
    )]
    kind: Option<String>,
    /// Changes nothing.
    #[expect(
        dead_code,
        reason = "accepted as Spec §7 lists it; a home is found by its name alone"
    )]
    region_id: Option<String>,
}

/// One property or room, by id or canonical name; a room carries its property as `parent` (D11).
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}", operation_id = "show_inventory", tag = "inventories", params(("inventory" = String, Path), ShowQuery), responses(
    (status = 200, description = "The property or room", body = Success<Inventory>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
))]
pub async fn show(
    State(records): State<Records>,
    context: RequestContext,
    Path(key): Path<String>,
    Query(query): Query<ShowQuery>,
) -> ApiResult<Success<Value>> {
    let (named, home) = visible(&records, &key).await?;
    let fields = Fields::read(
        query.methods.as_deref(),
        query.only.as_deref(),
        query.except.as_deref(),
    );
    let shown = if named.is_room() {
        view::room(&home, named.inventory, &fields, context.lang)
            .ok_or_else(|| ApiError::not_found(say("refusal.no_room")))?
    } else {
        view::property(&home, &fields, context.lang)
    };
    Ok(Success::new(shown))
}

/// A property anybody may know of: everything but drafts.
async fn visible(records: &Records, key: &str) -> ApiResult<(Named, Home)> {
    let found = home::find(records, key).await?;
    found
        .filter(|(_, home)| match home.status() {
            Status::Active | Status::Inactive | Status::Deleted => true,
            Status::Draft | Status::InReview => false,
        })
        .ok_or_else(|| ApiError::not_found(say("refusal.no_property")))
}

/// How many different people looked at it in the last 30 days (D57); 0 while too few did.
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}/view_count", tag = "inventories", params(("inventory" = String, Path)), responses(
    (status = 200, description = "A number, `5000+` above 5,000", body = Success<ViewCount>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
))]
pub async fn view_count(
    State(records): State<Records>,
    State(views): State<Views>,
    context: RequestContext,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> ApiResult<Success<Value>> {
    let (named, _) = visible(&records, &key).await?;
    let now = clock::now();
    if let Err(error) = views.seen(named.root, &context, &headers, now).await {
        tracing::warn!(%error, "a look was not counted");
    }
    Ok(Success::new(views.shown(named.root, now).await?))
}

/// Offers that can be had today.
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}/offers", tag = "inventories", params(("inventory" = String, Path)), responses(
    (status = 200, description = "Offers, the most valuable first", body = Success<Vec<Offer>>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
))]
pub async fn offers(
    State(records): State<Records>,
    context: RequestContext,
    Path(key): Path<String>,
) -> ApiResult<Success<Vec<Value>>> {
    let (_, home) = visible(&records, &key).await?;
    Ok(Success::new(market::offers(&home, context.lang)))
}

/// Which rooms are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RoomsQuery {
    p: Option<u64>,
    /// 200 unless given.
    limit: Option<u64>,
    /// Comma-separated: `private_room`, `shared_room`, and likewise `_bathroom` and `_kitchen`.
    meta_types: Option<String>,
    room_types: Option<String>,
    bathroom_types: Option<String>,
    kitchen_types: Option<String>,
    /// Words of `meta_types`, in whichever form: others in it are passed over.
    filters: Option<String>,
    /// Only these fields.
    only: Option<String>,
    /// Extra fields; a kind of room has none.
    methods: Option<String>,
    /// Changes nothing.
    #[serde(rename = "type")]
    #[expect(dead_code, reason = "accepted as Spec §7 lists it, empty")]
    kind: Option<String>,
    /// Changes nothing (D51).
    #[expect(dead_code, reason = "accepted as Spec §7 lists it; D51 gives it no effect")]
    use_open_search: Option<bool>,
}

impl RoomsQuery {
    /// # Errors
    /// 422 naming every word that is no kind of room, bathroom or kitchen.
    fn wanted(&self) -> ApiResult<rooms::Wanted> {
        self.check()?;
        let words = |own: &Option<String>, ending: &str| -> Vec<String> {
            let own = listed(own.as_deref().unwrap_or_default());
            let all = listed(self.meta_types.as_deref().unwrap_or_default());
            let all = all.chain(room_words(self.filters.as_deref().unwrap_or_default()));
            own.chain(all.filter(|word| word.ends_with(ending)))
                .map(str::to_owned)
                .collect()
        };
        Ok(rooms::Wanted {
            room_types: words(&self.room_types, "_room"),
            bathroom_types: words(&self.bathroom_types, "_bathroom"),
            kitchen_types: words(&self.kitchen_types, "_kitchen"),
        })
    }

    fn check(&self) -> ApiResult<()> {
        let mut errors = Vec::new();
        for (field, given, ending) in [
            ("meta_types", &self.meta_types, "_"),
            ("room_types", &self.room_types, "_room"),
            ("bathroom_types", &self.bathroom_types, "_bathroom"),
            ("kitchen_types", &self.kitchen_types, "_kitchen"),
        ] {
            let words = listed(given.as_deref().unwrap_or_default());
            let unknown = |word: &&str| !META_TYPES.contains(word) || !word.contains(ending);
            for word in words.filter(unknown) {
                let message = unknown_value(field, word);
                errors.push(FieldError::new(field, "unknown_value", message));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(ApiError::invalid(errors))
        }
    }
}

/// The room filters that a text names: Spec §7 does not say how `filters` writes them.
fn room_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
    words.filter(|word| META_TYPES.contains(word))
}

/// The rooms of a property with their leases.
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}/room_types", tag = "inventories", params(("inventory" = String, Path), RoomsQuery), responses(
    (status = 200, description = "A page of rooms", body = Success<List<RoomTypeFields>>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
    (status = 422, description = "Unknown values, each named", body = http_kit::error::Failure),
))]
pub async fn room_types(
    State(records): State<Records>,
    context: RequestContext,
    Path(key): Path<String>,
    Query(query): Query<RoomsQuery>,
) -> ApiResult<Success<List<Value>>> {
    let (_, home) = visible(&records, &key).await?;
    let rooms = rooms::room_types(&home, &query.wanted()?, context.lang);
    let limit = limit_of(query.limit, ROOMS_LIMIT, LIMIT_MAX)?;
    let page = query.p.unwrap_or(1).max(1);
    let meta = Meta::new(rooms.len() as u64, limit, page);
    let skipped = usize::try_from((page - 1).saturating_mul(limit)).unwrap_or(usize::MAX);
    let fields = Fields::read(query.methods.as_deref(), query.only.as_deref(), None);
    let shown = rooms
        .iter()
        .skip(skipped)
        .take(usize::try_from(limit).unwrap_or(0))
        .map(|room| fields.of_room_type(room))
        .collect();
    Ok(Success::new(List { meta, result: shown }))
}

/// Prices by month and kind of room (D60).
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}/price_trends", tag = "inventories", params(("inventory" = String, Path)), responses(
    (status = 200, description = "Every month of every kind of room", body = Success<Vec<PriceMonthRow>>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
))]
pub async fn price_trends(
    State(records): State<Records>,
    context: RequestContext,
    Path(key): Path<String>,
) -> ApiResult<Success<Vec<Value>>> {
    let (_, home) = visible(&records, &key).await?;
    Ok(Success::new(market::price_months(&home, context.lang)))
}

/// Which page of media is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MediaQuery {
    page: Option<u64>,
    /// 30 unless given.
    limit: Option<u64>,
}

/// Pictures and videos that residents added to their reviews. No review carries any yet.
#[utoipa::path(get, path = "/api/v0/inventories/{inventory}/reviews/media", tag = "inventories", params(("inventory" = String, Path), MediaQuery), responses(
    (status = 200, description = "A page of media", body = Success<List<rooms::Image>>),
    (status = 404, description = "No such property", body = http_kit::error::Failure),
))]
pub async fn reviews_media(
    State(records): State<Records>,
    Path(key): Path<String>,
    Query(query): Query<MediaQuery>,
) -> ApiResult<Success<List<Value>>> {
    visible(&records, &key).await?;
    let limit = limit_of(query.limit, MEDIA_LIMIT, LIMIT_MAX)?;
    let meta = Meta::new(0, limit, query.page.unwrap_or(1).max(1));
    Ok(Success::new(List {
        meta,
        result: Vec::new(),
    }))
}
