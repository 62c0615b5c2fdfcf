//! Whether the acts of a booking are one account's: the enquiry, the code that proved an address, the login, and the payment. What the
//! log knows is the account behind each act, or that there was none, and marks of the devices of enquiry and payment.

use domain::aggregate::Decide as _;
use domain::attribution::DeviceMark;
use domain::user::User;
use projections::lead_timeline::query::TimelineRow;

use super::{EvidenceLine, to_the_second};

/// Acts by which a payer binds themselves.
const ACTS: [&str; 4] = ["LeadCreated", "PaymentOpened", "PaymentBegun", "PaymentConfirmed"];

/// Adds to each act whose it was: an account with the moments at which its address was proved and its login began, or no account that had
/// logged in.
pub(super) fn say_whose_acts(lines: &mut [EvidenceLine], rows: &[&TimelineRow]) {
    for line in lines.iter_mut().filter(|line| ACTS.contains(&line.kind.as_str())) {
        let row = rows.iter().find(|row| row.event_id == line.event_id);
        let said = row.and_then(|row| whose(row, rows));
        line.text.extend(said);
    }
}

/// Says of the payment whether it was begun on the device of the enquiry; nothing where one of the marks is not known, or the enquiry's
/// line was struck.
pub(super) fn say_the_device(lines: &mut [EvidenceLine], marks: Option<(DeviceMark, DeviceMark)>) {
    if !lines.iter().any(|line| line.kind == "LeadCreated") {
        return;
    }
    let begun = lines.iter_mut().rfind(|line| line.kind == "PaymentBegun");
    let (Some(line), Some((enquiry, payment))) = (begun, marks) else {
        return;
    };
    let is_same = (
        enquiry.network == payment.network,
        enquiry.browser == payment.browser,
    );
    line.text.push_str(match is_same {
        (true, true) => ", from the network and in the browser of the enquiry",
        (true, false) => ", from the network of the enquiry, in another browser",
        (false, true) => ", in the browser of the enquiry, from another network",
        (false, false) => ", from another network and in another browser than the enquiry",
    });
}

fn whose(act: &TimelineRow, rows: &[&TimelineRow]) -> Option<String> {
    let account = match (act.actor_kind.as_str(), act.actor_id.as_deref()) {
        ("student", Some(account)) => account,
        ("visitor", _) => return Some(", without a login".to_owned()),
        _ => return None,
    };
    let last = |kind: &str| {
        let own = rows.iter().filter(|row| {
            (row.kind.as_str(), row.stream_id.as_str()) == (User::KIND, account)
                && row.event_type == kind
                && row.position < act.position
        });
        own.max_by_key(|row| row.position).copied()
    };
    let at = |row: &TimelineRow| to_the_second(&row.recorded_at);
    let proved = last("UserVerified").map(|proved| {
        let at = at(proved);
        format!(", whose address a one-time code proved at {at}")
    });
    let login = last("UserSessionOpened").map(|login| format!(", in the login of {}", at(login)));
    let account = format!(", logged in as the account {account}");
    Some([Some(account), proved, login].into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use tables::Flag;

    use super::*;

    fn row(position: i64, event_type: &str, kind: &str, actor: (&str, Option<&str>)) -> TimelineRow {
        TimelineRow {
            position,
            kind: kind.to_owned(),
            stream_id: "u1".to_owned(),
            revision: position,
            event_id: format!("e{position}"),
            event_type: event_type.to_owned(),
            recorded_at: format!("2026-11-26T10:00:0{position}.000001Z"),
            actor_kind: actor.0.to_owned(),
            actor_id: actor.1.map(str::to_owned),
            correlation_id: String::new(),
            causation_id: None,
            sentence: String::new(),
            params: "{}".to_owned(),
            failed: Flag::from(false),
            changes: "[]".to_owned(),
        }
    }

    #[test]
    fn acts_name_their_account_its_proof_and_its_login() {
        let rows = [
            row(1, "LeadCreated", "lead", ("visitor", None)),
            row(2, "UserVerified", "user", ("visitor", None)),
            row(3, "UserSessionOpened", "user", ("student", Some("u1"))),
            row(4, "PaymentConfirmed", "payment", ("student", Some("u1"))),
        ];
        let rows: Vec<&TimelineRow> = rows.iter().collect();
        let line = |row: &&TimelineRow| EvidenceLine {
            at: row.recorded_at.clone(),
            text: "x".to_owned(),
            event_id: row.event_id.clone(),
            position: row.position,
            kind: row.event_type.clone(),
        };
        let mut lines: Vec<EvidenceLine> = rows.iter().map(line).collect();
        say_whose_acts(&mut lines, &rows);
        assert_eq!(lines[0].text, "x, without a login");
        assert_eq!(lines[1].text, "x");
        assert_eq!(
            lines[3].text,
            "x, logged in as the account u1, whose address a one-time code proved at 2026-11-26 10:00:02 UTC, in the login of 2026-11-26 10:00:03 UTC"
        );
    }
}
