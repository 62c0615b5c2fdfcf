//! What the lines say beyond their own events. Whether the acts of a booking are one account's: the enquiry, the code that proved an
//! address, the login, and the payment; and whether the bank checked the payer. What the log knows is the account behind each act, or that
//! there was none, and marks of the devices of enquiry and payment.
//!
//! Each is told from the whole history, so that a struck line makes no other one say what was not so; where the bank does not read the line
//! that it rests on, it is left out.

use std::collections::HashSet;

use domain::aggregate::Decide as _;
use domain::attribution::DeviceMark;
use domain::moment::Moment;
use domain::payment::Payment;
use domain::payment::evidence::Evidence as Noted;
use domain::user::User;
use projections::lead_timeline::query::TimelineRow;
use records::error::RecordsError;
use uuid::Uuid;

use super::disclosed::may_leave;
use super::sentence::say_event;
use super::{Choice, Cut, EvidenceLine, to_the_second};

/// Acts by which a payer binds themselves.
const ACTS: [&str; 4] = ["LeadCreated", "PaymentOpened", "PaymentBegun", "PaymentConfirmed"];
/// A bank's check of the payer, and what begins or ends an attempt to pay, after which the check is asked no more.
const CHECKS: [&str; 5] = [
    CHECK,
    "PaymentBegun",
    "PaymentRetried",
    "PaymentDeclined",
    "PaymentCancelled",
];
const CHECK: &str = "PaymentActionRequired";

/// A booking's history, for a bank that disputes one of its payments.
pub(super) struct History<'a> {
    /// Everything that happened, in order.
    pub(super) rows: Vec<&'a TimelineRow>,
    pub(super) payment_id: String,
    /// Marks of the devices of the enquiry and of the payment, where both are known.
    pub(super) devices: Option<(DeviceMark, DeviceMark)>,
}

impl<'a> History<'a> {
    /// Lists the lines of a dispute with these notes as they are cut.
    ///
    /// # Errors
    /// [`RecordsError::Behind`] while an event that cuts them is not folded.
    pub(super) fn cut_lines(
        &self,
        cut: Cut<'_>,
        noted: Option<&Noted>,
    ) -> Result<Vec<EvidenceLine>, RecordsError> {
        match cut {
            Cut::Every => self.choose_lines(&Choice::default(), None),
            Cut::Now(choice) => {
                let sent = Choice::find_sent(noted);
                self.choose_lines(sent.as_ref().unwrap_or(choice), None)
            }
            Cut::At(event_id, choice) => self.choose_lines(choice, Some(event_id)),
        }
    }

    /// Counts the lines that came after the `sent` ones that finance saw, until the evidence was with the bank.
    ///
    /// # Errors
    /// As [`Self::cut_lines`].
    pub(super) fn count_later(&self, noted: Option<&Noted>, sent: usize) -> Result<usize, RecordsError> {
        let Some((mut choice, sent_at)) = Choice::find_sent(noted).zip(noted.map(|noted| noted.sent_at))
        else {
            return Ok(0);
        };
        choice.last_seen = None;
        let lines = self.choose_lines(&choice, None)?;
        // Both lists begin with the same lines: one of them ends earlier.
        let later = lines.iter().skip(sent).filter(|line| {
            let at = line.at.parse::<Moment>().ok();
            at.zip(sent_at).is_none_or(|(at, sent_at)| at <= sent_at)
        });
        Ok(later.count())
    }

    fn choose_lines(&self, choice: &Choice, until: Option<Uuid>) -> Result<Vec<EvidenceLine>, RecordsError> {
        let ends = [until, choice.last_seen].into_iter().flatten();
        let last = ends
            .map(|event_id| self.find_position(event_id))
            .try_fold(i64::MAX, |last, position| {
                position.map(|position| last.min(position))
            })?;
        let struck = choice.struck.iter().map(Uuid::to_string).collect();
        let told = Told { all: self, struck };
        Ok(told.lines(last))
    }

    fn find_position(&self, event_id: Uuid) -> Result<i64, RecordsError> {
        let event_id = event_id.to_string();
        let found = self.rows.iter().find(|row| row.event_id == event_id);
        found.map(|row| row.position).ok_or(RecordsError::Behind)
    }

    /// The newest event of a stream that is one of these kinds.
    fn newest(&self, (kind, id): (&str, &str), kinds: &[&str], before: i64) -> Option<&'a TimelineRow> {
        let of_stream = self.rows.iter().copied().filter(|row| {
            (row.kind.as_str(), row.stream_id.as_str()) == (kind, id)
                && kinds.contains(&row.event_type.as_str())
                && row.position < before
        });
        of_stream.max_by_key(|row| row.position)
    }
}

/// A history without the lines that finance struck from one dispute.
struct Told<'h, 'a> {
    all: &'h History<'a>,
    /// Events whose lines the bank does not get.
    struck: HashSet<String>,
}

impl Told<'_, '_> {
    /// The lines that the bank reads, up to a position.
    fn lines(&self, last: i64) -> Vec<EvidenceLine> {
        let told = self.all.rows.iter().filter(|row| row.position <= last);
        told.filter(|row| self.is_told(row))
            .map(|row| self.line(row))
            .collect()
    }

