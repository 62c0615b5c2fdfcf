//! Mails to members of staff are in the language of messages that each chose in their profile, else in English; so are mails to a
//! configured address, by the account that has it.

use serde_json::{Value, json};
use tests::Server;
use tests::words::{chinese, english, longest_words};

use crate::case_teams::opened;
use crate::letters::first;
use crate::visitor::{Visitor, enquiry};

const MEI: &str = "mei@example.com";
const LI: &str = "li@staff.example";
const BEN: &str = "ben@staff.example";
const VIEWS: &str = "/api/v0/workspace/leads/views";

/// Logs a colleague in, who then chooses the language of messages.
async fn colleague<'s>(server: &'s Server, email: &str, language: Option<&str>) -> Visitor<'s> {
    let visitor = Visitor::new(server);
    server.run(&["grant", "--email", email, "--role", "support"]);
    visitor.log_in(email).await;
    if let Some(language) = language {
        let choice = json!({ "reminders": true, "language": language, "channel": "email" });
        let chosen = visitor.put("/api/v0/users/message_settings", choice).await;
        assert_eq!(chosen.data()["language"], language);
    }
    visitor
}

fn has(mail: &Value, words: &str) {
    let body = mail["body"].as_str().unwrap();
    assert!(body.contains(words), "{words} is not in {body}");
}

/// Li chose Chinese, Ben English and the administrator nothing: notes mention all three, of a lead and of a conversation.
#[tokio::test]
async fn mention_is_mailed_in_the_language_of_its_reader() {
    let server = Server::start();
    let (mei, desk, boss) = (
        Visitor::new(&server),
        Visitor::new(&server),
        Visitor::new(&server),
    );
    desk.log_in_as("support").await;
    boss.log_in_as("admin").await;
    colleague(&server, LI, Some("zh")).await;
    colleague(&server, BEN, Some("en")).await;
    let lead = mei
        .post("/api/v0/leads", enquiry("Mei Lin", MEI))
        .await
        .data()
        .clone();
    let (id, reference) = (lead["id"].as_str().unwrap(), lead["reference"].as_str().unwrap());
    let words = "@li @ben @admin please look";
    let notes = format!("/api/v0/workspace/leads/{id}/notes");
    desk.post(&notes, json!({ "note": words })).await.data();
    let chinese = first(&desk, LI, "mentioned").await;
    assert_eq!(chinese["subject"], format!("{reference} 的备注中提到了您"));
    has(
        &chinese,
        &format!("同事在线索 {reference} 中写了备注，请您查看：\n\n"),
    );
    has(&chinese, &format!("/workspace/leads/{id}\n"));
    for reader in [BEN, "admin@staff.example"] {
        let mail = first(&desk, reader, "mentioned").await;
        let subject = english("mail.mentioned.subject").replace("{reference}", reference);
        assert_eq!(mail["subject"], subject);
        has(&mail, &longest_words("mail.mentioned.body"));
        has(&mail, &format!("{reference}:\n\n"));
    }

    let acts = format!("{}/acts", opened(&desk, &lead).await);
    desk.post(&acts, json!({ "act": "note", "note": words }))
        .await
        .data();
    let chinese = first(&desk, LI, "mentioned_in_case").await;
    assert_eq!(chinese["subject"], "同事在对话备注中提到了您");
    has(&chinese, "您好\n\n同事请您阅读一个对话中的备注：\n\n");
    let english = first(&desk, BEN, "mentioned_in_case").await;
    assert_eq!(english["subject"], "A colleague mentioned you in a conversation");
}

