//! What a page tells of its steps: names out of closed lists, and names of fields. Values have no place in it (row N11).

use domain::payment::decline::DeclineCode;
use domain::user_history::MirrorPage;
use http_kit::contract::mirror::{GUARDS, STATES};
use http_kit::contract::words::{DeclineCodeWord, MirrorGuardWord, MirrorPageWord, MirrorStateWord};
use http_kit::error::{ApiError, ApiResult, FieldError};
use http_kit::said::say;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Fields that one report names at most.
const FIELDS_MAX: usize = 60;
/// Letters of a field's or code's name at most.
const NAME_MAX: usize = 40;
/// Steps of the way that are kept: the newest.
const WAY_MAX: usize = 60;

/// One field that holds the page up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MirrorFault)]
pub struct Fault {
    /// The field's name, never what stands in it.
    pub field: String,
    /// The code of its fault.
    pub code: String,
}

/// Where a page stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MirrorReport, example = json!({ "page": "payment", "state": "failed", "guards": [], "faults": [], "fields": ["number"],
    "retries": 1, "declined": "expired_card" }))]
pub struct Report {
    #[schema(value_type = MirrorPageWord)]
    pub page: String,
    #[schema(value_type = MirrorStateWord)]
    pub state: String,
    /// Conditions that are not met.
    #[schema(value_type = Vec<MirrorGuardWord>)]
    pub guards: Vec<String>,
    pub faults: Vec<Fault>,
    /// Names of the fields on screen.
    pub fields: Vec<String>,
    /// How often the network failed and the page tried again.
    pub retries: u16,
    /// The payment provider's last refusal, by its code.
    #[schema(value_type = Option<DeclineCodeWord>)]
    pub declined: Option<String>,
}

/// A report with the way that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub report: Report,
    /// The states passed on this page, the oldest first.
    pub way: Vec<String>,
}

impl Report {
    /// Checks every name against its list or shape.
    ///
    /// # Errors
    /// 422 with each field whose name is none.
    pub fn check(&self) -> ApiResult<()> {
        let mut errors = Vec::new();
        let mut refuse = |field: &str, is_right: bool| {
            if !is_right {
                errors.push(FieldError::new(field, "no_name", say("refusal.mirror_name")));
            }
        };
        refuse("page", MirrorPage::from_key(&self.page).is_some());
        refuse("state", STATES.contains(&self.state.as_str()));
        let guards_known = self.guards.iter().all(|guard| GUARDS.contains(&guard.as_str()));
        refuse("guards", self.guards.len() <= GUARDS.len() && guards_known);
        let faults_named = self
            .faults
            .iter()
            .all(|fault| is_name(&fault.field) && is_name(&fault.code));
        refuse("faults", self.faults.len() <= FIELDS_MAX && faults_named);
        let fields_named = self.fields.iter().all(|field| is_name(field));
        refuse("fields", self.fields.len() <= FIELDS_MAX && fields_named);
        let declined = self.declined.as_deref();
        let is_code = |code: &str| DeclineCode::ALL.iter().any(|known| known.code() == code);
        refuse("declined", declined.is_none_or(is_code));
        if errors.is_empty() {
            Ok(())
        } else {
            Err(ApiError::invalid(errors))
        }
    }
}

/// Lower-case letters, points and underscores, with one digit at most, as in `address_line_1`: neither a number of a card nor a name of a
/// person is one.
pub fn is_name(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let in_shape = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || "_.".contains(sign);
    !text.is_empty() && text.len() <= NAME_MAX && digits <= 1 && text.chars().all(in_shape)
}

impl Told {
    /// The way goes on while the page is the same; another page begins a way of its own.
    pub fn after(before: Option<Self>, report: Report) -> Self {
        let mut way = before
            .filter(|before| before.report.page == report.page)
            .map(|before| before.way)
            .unwrap_or_default();
        if way.last() != Some(&report.state) {
            way.push(report.state.clone());
        }
        let surplus = way.len().saturating_sub(WAY_MAX);
        way.drain(..surplus);
        Self { report, way }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report {
            page: "payment".to_owned(),
            state: "failed".to_owned(),
            guards: vec!["link_open".to_owned()],
            faults: vec![Fault {
                field: "address_line_1".to_owned(),
                code: "fault_required".to_owned(),
            }],
            fields: vec!["number".to_owned()],
            retries: 1,
            declined: Some("expired_card".to_owned()),
        }
    }

    #[test]
    fn report_takes_names_and_refuses_values() {
        report().check().unwrap();
        for value in ["4242424242424242", "42", "Mei Lin", "mei@example.com", ""] {
            let mut told = report();
            told.faults[0].field = value.to_owned();
            told.state = value.to_owned();
            let refused = told.check().unwrap_err();
            let fields: Vec<&str> = refused.errors.iter().map(|error| error.field.as_str()).collect();
            assert_eq!(fields, ["state", "faults"], "{value}");
        }
    }

    #[test]
    fn way_goes_on_within_one_page() {
        let first = Told::after(None, report());
        let same = Told::after(Some(first.clone()), report());
        assert_eq!(same.way, ["failed"]);
        let next = Report {
            state: "init_loading".to_owned(),
            ..report()
        };
        let next = Told::after(Some(same), next);
        assert_eq!(next.way, ["failed", "init_loading"]);
        let other = Report {
            page: "lead_form".to_owned(),
            state: "form.editing".to_owned(),
            ..report()
        };
        assert_eq!(Told::after(Some(next), other).way, ["form.editing"]);
    }
}
