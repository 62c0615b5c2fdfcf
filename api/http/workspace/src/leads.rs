//! The support desk: who I am, and the leads' list (rows I1, I6).

use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, TimeDelta};
use domain::id::{LeadId, UserId};
use domain::language::Language;
use domain::user::{Role, User};
use eventlog::EventLog;
use http_kit::caller::Staff;
use http_kit::contract::price::Price;
use http_kit::contract::words::{AttentionWord, LeadStageWord, LeadStatusWord, RoleWord};
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::{Meta, Success};
use http_kit::error::{ApiError, ApiResult};
use http_kit::permissions::{ANY_STAFF, SUPPORT};
use http_kit::request::{Query, RequestContext, limit_of};
use http_kit::said::{say, unknown_value};
use http_kit::stay_price::{PriceLine, price_of_row};
use platform::config::Settings;
use processes::payment_token;
use projections::lead_board::attention::Attention;
use projections::lead_board::query::{self, Board, BoardRow};
use projections::{listing_name, payment_page};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::finance::refunds::limit_of_role;
use crate::lead_filters::{LeadFilters, desk_time};
use crate::lead_words::UnderstoodPart;
use crate::redacted_history::HIDDEN;
use crate::staff_names::{name_of, staff_name};

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(ANY_STAFF, routes!(me))
        .endpoint(SUPPORT, routes!(list_leads))
}

