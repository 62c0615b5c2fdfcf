//! Texts of the house: administrators write the words of its pages, publish them as versions, and take them back to the text that ships.

use std::collections::HashMap;
use std::sync::Arc;

use ::content::access::EDITORS;
use ::content::commands::edit_text::{Edit, EditText, edit_text};
use ::content::error::TextError;
use ::content::{NAMES, TextBlock, Values, read_blocks};
use axum::extract::State;
use chrono::DateTime;
use domain::id::OwnTextId;
use domain::language::Language;
use domain::moment::Moment;
use domain::own_text::{OwnText, OwnTextRejection, PageText};
use eventlog::CommitError;
use http_kit::body::Body;
use http_kit::caller::Staff;
use http_kit::contract::words::LanguageWord;
use http_kit::endpoints::{Endpoints, routes};
use http_kit::envelope::Success;
use http_kit::error::{ApiError, ApiResult, Failure};
use http_kit::permissions::Access;
use http_kit::request::{Path, RequestContext};
use http_kit::said::say;
use platform::config::Settings;
use projections::own_text::{self, TextLine};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Services;
use crate::staff_names::staff_name;

mod shipped;

use shipped::{find_shipped, hash_text, list_pages};

const EDITING: Access = Access::Staff(EDITORS);

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .endpoint(EDITING, routes!(list_texts))
        .endpoint(EDITING, routes!(show_text))
        .endpoint(EDITING, routes!(write_text))
        .endpoint(EDITING, routes!(publish_text))
        .endpoint(EDITING, routes!(take_text_back))
}

/// A page's text in one language.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseTextLine {
    page: String,
    #[schema(value_type = LanguageWord)]
    language: &'static str,
    /// Of the text that ships.
    title: String,
    /// The version that is shown; null where the text that ships is.
    version: Option<i64>,
    published_at: Option<String>,
    has_draft: bool,
    /// The text that ships has changed since the shown one was written.
    is_older: bool,
}

/// Words of a page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseWords {
    title: String,
    description: String,
    #[serde(default)]
    lead: String,
    /// What the page's button says.
    #[serde(default)]
    act: String,
    /// Markdown.
    body: String,
}

/// A text that is not shown yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseTextDraft {
    text: HouseWords,
    is_older: bool,
    by: String,
    at: String,
    /// The Markdown as the page would draw it.
    blocks: Vec<TextBlock>,
}

/// A text as it was published.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseTextVersion {
    number: u32,
    text: HouseWords,
    is_older: bool,
    by: String,
    at: String,
}

/// Everything of a page's text in one language.
#[derive(Debug, Serialize, ToSchema)]
pub struct HouseText {
    page: String,
    #[schema(value_type = LanguageWord)]
    language: &'static str,
    /// Where the text stands: an edit names it.
    revision: u64,
    shipped: HouseWords,
    draft: Option<HouseTextDraft>,
    /// The newest first.
    versions: Vec<HouseTextVersion>,
    /// The newest version is shown.
    is_shown: bool,
    /// Names that a text may use in braces.
    names: Vec<&'static str>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 0, "text": { "title": "About us", "description": "Who lets these rooms.",
    "lead": "", "act": "", "body": "We let rooms in Leeds." } }))]
pub struct WriteHouseText {
    /// The revision of the text that was read.
    revision: u64,
    text: HouseWords,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "revision": 1 }))]
pub struct HouseTextStep {
    /// The revision of the text that was read.
    revision: u64,
}

/// Every text of a page, in every language.
#[utoipa::path(get, path = "/api/v0/workspace/texts", tag = "administration",
    responses((status = 200, body = Success<Vec<HouseTextLine>>)))]
pub async fn list_texts(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
) -> ApiResult<Success<Vec<HouseTextLine>>> {
    let known = own_text::list_lines(records.heard().await?).await?;
    let mut lines = Vec::new();
    for page in list_pages() {
        for language in Language::SERVED {
            let Some(shipped) = find_shipped(&settings, page, language) else {
                continue;
            };
            let of_page = |line: &&TextLine| line.page == page && line.language == language.code();
            let own = known.iter().find(of_page);
            let written_after = own.and_then(|own| own.shipped.as_deref());
            lines.push(HouseTextLine {
                page: page.to_owned(),
                language: language.code(),
                version: own.and_then(|own| own.version),
                published_at: own.and_then(|own| own.published_at).map(write_moment),
                has_draft: own.is_some_and(|own| own.drafted_at.is_some()),
                is_older: written_after.is_some_and(|hash| hash != hash_text(&shipped)),
                title: shipped.title,
            });
        }
    }
    Ok(Success::new(lines))
}