    fn line(&self, row: &TimelineRow) -> EvidenceLine {
        let mut text = say_event(row);
        text.extend(self.bank_check(row));
        text.extend(self.whose(row));
        text.extend(self.device(row));
        EvidenceLine {
            at: row.recorded_at.clone(),
            text,
            event_id: row.event_id.clone(),
            position: row.position,
            kind: row.event_type.clone(),
        }
    }

    fn is_told(&self, row: &TimelineRow) -> bool {
        may_leave(&row.event_type, &row.actor_kind) && !self.struck.contains(&row.event_id)
    }

    /// A payment that succeeds after its bank asked for a check has passed it: the gateway takes no money otherwise.
    fn bank_check(&self, row: &TimelineRow) -> Option<&'static str> {
        if row.event_type != "PaymentSucceeded" {
            return None;
        }
        let latest = self
            .all
            .newest((&row.kind, &row.stream_id), &CHECKS, row.position)?;
        let is_asked = latest.event_type == CHECK && self.is_told(latest);
        is_asked.then_some(", after the payer passed the bank's check (3-D Secure)")
    }

    /// Whose an act was: an account with the moments at which its address was proved and its login began, or no account that had logged
    /// in.
    fn whose(&self, act: &TimelineRow) -> Option<String> {
        if !ACTS.contains(&act.event_type.as_str()) {
            return None;
        }
        let account = match (act.actor_kind.as_str(), act.actor_id.as_deref()) {
            ("student", Some(account)) => account,
            ("visitor", _) => return Some(", without a login".to_owned()),
            _ => return None,
        };
        let last = |kind: &str| {
            let newest = self.all.newest((User::KIND, account), &[kind], act.position);
            let told = newest.filter(|row| self.is_told(row));
            told.map(|row| to_the_second(&row.recorded_at))
        };
        let proved = last("UserVerified").map(|at| format!(", whose address a one-time code proved at {at}"));
        let login = last("UserSessionOpened").map(|at| format!(", in the login of {at}"));
        let account = format!(", logged in as the account {account}");
        Some([Some(account), proved, login].into_iter().flatten().collect())
    }

    /// Whether the disputed payment was begun on the device of the enquiry; nothing where one of the marks is not known, or the bank
    /// does not read of the enquiry.
    fn device(&self, row: &TimelineRow) -> Option<&'static str> {
        let begun = self
            .all
            .newest((Payment::KIND, &self.all.payment_id), &["PaymentBegun"], i64::MAX)?;
        let mut rows = self.all.rows.iter();
        let is_enquiry_told = rows.any(|row| row.event_type == "LeadCreated" && self.is_told(row));
        if begun.event_id != row.event_id || !is_enquiry_told {
            return None;
        }
        let (enquiry, payment) = self.all.devices?;
        let is_same = (
            enquiry.network == payment.network,
            enquiry.browser == payment.browser,
        );
        Some(match is_same {
            (true, true) => ", from the network and in the browser of the enquiry",
            (true, false) => ", from the network of the enquiry, in another browser",
            (false, true) => ", in the browser of the enquiry, from another network",
            (false, false) => ", from another network and in another browser than the enquiry",
        })
    }
}

#[cfg(test)]
mod tests {
    use tables::Flag;

    use super::*;

    const VISITOR: (&str, Option<&str>) = ("visitor", None);
    const PASSED: &str = ", after the payer passed the bank's check (3-D Secure)";
    const SAME: &str = ", from the network and in the browser of the enquiry";

    /// An event of a stream such as `payment p1`; its sentence is `x`.
    fn row(position: i64, event_type: &str, stream: &str, actor: (&str, Option<&str>)) -> TimelineRow {
        let (kind, stream_id) = stream.split_once(' ').unwrap();
        TimelineRow {
            position,
            kind: kind.to_owned(),
            stream_id: stream_id.to_owned(),
            revision: position,
            event_id: format!("e{position}"),
            event_type: event_type.to_owned(),
            recorded_at: format!("2026-11-26T10:00:0{position}.000001Z"),
            actor_kind: actor.0.to_owned(),
            actor_id: actor.1.map(str::to_owned),
            correlation_id: String::new(),
            causation_id: None,
            sentence: "x".to_owned(),
            params: "{}".to_owned(),
            failed: Flag::from(false),
            changes: "[]".to_owned(),
        }
    }

    /// The kinds and texts of the lines of a history in which payment p1 is disputed.
    fn list_lines(rows: &[TimelineRow], struck: &[&str]) -> Vec<(String, String)> {
        let mark = DeviceMark {
            network: 1,
            browser: 2,
        };
        let history = History {
            rows: rows.iter().collect(),
            payment_id: "p1".to_owned(),
            devices: Some((mark, mark)),
        };
        let told = Told {
            all: &history,
            struck: struck.iter().map(|id| (*id).to_owned()).collect(),
        };
        let lines = told.lines(i64::MAX).into_iter();
        lines.map(|line| (line.kind, line.text)).collect()
    }

