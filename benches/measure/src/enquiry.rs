//! The enquiry of the workloads: 630 bytes of JSON as one event, and about 140 bytes for a step that follows.

use serde::{Deserialize, Serialize};

/// A lead as the rivals' first event holds it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    pub inventory_id: u64,
    pub region_id: u64,
    pub user: Person,
    pub move_in_date: String,
    pub lease_duration: u32,
    pub budget_minor: u32,
    pub currency: String,
    pub university: String,
    pub intake: String,
    pub lead_source: String,
    pub source: Source,
}

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub name: String,
    pub email: String,
    pub phone: String,
}

/// Where the lead came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub final_url: String,
    pub referrer: String,
    pub utm_source: String,
    pub utm_medium: String,
    pub utm_campaign: String,
    pub gclid: String,
}

/// One step of a lead's way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advanced {
    pub step: String,
    pub amount_minor: i64,
    pub currency: String,
    pub actor: String,
    pub note: String,
}

const STEPS: [&str; 4] = [
    "BOOK_FORM",
    "PAYMENT_FORM_DETAILS",
    "PAYMENT_INITIATED",
    "PAYMENT_SUCCESS",
];

/// The enquiry with this number.
pub fn submitted(number: u64) -> Submitted {
    let person = number % 100_000;
    Submitted {
        inventory_id: 100_000 + number % 90_000,
        region_id: number % 1_500,
        user: Person {
            name: format!("Student Number {person}"),
            email: format!("student.{person}@example-university.example"),
            phone: format!("+44 7700 9{person:05}"),
        },
        move_in_date: "2027-09-12".to_owned(),
        lease_duration: 44,
        budget_minor: 27_500,
        currency: "GBP".to_owned(),
        university: "University of Somewhere, Main Campus".to_owned(),
        intake: "july_to_september".to_owned(),
        lead_source: "property_page_book_now".to_owned(),
        source: Source {
            final_url: FINAL_URL.to_owned(),
            referrer: "https://www.search.example/".to_owned(),
            utm_source: "search".to_owned(),
            utm_medium: "cpc".to_owned(),
            utm_campaign: "uk-london-students-2027".to_owned(),
            gclid: "EAIaIQobChMI0f7".to_owned(),
        },
    }
}

const FINAL_URL: &str = "https://rooms.example/places/some-residence-london-2201/form?lease_duration=44";

/// The step with this number.
pub fn advanced(number: u64) -> Advanced {
    let step = STEPS[usize::try_from(number % 4).unwrap_or_default()];
    Advanced {
        step: step.to_owned(),
        amount_minor: 25_907,
        currency: "GBP".to_owned(),
        actor: "student".to_owned(),
        note: "deposit via card provider, retry none".to_owned(),
    }
}

/// What a browser sends to `/api/v0/leads`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    pub lead: Payload,
}

/// The lead in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Payload {
    pub state: String,
    pub user_details: Person,
    pub data: Wish,
    pub meta: Meta,
    pub source_details: Source,
}

/// What is looked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Wish {
    pub university: String,
    pub intake: String,
    pub lease_duration: String,
    pub budget: u32,
    pub budget_currency: String,
    pub budget_duration: String,
    pub user_query: String,
}

/// What the form knows of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Meta {
    pub variant: String,
    pub lead_source: String,
}

/// The JSON of the enquiry with this number: 616 bytes or a few more, each about another person.
pub fn request(number: u64) -> String {
    asking(number, format!("Is there a desk in the room? ({number})"))
}

/// The same with a longer question: 1,000 bytes or a few more.
pub fn long_request(number: u64) -> String {
    let question = "Is there a desk in the room, and may I bring a bicycle along? ".repeat(7);
    asking(number, format!("{} ({number})", &question[..410]))
}

fn asking(number: u64, question: String) -> String {
    let said = submitted(number);
    let request = Request {
        lead: Payload {
            state: "created".to_owned(),
            user_details: Person {
                name: "Ada Lovelace".to_owned(),
                email: format!("s{number}@example.org"),
                phone: "+447700900123".to_owned(),
            },
            data: Wish {
                university: said.university,
                intake: said.intake,
                lease_duration: "44".to_owned(),
                budget: 275,
                budget_currency: said.currency,
                budget_duration: "weekly".to_owned(),
                user_query: question,
            },
            meta: Meta {
                variant: "enquire".to_owned(),
                lead_source: said.lead_source,
            },
            source_details: said.source,
        },
    };
    serde_json::to_string(&request).expect("a request is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_those_that_the_goals_speak_of() {
        let submitted = serde_json::to_vec(&submitted(12_345)).unwrap().len();
        let advanced = serde_json::to_vec(&advanced(1)).unwrap().len();
        let (request, long) = (request(12_345).len(), long_request(12_345).len());
        assert!((600..=660).contains(&submitted), "{submitted}");
        assert!((110..=150).contains(&advanced), "{advanced}");
        assert!((590..=720).contains(&request), "{request}");
        assert!((980..=1_050).contains(&long), "{long}");
    }
}