/// A conversation of Li, who chose Chinese, one of Ben, who chose nothing, and an enquiry without an owner are late.
#[tokio::test]
async fn late_answer_is_told_in_the_language_of_its_owner() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_DESK_EMAIL", "desk@rooms.example"),
        ("LATCHKEY_ANSWER_HOURS", "2"),
        ("LATCHKEY_REPLY_HOURS", "1"),
    ]);
    let mei = Visitor::new(&server);
    let li = colleague(&server, LI, Some("zh")).await;
    let ben = colleague(&server, BEN, None).await;
    mei.log_in(MEI).await;
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", MEI))
        .await
        .data()
        .clone();
    for (owner, topic) in [(&li, "payment"), (&ben, "booking")] {
        let asked = json!({ "topic": topic, "subject": "A question", "words": "When is it?" });
        let case = mei.post("/api/v0/support/cases", asked).await;
        let case = case.data()["case_id"].as_str().unwrap();
        let act = format!("/api/v0/workspace/cases/{case}/acts");
        owner
            .post(&act, json!({ "act": "assign", "owner": "me" }))
            .await
            .data();
    }
    mei.wait(3 * 3_600).await;

    let chinese = first(&mei, LI, "late_case").await;
    assert_eq!(chinese["subject"], "有学生等待您的回复");
    has(&chinese, "一个对话（主题：付款）的回复时限已过。");
    let mail = first(&mei, BEN, "late_case").await;
    assert_eq!(mail["subject"], english("mail.late_case.subject"));
    has(&mail, "a conversation (topic: Booking)");
    let at_the_desk = first(&mei, "desk@rooms.example", "late_lead").await;
    let reference = lead["reference"].as_str().unwrap();
    let subject = english("mail.late_lead.subject").replace("{reference}", reference);
    assert_eq!(at_the_desk["subject"], subject);
}

/// The desk's address is Li's, who chose Chinese: an enquiry without an owner is late.
#[tokio::test]
async fn desk_address_is_written_to_as_its_account_chose() {
    let server = Server::with(&[
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
        ("LATCHKEY_DESK_EMAIL", LI),
        ("LATCHKEY_ANSWER_HOURS", "2"),
    ]);
    let mei = Visitor::new(&server);
    colleague(&server, LI, Some("zh")).await;
    let lead = mei
        .post("/api/v0/leads/", enquiry("Mei Lin", MEI))
        .await
        .data()
        .clone();
    mei.wait(3 * 3_600).await;
    let told = first(&mei, LI, "late_lead").await;
    let reference = lead["reference"].as_str().unwrap();
    let subject = chinese("mail.late_lead.subject").replace("{reference}", reference);
    assert_eq!(told["subject"], subject);
}

/// Li, who chose Chinese, and Ben, who chose nothing, watch the same steps: both are told of the first lead that goes that way.
#[tokio::test]
async fn segment_alarm_is_in_the_language_of_its_owner() {
    let server = Server::start();
    let li = colleague(&server, LI, Some("zh")).await;
    let ben = colleague(&server, BEN, None).await;
    for owner in [&li, &ben] {
        let filters = json!({ "steps": "enquired,answered<60" });
        let view = json!({ "name": "Taken at once", "filters": filters, "alarm": true });
        assert_eq!(owner.post(VIEWS, view).await.data()["count"], 0);
    }
    let lead = Visitor::new(&server)
        .post("/api/v0/leads/", enquiry("Mei Lin", MEI))
        .await
        .data()
        .clone();
    let acts = format!("/api/v0/workspace/leads/{}/acts", lead["id"].as_str().unwrap());
    let call = json!({ "act": "record_call", "reached": true });
    li.post(&acts, call).await.data();

    let chinese = first(&li, LI, "segment_alarm").await;
    assert_eq!(chinese["subject"], "“Taken at once”新增 1 条");
    has(
        &chinese,
        "您的分群“Taken at once”现有 1 条线索，比之前多 1 条：\n\n",
    );
    let english = first(&li, BEN, "segment_alarm").await;
    let subject = tests::words::english("mail.segment_alarm.subject");
    let subject = subject.replace("{more}", "1").replace("{name}", "Taken at once");
    assert_eq!(english["subject"], subject);
    has(
        &english,
        "Your segment “Taken at once” now holds 1 lead, 1 more than before:",
    );
}