/// A page's text in one language: what ships, the draft, and every version.
///
/// # Errors
/// 404 for an unknown page or language.
#[utoipa::path(get, path = "/api/v0/workspace/texts/{page}/{language}", tag = "administration",
    params(("page" = String, Path), ("language" = String, Path)),
    responses((status = 200, body = Success<HouseText>), (status = 404, body = Failure)))]
pub async fn show_text(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    _context: RequestContext,
    _staff: Staff,
    Path((page, language)): Path<(String, String)>,
) -> ApiResult<Success<HouseText>> {
    let place = find_place(&settings, &page, &language)?;
    Ok(Success::new(show(&records, &settings, place).await?))
}

/// Keeps a draft in place of the one before, once for each Idempotency-Key.
///
/// # Errors
/// 404 for an unknown page or language, 409 with the text where it was changed after `revision`, 422 with the field.
#[utoipa::path(put, path = "/api/v0/workspace/texts/{page}/{language}/draft", tag = "administration",
    params(("page" = String, Path), ("language" = String, Path)), request_body = WriteHouseText,
    responses((status = 200, body = Success<HouseText>), (status = 404, body = Failure), (status = 409, body = Failure),
    (status = 422, body = Failure)))]
pub async fn write_text(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((page, language)): Path<(String, String)>,
    Body(body): Body<WriteHouseText>,
) -> ApiResult<Success<HouseText>> {
    let place = find_place(&settings, &page, &language)?;
    let edit = Edit::Write {
        text: Box::new(read_words(&body.text)),
        shipped: hash_text(&place.shipped),
    };
    let asked = context.command(staff.actor(), &body);
    take_edit(
        (&records, settings.as_ref()),
        &staff,
        place,
        (body.revision, edit),
        &asked,
    )
    .await
}

/// Shows the draft as the next version, once for each Idempotency-Key.
///
/// # Errors
/// 404 for an unknown page or language, 409 without a draft, and with the text where it was changed after `revision`.
#[utoipa::path(post, path = "/api/v0/workspace/texts/{page}/{language}/publish", tag = "administration",
    params(("page" = String, Path), ("language" = String, Path)), request_body = HouseTextStep,
    responses((status = 200, body = Success<HouseText>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn publish_text(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((page, language)): Path<(String, String)>,
    Body(body): Body<HouseTextStep>,
) -> ApiResult<Success<HouseText>> {
    let place = find_place(&settings, &page, &language)?;
    let asked = context.command(staff.actor(), &body);
    let edit = (body.revision, Edit::Publish);
    take_edit((&records, settings.as_ref()), &staff, place, edit, &asked).await
}

/// Shows the text that ships again, once for each Idempotency-Key. Its versions stay.
///
/// # Errors
/// 404 for an unknown page or language, 409 where it is shown already, and with the text where it was changed after `revision`.
#[utoipa::path(post, path = "/api/v0/workspace/texts/{page}/{language}/take_back", tag = "administration",
    params(("page" = String, Path), ("language" = String, Path)), request_body = HouseTextStep,
    responses((status = 200, body = Success<HouseText>), (status = 404, body = Failure), (status = 409, body = Failure)))]
pub async fn take_text_back(
    State(records): State<Records>,
    State(settings): State<Arc<Settings>>,
    context: RequestContext,
    staff: Staff,
    Path((page, language)): Path<(String, String)>,
    Body(body): Body<HouseTextStep>,
) -> ApiResult<Success<HouseText>> {
    let place = find_place(&settings, &page, &language)?;
    let asked = context.command(staff.actor(), &body);
    let edit = (body.revision, Edit::TakeBack);
    take_edit((&records, settings.as_ref()), &staff, place, edit, &asked).await
}

/// A page in a language, with the text that ships for it.
struct TextPlace {
    page: String,
    language: Language,
    shipped: PageText,
}

