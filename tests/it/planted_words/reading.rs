//! Reads whatever can be read of a person.

use std::collections::BTreeSet;

use serde_json::Value;
use tests::document;

use super::stories::Known;
use super::{Mei, Search};
use crate::market::log_of;
use crate::visitor::Visitor;

/// Streams, which do not end.
const ENDLESS: [&str; 2] = ["/stream", "/live"];

/// Every address that reads, with each of these ids in it.
fn addresses(known: &Known, last: u64) -> Vec<String> {
    let document: Value = serde_json::from_str(&document()).unwrap();
    let all = document["paths"].as_object().unwrap().iter();
    let routes = all
        .filter(|(route, item)| item.get("get").is_some() && !ENDLESS.iter().any(|end| route.ends_with(end)));
    let mut found = BTreeSet::new();
    for (route, _) in routes {
        let with = |id: &str| {
            let parts = route
                .split('/')
                .map(|part| if part.starts_with('{') { id } else { part });
            parts.collect::<Vec<_>>().join("/")
        };
        if route.contains("{position}") {
            found.extend((1..=last).map(|position| with(&position.to_string())));
        } else {
            found.extend(known.ids.iter().map(|id| with(id)));
        }
    }
    let lead = &known.lead;
    found.extend([
        format!("/api/v0/workspace/leads/{lead}/timeline/events?from=1"),
        format!("/api/v0/workspace/why?aggregate={lead}&path=/user_details/name"),
        "/api/v0/workspace/approvals?decided=true".to_owned(),
        "/api/v0/workspace/payments/unknown_notices?decided=true".to_owned(),
    ]);
    for id in &known.ids {
        found.extend([
            format!("/api/v0/workspace/approvals?payment={id}"),
            format!("/api/v0/workspace/payment_links?lead_id={id}"),
            format!("/api/v0/workspace/cases?lead_id={id}"),
            format!("/payment/{id}"),
            format!("/support/{id}"),
        ]);
    }
    found.into_iter().collect()
}

/// The planted texts that answers show, to whom and where. An administrator reads whatever staff can.
pub(super) async fn answers(mei: &Mei<'_>, known: &Known, search: &Search) -> BTreeSet<String> {
    let last = log_of(&mei.market.server).await.head().await.unwrap();
    let stranger = Visitor::new(&mei.market.server);
    let mut found = BTreeSet::new();
    for path in addresses(known, last) {
        let everybody = [
            (&mei.admin, "admin"),
            (&mei.own, "the person"),
            (&stranger, "a stranger"),
        ];
        let is_for_staff = path.starts_with("/api/v0/workspace/");
        let callers = if is_for_staff {
            &everybody[..1]
        } else {
            &everybody[..]
        };
        for (by, name) in callers {
            let answer = by.client().get(mei.market.server.url(&path)).send().await;
            let bytes = answer.unwrap().bytes().await.unwrap();
            let texts = search.found_in(&bytes).into_iter();
            found.extend(texts.map(|text| format!("{path} to {name}: {text}")));
        }
    }
    found
}
