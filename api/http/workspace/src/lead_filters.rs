//! The filters of the leads' list: as an address and a saved view write them, and as the read model takes them.

use chrono::{NaiveDate, TimeDelta};
use domain::calendar;
use domain::lead::LeadStatus;
use http_kit::caller::Staff;
use http_kit::contract::words::{AttentionWord, LeadStageWord, LeadStatusWord};
use http_kit::error::{ApiError, ApiResult};
use http_kit::said::{Said, say, unknown_value};
use platform::clock;
use platform::config::Settings;
use projections::lead_board::attention::{Attention, DeskTime};
use projections::lead_board::filter::{Filter, Stage};
use projections::lead_steps::StepKind;
use projections::lead_steps::sequence::{self, WantedStep};
use records::Records;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::lead_words::{Meaning, Understood};
use crate::leads::{mentions_of, owner_of, with_payments};

/// Letters of one filter; more are no name of anything.
const LETTERS_MAX: usize = 200;

/// Filters of a list of leads. One that is left out narrows nothing.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeadFilters {
    /// Words, as typed into the box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LeadStatusWord>)]
    pub status: Option<String>,
    /// Only leads with this reason to be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<AttentionWord>)]
    pub attention: Option<String>,
    /// A stage of the desk's work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LeadStageWord>)]
    pub stage: Option<String>,
    /// Steps that happened one after another, between commas: `declined,declined,paid<60` (within sixty minutes of the step before),
    /// `enquired,!answered<120` (not answered within two hours), `declined:expired_card` (with that code).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<String>,
    /// A member of staff's id, or `me`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// `me`: only leads with a note that mentions the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mentions: Option<String>,
    /// Only leads of this team, or `mine`: of the caller's teams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// A property's id, name in addresses, or name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Days of UTC such as 2026-11-26; both ends count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_in_from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_in_to: Option<String>,
}

fn given(text: Option<&String>) -> Option<String> {
    let text = text?.trim();
    (!text.is_empty()).then(|| text.chars().take(LETTERS_MAX).collect())
}

fn day(text: Option<&String>, field: &'static str) -> ApiResult<Option<NaiveDate>> {
    given(text)
        .map(|text| {
            let wrong = || ApiError::invalid_field(field, "invalid", say("validation.date_format"));
            calendar::read_day(&text).ok_or_else(wrong)
        })
        .transpose()
}