/// Letters of a payment's token.
const TOKEN_LENGTH: usize = 32;
/// D44: back-office lists.
const LIMIT: u64 = 20;
const LIMIT_MAX: u64 = 1_000;

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WorkspaceMe)]
pub struct Me {
    user_id: String,
    name: String,
    #[schema(value_type = Vec<RoleWord>)]
    roles: Vec<Role>,
    log_position: u64,
    can: Can,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WorkspaceRights)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a permission of its own on the wire"
)]
pub struct Can {
    leads: bool,
    unmask: bool,
    finance: bool,
    refund_limit_minor: u64,
    grants: bool,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
pub struct LeadsQuery {
    q: Option<String>,
    status: Option<String>,
    /// Only leads with this reason to be looked at.
    #[param(value_type = Option<AttentionWord>)]
    attention: Option<String>,
    /// A stage of the desk's work.
    #[param(value_type = Option<LeadStageWord>)]
    stage: Option<String>,
    /// Steps that happened one after another, between commas: `declined,declined,paid<60`, `enquired,!answered<120`.
    steps: Option<String>,
    /// A member of staff's id, or `me`.
    owner: Option<String>,
    /// `me`: only leads with a note that mentions the caller.
    mentions: Option<String>,
    /// Only leads of this team, or `mine`: of the caller's teams.
    team: Option<String>,
    city: Option<String>,
    /// A property's id, name in addresses, or name.
    property: Option<String>,
    partner: Option<String>,
    source: Option<String>,
    /// Days of UTC such as 2026-11-26; both ends count.
    created_from: Option<String>,
    created_to: Option<String>,
    move_in_from: Option<String>,
    move_in_to: Option<String>,
    p: Option<u64>,
    limit: Option<u64>,
}

impl LeadsQuery {
    fn filters(self) -> LeadFilters {
        LeadFilters {
            q: self.q,
            status: self.status,
            attention: self.attention,
            stage: self.stage,
            steps: self.steps,
            mentions: self.mentions,
            team: self.team,
            owner: self.owner,
            city: self.city,
            property: self.property,
            partner: self.partner,
            source: self.source,
            created_from: self.created_from,
            created_to: self.created_to,
            move_in_from: self.move_in_from,
            move_in_to: self.move_in_to,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeadListPage {
    meta: Meta,
    result: Vec<LeadRow>,
    counts: BTreeMap<String, u64>,
    /// How many of them have each reason to be looked at.
    attention: BTreeMap<String, u64>,
    /// How the words were understood, part by part.
    understood: Vec<UnderstoodPart>,
}

/// One lead in a list; personal values masked.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeadRow {
    lead_id: String,
    reference: String,
    name_masked: String,
    email_masked: String,
    phone_masked: String,
    property: Option<PropertyRef>,
    room: Option<String>,
    #[schema(value_type = Option<Price>)]
    price: Option<PriceLine>,
    #[schema(value_type = LeadStatusWord)]
    status: String,
    progress: u8,
    source: Option<String>,
    owner: Option<String>,
    repeat: bool,
    created_at: String,
    last_event_at: String,
    /// A colleague's message or recorded call has reached the student.
    answered: bool,
    /// When an answer is due, while the lead waits for one.
    answer_due_at: Option<String>,
    /// Why it is to be looked at, the most urgent reason first.
    #[schema(value_type = Vec<AttentionWord>)]
    attention: Vec<&'static str>,
    /// When the hold of its room ends, while it runs.
    hold_until: Option<String>,
}

impl LeadRow {
    /// What people call the lead by.
    pub(crate) fn reference(&self) -> &str {
        &self.reference
    }

    /// Takes out what tells of the person; their enquiry stays.
    pub(crate) fn hide_person(&mut self) {
        for masked in [
            &mut self.name_masked,
            &mut self.email_masked,
            &mut self.phone_masked,
        ] {
            HIDDEN.clone_into(masked);
        }
        self.source = None;
    }

    /// Name, address and number as a list shows them.
    pub(crate) const fn masked(&self) -> (&String, &String, &String) {
        (&self.name_masked, &self.email_masked, &self.phone_masked)
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeadProperty)]
pub struct PropertyRef {
    id: String,
    name: String,
    region: String,
}

/// Who I am in the workspace, and what I may do.
///
/// # Errors
/// 401 or 403 for everybody who is no staff.
#[utoipa::path(get, path = "/api/v0/workspace/me", operation_id = "workspace_me", responses((status = 200, body = Success<Me>)))]
pub async fn me(
    State(log): State<EventLog>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    staff: Staff,
) -> ApiResult<Success<Me>> {
    let is = |role| staff.roles.contains(&role);
    let admin = is(Role::Admin);
    let can = Can {
        leads: is(Role::Support) || admin,
        unmask: is(Role::Support) || admin,
        finance: is(Role::Finance) || admin,
        refund_limit_minor: limit_of_role(&settings, admin)
            .map_or(u64::from(u32::MAX), |units| units.saturating_mul(100)),
        grants: admin,
    };
    Ok(Success::new(Me {
        user_id: staff.person.user_id.to_string(),
        name: name_of(&staff.person.user),
        log_position: log.head().await?,
        roles: staff.roles,
        can,
    }))
}

/// Finds any lead by name, e-mail, phone, id or property.
///
/// # Errors
/// 422 for a status, an owner or a reason that does not exist.
#[utoipa::path(get, path = "/api/v0/workspace/leads", params(LeadsQuery),
    responses((status = 200, body = Success<LeadListPage>)))]
pub async fn list_leads(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Query(asked): Query<LeadsQuery>,
) -> ApiResult<Success<LeadListPage>> {
    let paged = (
        asked.p.unwrap_or(1).max(1),
        limit_of(asked.limit, LIMIT, LIMIT_MAX)?,
    );
    let found = page_of(
        (&records, &settings),
        &staff,
        &asked.filters(),
        paged,
        context.lang,
    )
    .await?;
    Ok(Success::new(found))
}

/// A page of the leads that filters leave.
pub(crate) async fn page_of(
    (records, settings): (&Records, &Settings),
    staff: &Staff,
    filters: &LeadFilters,
    (page, limit): (u64, u64),
    lang: Language,
) -> ApiResult<LeadListPage> {
    let (mut filter, understood) = filters.filter(staff, settings)?;
    let pool = records.heard().await?;
    filters.look_up(records, &mut filter).await?;
    let Board {
        rows,
        total,
        counts,
        attention,
    } = query::list(pool, records.log.handles(), &filter, page, limit).await?;
    let mut names = HashMap::new();
    let mut result = Vec::with_capacity(rows.len());
    for row in rows {
        result.push(lead_row(records, settings, row, lang, &mut names).await?);
    }
    let mut counts: BTreeMap<String, u64> = counts.into_iter().collect();
    counts.insert("all".to_owned(), counts.values().sum());
    Ok(LeadListPage {
        meta: Meta::new(total, limit, page),
        result,
        counts,
        attention: attention
            .into_iter()
            .map(|(reason, count)| (reason.key().to_owned(), count))
            .collect(),
        understood: understood.parts.iter().map(UnderstoodPart::from).collect(),
    })
}

/// The words with the id of the payment in place of a token or of a link that opens one.
pub(crate) async fn with_payments(records: &Records, words: &str) -> ApiResult<String> {
    let mut read = Vec::new();
    for word in words.split_whitespace() {
        let last = word.trim_end_matches('/').rsplit('/').next().unwrap_or(word);
        let is_token = last.len() == TOKEN_LENGTH && last.chars().all(|c| c.is_ascii_hexdigit());
        let payment = if is_token {
            let digest = payment_token::digest(last);
            payment_page::find_by_digest(records.read.readers(), &digest).await?
        } else {
            None
        };
        read.push(payment.map_or_else(|| word.to_owned(), |id| id.to_string()));
    }
    Ok(read.join(" "))
}

pub(crate) fn mentions_of(staff: &Staff, word: Option<&str>) -> ApiResult<Option<UserId>> {
    match word.filter(|word| !word.is_empty()) {
        None => Ok(None),
        Some("me") => Ok(Some(staff.person.user_id)),
        Some(word) => Err(ApiError::invalid_field(
            "mentions",
            "choice",
            unknown_value("mentions", word),
        )),
    }
}

pub(crate) fn owner_of(staff: &Staff, word: Option<&str>) -> ApiResult<Option<UserId>> {
    match word.filter(|word| !word.is_empty()) {
        None => Ok(None),
        Some("me") => Ok(Some(staff.person.user_id)),
        Some(id) => UserId::from_str(id)
            .map(Some)
            .map_err(|_| ApiError::invalid_field("owner", "format", say("refusal.owner"))),
    }
}

/// Leads are owned by staff with rights to them: the name of any other account would stand in the timeline without a reveal.
pub(crate) async fn works_on_leads(log: &EventLog, settings: &Settings, user_id: UserId) -> ApiResult<()> {
    let user = log.load::<User>(user_id).await?.state;
    let has_right = [Role::Support, Role::Admin]
        .iter()
        .any(|role| user.roles.contains(role));
    if has_right && user.is_internal(Some(&settings.staff_email_domain)) {
        Ok(())
    } else {
        Err(ApiError::invalid_field("owner", "choice", say("refusal.owner")))
    }
}

/// A stored row as the workspace shows it. `names` remembers members of staff between rows.
pub(crate) async fn lead_row(
    records: &Records,
    settings: &Settings,
    row: BoardRow,
    lang: Language,
    names: &mut HashMap<String, String>,
) -> ApiResult<LeadRow> {
    let listing = match row.inventory_id.as_deref().or(row.root_id.as_deref()) {
        Some(id) => listing_name::find(records.read.readers(), id).await?,
        None => None,
    };
    let price = match (&listing, LeadId::from_str(&row.lead_id)) {
        (Some(listing), Ok(lead_id)) => price_of_row(&records.log, listing, lead_id).await?,
        _ => None,
    };
    let owner = match &row.owner {
        Some(id) => Some(staff_name(&records.log, settings, id, names).await?),
        None => None,
    };
    let status = row.status();
    let time = desk_time(settings);
    let now = time.at;
    let attention = Attention::ALL
        .into_iter()
        .filter(|reason| reason.is_of(&row, &time));
    let attention: Vec<&str> = attention.map(Attention::key).collect();
    let hold_until = row.hold_until.and_then(DateTime::from_timestamp_millis);
    let created: Option<DateTime<chrono::Utc>> = row.created_at.parse().ok();
    let due = created
        .map(|at| (at + TimeDelta::hours(settings.hours_for_answer())).to_rfc3339())
        .filter(|_| row.waits());
    Ok(LeadRow {
        property: listing.as_ref().map(|found| PropertyRef {
            id: found.root_id.clone(),
            name: found.property.clone(),
            region: found.city_in(lang.code()).to_owned(),
        }),
        room: listing
            .as_ref()
            .and_then(|found| found.room_in(lang.code()).map(str::to_owned)),
        price,
        progress: status.progress(),
        answered: row.answered.is_set(),
        attention,
        hold_until: hold_until
            .filter(|ends| *ends > now)
            .map(|ends| ends.to_rfc3339()),
        lead_id: row.lead_id,
        reference: row.reference,
        name_masked: row.name_masked,
        email_masked: row.email_masked,
        phone_masked: row.phone_masked,
        status: row.status,
        source: row.source,
        owner,
        repeat: row.is_repeat.is_set(),
        created_at: row.created_at,
        last_event_at: row.last_event_at,
        answer_due_at: due,
    })
}

/// The lead behind a workspace address.
pub(crate) async fn board_row(records: &Records, id: &str) -> ApiResult<(LeadId, BoardRow)> {
    let absent = || ApiError::not_found(say("refusal.no_lead"));
    let lead_id = LeadId::from_str(id).map_err(|_| absent())?;
    let row = query::row(records.heard().await?, lead_id)
        .await?
        .ok_or_else(absent)?;
    Ok((lead_id, row))
}