    /// The text of the only line of a kind.
    fn text_of(lines: &[(String, String)], kind: &str) -> String {
        let mut texts = lines.iter().filter(|line| line.0 == kind);
        let text = texts.next().unwrap().1.clone();
        assert_eq!(texts.count(), 0);
        text
    }

    fn payment_events(stream: &str, kinds: &[&str]) -> Vec<TimelineRow> {
        let numbered = (1..).zip(kinds);
        let rows = numbered.map(|(position, kind)| row(position, kind, stream, VISITOR));
        rows.collect()
    }

    #[test]
    fn acts_name_their_account_its_proof_and_its_login() {
        let rows = logged_in();
        let lines = list_lines(&rows, &[]);
        assert_eq!(text_of(&lines, "LeadCreated"), "x, without a login");
        assert_eq!(text_of(&lines, "UserVerified"), "x");
        assert_eq!(
            text_of(&lines, "PaymentConfirmed"),
            "x, logged in as the account u1, whose address a one-time code proved at 2026-11-26 10:00:02 UTC, in the login of 2026-11-26 10:00:04 UTC"
        );
    }

    fn logged_in() -> [TimelineRow; 5] {
        let student = ("student", Some("u1"));
        [
            row(1, "LeadCreated", "lead l1", VISITOR),
            row(2, "UserVerified", "user u1", VISITOR),
            row(3, "UserSessionOpened", "user u1", student),
            row(4, "UserSessionOpened", "user u1", student),
            row(5, "PaymentConfirmed", "payment p1", student),
        ]
    }

    /// An older login does not take the place of the one in which it was paid.
    #[test]
    fn struck_proof_and_login_are_left_out_of_the_act() {
        let mut rows = logged_in().to_vec();
        rows[2].event_id = "older".to_owned();
        let lines = list_lines(&rows, &["e2", "e4"]);
        assert_eq!(
            text_of(&lines, "PaymentConfirmed"),
            "x, logged in as the account u1"
        );
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn payment_that_passed_the_check_says_so() {
        let rows = payment_events("payment p1", &[CHECK, "PaymentSucceeded"]);
        let lines = list_lines(&rows, &[]);
        assert_eq!(text_of(&lines, "PaymentSucceeded"), format!("x{PASSED}"));
    }

    #[test]
    fn struck_decline_leaves_no_check_passed() {
        let kinds = [CHECK, "PaymentDeclined", "PaymentRetried", "PaymentSucceeded"];
        let rows = payment_events("payment p1", &kinds);
        let cases: [&[&str]; 3] = [&[], &["e2"], &["e2", "e3"]];
        for struck in cases {
            let lines = list_lines(&rows, struck);
            assert_eq!(lines.len(), kinds.len() - struck.len());
            assert_eq!(text_of(&lines, "PaymentSucceeded"), "x");
        }
    }

    #[test]
    fn struck_check_is_not_told_by_the_success() {
        let rows = payment_events("payment p1", &[CHECK, "PaymentSucceeded"]);
        assert_eq!(text_of(&list_lines(&rows, &["e1"]), "PaymentSucceeded"), "x");
    }

    #[test]
    fn check_of_one_payment_is_not_passed_by_another() {
        let rows = [
            row(1, CHECK, "payment p2", VISITOR),
            row(2, "PaymentSucceeded", "payment p1", VISITOR),
        ];
        assert_eq!(text_of(&list_lines(&rows, &[]), "PaymentSucceeded"), "x");
    }

    #[test]
    fn device_is_said_of_the_disputed_payment_alone() {
        let rows = [
            row(1, "LeadCreated", "lead l1", VISITOR),
            row(2, "PaymentBegun", "payment p1", VISITOR),
            row(3, "PaymentBegun", "payment p2", VISITOR),
        ];
        let texts = |struck: &[&str]| -> Vec<String> {
            let lines = list_lines(&rows, struck).into_iter();
            lines
                .filter(|line| line.0 == "PaymentBegun")
                .map(|line| line.1)
                .collect()
        };
        let (own, other) = (format!("x, without a login{SAME}"), "x, without a login");
        assert_eq!(texts(&[]), [own.as_str(), other]);
        assert_eq!(texts(&["e2"]), [other]);
        assert_eq!(texts(&["e1"]), [other, other]);
    }

    #[test]
    fn acts_of_staff_are_not_among_the_lines() {
        let staff = ("staff", Some("s1"));
        let rows = [
            row(1, "LeadContactChanged", "lead l1", staff),
            row(2, "LeadPersonUnverified", "lead l1", staff),
            row(3, "BookingFormRoomChanged", "booking_form f1", staff),
            row(4, "LeadContactChanged", "lead l1", VISITOR),
            row(5, "LeadPersonUnverified", "lead l1", VISITOR),
        ];
        let kinds: Vec<String> = list_lines(&rows, &[]).into_iter().map(|line| line.0).collect();
        assert_eq!(kinds, ["LeadContactChanged", "LeadPersonUnverified"]);
    }
}