/// Both ends of a period; the end may not lie before the beginning.
fn period(
    (from, from_field): (Option<&String>, &'static str),
    (to, to_field): (Option<&String>, &'static str),
) -> ApiResult<(Option<String>, Option<String>)> {
    let (from, to) = (day(from, from_field)?, day(to, to_field)?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(ApiError::invalid_field(
            to_field,
            "order",
            say("refusal.lead_days_order"),
        ));
    }
    Ok((from.map(|day| day.to_string()), to.map(|day| day.to_string())))
}

/// The word for the caller's teams; no team can be called so.
pub(crate) const MY_TEAMS: &str = "mine";

/// The moment that the desk looks at its leads, with the time for an answer of the settings.
pub(crate) fn desk_time(settings: &Settings) -> DeskTime {
    DeskTime {
        at: clock::now(),
        answer_within: TimeDelta::hours(settings.hours_for_answer()),
    }
}

/// The team of that name; with `mine` those that the caller is a member of.
pub(crate) fn teams_of(staff: &Staff, settings: &Settings, team: String) -> Vec<String> {
    if team != MY_TEAMS {
        return vec![team];
    }
    let address = staff.person.user.email.as_ref();
    address.map_or_else(Vec::new, |address| settings.teams_of(&address.canonical()))
}

impl LeadFilters {
    /// As the read model takes them, with what the words were understood as.
    ///
    /// # Errors
    /// 422 for a status, an owner, a reason, a stage or a day that does not exist.
    pub(crate) fn filter(&self, staff: &Staff, settings: &Settings) -> ApiResult<(Filter, Understood)> {
        let time = desk_time(settings);
        self.wanted_steps()?;
        let words = given(self.q.as_ref()).unwrap_or_default();
        let understood = Understood::of(&words, time.at.date_naive());
        let created = period(
            (self.created_from.as_ref(), "created_from"),
            (self.created_to.as_ref(), "created_to"),
        )?;
        let move_in = period(
            (self.move_in_from.as_ref(), "move_in_from"),
            (self.move_in_to.as_ref(), "move_in_to"),
        )?;
        let mut filter = Filter {
            words: understood.rest.clone(),
            status: word(self.status.as_ref(), "status", LeadStatus::from_key)?,
            owner: owner_of(staff, self.owner.as_deref())?,
            attention: word(self.attention.as_ref(), "attention", Attention::from_key)?,
            stage: word(self.stage.as_ref(), "stage", Stage::from_key)?,
            mentions: mentions_of(staff, self.mentions.as_deref())?,
            teams: given(self.team.as_ref()).map(|team| teams_of(staff, settings, team)),
            city: given(self.city.as_ref()),
            property: given(self.property.as_ref()),
            partner: given(self.partner.as_ref()),
            source: given(self.source.as_ref()),
            created_from: created.0,
            created_to: created.1,
            move_in_from: move_in.0,
            move_in_to: move_in.1,
            leads: None,
            time,
        };
        for part in &understood.parts {
            narrow(&mut filter, &part.meaning);
        }
        Ok((filter, understood))
    }
}

/// Steps of one sequence at most.
const STEPS_MAX: usize = 8;
/// A year in minutes: the longest time that a step may be given.
const MINUTES_MAX: i64 = 525_600;

impl LeadFilters {
    /// The sequence that is asked for; none where it is left out.
    ///
    /// # Errors
    /// 422 for a step that does not exist, and for a sequence that begins with an absence.
    pub(crate) fn wanted_steps(&self) -> ApiResult<Vec<WantedStep>> {
        let Some(text) = given(self.steps.as_ref()) else {
            return Ok(Vec::new());
        };
        let refused = || ApiError::invalid_field("steps", "invalid", say("refusal.steps"));
        let steps: Option<Vec<WantedStep>> = text.split(',').map(|step| wanted_step(step.trim())).collect();
        let steps = steps.ok_or_else(refused)?;
        if let Some(unknown) = steps.iter().find_map(find_unknown_code) {
            return Err(ApiError::invalid_field("steps", "unknown_code", unknown));
        }
        let begins = steps.first().is_some_and(|step| !step.is_absent);
        if !begins || steps.len() > STEPS_MAX {
            return Err(refused());
        }
        Ok(steps)
    }

    /// Looks up what a filter names indirectly: payments by their tokens, leads by the steps that happened to them.
    pub(crate) async fn look_up(&self, records: &Records, filter: &mut Filter) -> ApiResult<()> {
        filter.words = with_payments(records, &filter.words).await?;
        let steps = self.wanted_steps()?;
        if !steps.is_empty() {
            let now = filter.time.at.timestamp_millis();
            filter.leads = Some(sequence::search(records.read.readers(), &steps, now).await?);
        }
        Ok(())
    }
}

/// `!answered<120`
fn wanted_step(text: &str) -> Option<WantedStep> {
    let (is_absent, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (text, within_ms) = match text.split_once('<') {
        Some((text, minutes)) => {
            let minutes = minutes.parse::<i64>().ok()?;
            if !(1..=MINUTES_MAX).contains(&minutes) {
                return None;
            }
            (text, Some(minutes * 60_000))
        }
        None => (text, None),
    };
    let (kind, code) = match text.split_once(':') {
        Some((kind, code)) => (kind, Some(code.to_owned())),
        None => (text, None),
    };
    Some(WantedStep {
        kind: StepKind::from_key(kind)?,
        code,
        within_ms,
        is_absent,
    })
}

/// What is wrong with a step's code: its kind has none, or others.
fn find_unknown_code(step: &WantedStep) -> Option<Said> {
    let code = step.code.as_deref()?;
    let codes = step.kind.codes();
    if codes.contains(&code) {
        return None;
    }
    let refusal = if codes.is_empty() {
        "refusal.step_without_code"
    } else {
        "refusal.step_code"
    };
    Some(
        say(refusal)
            .with("step", step.kind.key())
            .with("code", code)
            .with("codes", codes.join(", ")),
    )
}

/// A filter beside the box counts before a word in it.
fn narrow(filter: &mut Filter, meaning: &Meaning) {
    let days = |from: &mut Option<String>, to: &mut Option<String>, (first, last): (NaiveDate, NaiveDate)| {
        from.get_or_insert_with(|| first.to_string());
        to.get_or_insert_with(|| last.to_string());
    };
    match meaning {
        Meaning::Status(status) => filter.status = filter.status.or(Some(*status)),
        Meaning::Attention(reason) => filter.attention = filter.attention.or(Some(*reason)),
        Meaning::Created(first, last) => {
            days(&mut filter.created_from, &mut filter.created_to, (*first, *last));
        }
        Meaning::MovesIn(first, last) => {
            days(&mut filter.move_in_from, &mut filter.move_in_to, (*first, *last));
        }
        Meaning::Contact | Meaning::Id | Meaning::Words => {}
    }
}

fn word<T>(
    text: Option<&String>,
    field: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> ApiResult<Option<T>> {
    match text.map(String::as_str).filter(|word| !word.is_empty()) {
        None => Ok(None),
        Some(word) => read(word)
            .map(Some)
            .ok_or_else(|| ApiError::invalid_field(field, "choice", unknown_value(field, word))),
    }
}