fn find_place(settings: &Settings, page: &str, language: &str) -> ApiResult<TextPlace> {
    let served = Language::from_code(language).filter(|language| Language::SERVED.contains(language));
    let found = served.and_then(|language| {
        let page = list_pages().find(|known| *known == page)?;
        Some(TextPlace {
            page: page.to_owned(),
            language,
            shipped: find_shipped(settings, page, language)?,
        })
    });
    found.ok_or_else(|| ApiError::not_found(say("refusal.no_house_text")))
}

async fn take_edit(
    (records, settings): (&Records, &Settings),
    staff: &Staff,
    place: TextPlace,
    (revision, edit): (u64, Edit),
    asked: &eventlog::Context,
) -> ApiResult<Success<HouseText>> {
    let edit = EditText {
        page: place.page.clone(),
        language: place.language,
        revision,
        by: staff.person.user_id,
        edit,
    };
    let done = match edit_text(&records.log, &edit, asked).await {
        Ok(done) => done,
        Err(CommitError::Rejected(TextError::ChangedMeanwhile)) => {
            let refused = refuse(TextError::ChangedMeanwhile);
            return Err(refused.with_current(&show(records, settings, place).await?));
        }
        Err(error) => return Err(error.map(refuse).into()),
    };
    let position = match done.last {
        0 => records.log.head().await?,
        last => last,
    };
    records.answers_for(position);
    Ok(Success::at(show(records, settings, place).await?, position))
}

fn refuse(error: TextError) -> ApiError {
    match error {
        TextError::Empty { field } => ApiError::invalid_field(field, "required", say("validation.required")),
        TextError::TooLong { field, max } => {
            let said = say("refusal.at_most_characters");
            ApiError::invalid_field(field, "too_long", said.with("field", field).with("max", max))
        }
        TextError::ChangedMeanwhile => {
            ApiError::conflict("changed_meanwhile", say("refusal.house_text_changed"))
        }
        TextError::Rejected(OwnTextRejection::NoDraft) => {
            ApiError::conflict("no_draft", say("refusal.house_text_no_draft"))
        }
        TextError::Rejected(OwnTextRejection::NotShown) => {
            ApiError::conflict("not_shown", say("refusal.house_text_not_shown"))
        }
    }
}

async fn show(records: &Records, settings: &Settings, place: TextPlace) -> ApiResult<HouseText> {
    let id = OwnTextId::of_page(&place.page, place.language);
    let read = records.log.load::<OwnText>(id).await?;
    let (revision, own) = (read.revision, read.state);
    let hash = hash_text(&place.shipped);
    let mut names = HashMap::new();
    let draft = match own.draft {
        Some(draft) => Some(HouseTextDraft {
            blocks: read_blocks(&draft.text.body, &sample_values(settings)),
            text: show_words(*draft.text),
            is_older: draft.shipped != hash,
            by: staff_name(&records.log, settings, &draft.by.to_string(), &mut names).await?,
            at: draft.at.to_rfc3339(),
        }),
        None => None,
    };
    let mut versions = Vec::new();
    for version in own.versions.into_iter().rev() {
        versions.push(HouseTextVersion {
            number: version.number,
            text: show_words(*version.text),
            is_older: version.shipped != hash,
            by: staff_name(&records.log, settings, &version.by.to_string(), &mut names).await?,
            at: version.at.to_rfc3339(),
        });
    }
    Ok(HouseText {
        page: place.page,
        language: place.language.code(),
        revision,
        shipped: show_words(place.shipped),
        draft,
        versions,
        is_shown: own.is_shown,
        names: NAMES.to_vec(),
    })
}

/// Values of a preview; a name that is not set stays in its braces.
fn sample_values(settings: &Settings) -> Values {
    let known = NAMES.map(|name| match name {
        "brand" => (name, settings.brand_name_now()),
        _ => (name, format!("{{{name}}}")),
    });
    Values::new(known)
}

fn read_words(words: &HouseWords) -> PageText {
    let trimmed = |text: &str| text.trim().to_owned();
    PageText {
        title: trimmed(&words.title),
        description: trimmed(&words.description),
        lead: trimmed(&words.lead),
        act: trimmed(&words.act),
        body: trimmed(&words.body),
    }
}

fn show_words(text: PageText) -> HouseWords {
    HouseWords {
        title: text.title,
        description: text.description,
        lead: text.lead,
        act: text.act,
        body: text.body,
    }
}

fn write_moment(ms: i64) -> String {
    let at: Moment = DateTime::from_timestamp_millis(ms).unwrap_or_default();
    at.to_rfc3339()
}
