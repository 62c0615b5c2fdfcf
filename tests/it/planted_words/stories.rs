//! One person's booking with everything around it, a mark in each text that can be written.

use serde_json::{Value, json};

use super::Mei;
use crate::free_texts::{Call, LEFT_OUT, MARK};
use crate::market::{AUTUMN, Buyer, until};
use crate::visitor::in_days;
use reqwest::Method;

const LEADS: &str = "/api/v0/leads";
const DESK: &str = "/api/v0/workspace/leads";
const MONEY: &str = "/api/v0/workspace/payments";
const GOOD: &str = "4242424242424242";
const DISPUTES: &str = "4000000000000259";

/// Ids and tokens by which everything about the person is found.
pub(super) struct Known {
    pub(super) lead: String,
    pub(super) reference: Value,
    pub(super) ids: Vec<String>,
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .to_owned()
}

/// A route of a lead at the desk, and its path for this one.
fn at_desk(lead: &str, name: &str) -> (String, String) {
    (format!("{DESK}/{{id}}/{name}"), format!("{DESK}/{lead}/{name}"))
}

/// Lives through all stories, in the order in which they happen to somebody.
pub(super) async fn live_through(mei: &Mei<'_>) -> Known {
    let lead = enquire(mei).await;
    let (id, uuid) = (text(&lead["id"]), text(&lead["lead_uuid"]));
    act_on(mei, &id).await;
    let form = fill_form(mei, &uuid).await;
    mirror(mei).await;
    let mut ids = converse(mei, &id).await;
    wait_in_line(mei).await;
    let token = pay(mei, &uuid).await;
    let payment = until(async || {
        let path = format!("{MONEY}/events?kind=captured");
        let rows = mei.finance.get(&path).await.data()["result"].clone();
        rows[0]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    ids.push(dispute_link(mei, &id).await);
    ids.push(give_money_back(mei, &id, &payment).await);
    ids.push(give_in_statement(mei).await);
    look_at(mei, &id).await;
    ids.extend([id.clone(), uuid, form, token, payment]);
    Known {
        lead: id,
        reference: lead["reference"].clone(),
        ids,
    }
}

/// An enquiry, a tour and a change of it.
async fn enquire(mei: &Mei<'_>) -> Value {
    let said = json!({ "lead": {
        "state": "created", "inventory_id": mei.buyer.room,
        "user_details": { "name": format!("Zoe {MARK}"), "email": mei.buyer.email, "phone": mei.buyer.phone },
        "meta": { "variant": "partner_enquire",
            "idp_form_data": { "councellor_email": format!("{MARK}@agency.example") } },
    } });
    let lead = mei.post(&mei.own, (LEADS, LEADS), said).await;
    let tour = "/api/v0/leads/virtual_tour_request";
    let details =
        json!({ "date": in_days(3), "slot": "18:00", "timezone": "Europe/London", "mode": "virtual" });
    let asked = json!({ "lead": { "lead_uuid": lead["lead_uuid"], "data": { "property_view_request_details": details } } });
    mei.post(&mei.own, (tour, tour), asked).await;
    let changed = Call {
        method: Method::PUT,
        route: "/api/v0/leads/{id}",
        path: &format!("{LEADS}/{}", text(&lead["lead_uuid"])),
        body: json!({ "lead": {} }),
    };
    mei.planter.send(&mei.own, changed).await;
    lead
}

/// Acts of support on a lead; an act takes no notice of texts that are for others.
async fn act_on(mei: &Mei<'_>, lead: &str) {
    for (name, body) in [
        ("notes", json!({})),
        ("reveal", json!({})),
        ("assign", json!({ "owner": "me" })),
        (
            "acts",
            json!({ "act": "correct_contact", "name": format!("Zoe {MARK}") }),
        ),
        (
            "acts",
            json!({ "act": "change_stay", "move_in_date": AUTUMN, "lease_duration": "44 weeks" }),
        ),
        ("acts", json!({ "act": "set_team", "team": "leeds" })),
        ("acts", json!({ "act": "close", "cause": "other" })),
    ] {
        let (route, path) = at_desk(lead, name);
        mei.post(&mei.support, (&route, &path), body).await;
    }
    // A closed lead is opened again on a branch, and the branch is applied.
    let (route, path) = at_desk(lead, "what-if");
    let steps = json!([{ "act": "reopen" }]);
    mei.post(&mei.support, (&route, &path), json!({ "steps": steps }))
        .await;
    let plain = mei.support.post(&path, json!({ "steps": steps })).await;
    let plain = plain.data();
    let (route, path) = at_desk(lead, "what-if/{branch}/apply");
    let path = path.replace("{branch}", &text(&plain["branch"]));
    let step = json!({ "act": "reopen", "inventory_id": LEFT_OUT, "lease_duration": LEFT_OUT, "move_in_date": LEFT_OUT });
    let body =
        json!({ "base": plain["base"], "from": plain["from"], "steps": [step], "conditions": LEFT_OUT });
    mei.post(&mei.support, (&route, &path), body).await;
}

async fn fill_form(mei: &Mei<'_>, lead_uuid: &str) -> String {
    let route = "/api/v0/booking_forms";
    let start =
        json!({ "booking_form": { "lead_uuid": lead_uuid, "inventory_id": mei.buyer.room, "flow": "book" } });
    let form = text(&mei.post(&mei.own, (route, route), start).await["form_uuid"]);
    let path = format!("{route}/{form}/sections/personal_form");
    let call = |method, body| Call {
        method,
        route: "/api/v0/booking_forms/{form_uuid}/sections/{key}",
        path: &path,
        body,
    };
    let fields = json!({ "full_name": {}, "city": {}, "medical_condition": {} });
    let merged = call(Method::PATCH, json!({ "fields": fields, "focused": "city" }));
    mei.planter.send(&mei.own, merged).await;
    let section = json!({ "full_name": format!("Zoe {MARK}"), "dob": "2004-05-06", "phone": mei.buyer.phone,
        "email": mei.buyer.email, "nationality": "CN", "address_line_1": format!("{MARK} Lane"), "city": MARK,
        "postcode": "LS1 1AA", "country": "GB", "university": MARK, "enrolment_status": "enrolled",
        "medical_condition": MARK });
    let saved = call(Method::PUT, json!({ "section": section, "complete": true }));
    mei.planter.send(&mei.own, saved).await;
    form
}

/// Support sees the steps of the form for a while.
async fn mirror(mei: &Mei<'_>) {
    let offer = json!({ "page": "booking_form" });
    let offered = mei.own.post("/api/v0/users/mirrors", offer).await.data().clone();
    let (desk, own) = ("/api/v0/workspace/mirrors", "/api/v0/users/mirrors");
    mei.post(&mei.support, (desk, desk), json!({ "code": offered["code"] }))
        .await;
    let id = text(&offered["mirror_id"]);
    let report = Call {
        method: Method::PUT,
        route: &format!("{own}/{{id}}/report"),
        path: &format!("{own}/{id}/report"),
        body: json!({ "page": "booking_form", "state": "filling.kept", "guards": ["answers_complete"], "retries": 2,
            "declined": null }),
    };
    mei.planter.send(&mei.own, report).await;
    let (route, path) = (format!("{desk}/{{id}}/nudges"), format!("{desk}/{id}/nudges"));
    mei.post(&mei.support, (&route, &path), json!({ "sentence": "goes_here" }))
        .await;
}

/// A conversation that the person begins, and one that support begins; gives their ids and the link in the mail.
async fn converse(mei: &Mei<'_>, lead: &str) -> Vec<String> {
    let (own, desk, link) = (
        "/api/v0/support/cases",
        "/api/v0/workspace/cases",
        "/api/v0/support/links",
    );
    let of = |start: &str, id: &str, name: &str| {
        (format!("{start}/{{id}}/{name}"), format!("{start}/{id}/{name}"))
    };
    let opened = json!({ "topic": "booking", "lead_id": lead });
    let case = text(&mei.post(&mei.own, (own, own), opened).await["case_id"]);
    let contact = "/api/v0/contact";
    let written = json!({ "form": "contact", "email": mei.buyer.email });
    mei.post(&mei.own, (contact, contact), written).await;
    let (route, path) = of(own, &case, "messages");
    mei.post(&mei.own, (&route, &path), json!({})).await;
    let first = json!({ "lead_id": lead, "topic": "booking", "channel": "email" });
    let begun = mei.post(&mei.support, (desk, desk), first).await;
    let second = text(&begun["case"]["case_id"]);
    let (route, path) = of(desk, &second, "messages");
    mei.post(&mei.support, (&route, &path), json!({ "channel": "email" }))
        .await;
    let (route, path) = of(desk, &second, "acts");
    for act in [
        json!({ "act": "note" }),
        json!({ "act": "assign", "owner": "me" }),
        json!({ "act": "team", "team": "leeds" }),
        json!({ "act": "due", "at": "2027-01-01T12:00:00Z" }),
    ] {
        mei.post(&mei.support, (&route, &path), act).await;
    }
    let token = crate::cases::link(&mei.own, &mei.buyer.email).await;
    let route = format!("{link}/{{token}}/messages");
    mei.post(&mei.own, (&route, &route.replace("{token}", &token)), json!({}))
        .await;
    vec![case, second, token]
}

/// The person waits for the house's single room, and support moves their place up.
async fn wait_in_line(mei: &Mei<'_>) {
    mei.market.person(8, 1).begun().await;
    let waiting = Buyer {
        room: mei.market.rooms[1].clone(),
        ..mei.buyer.clone()
    };
    for buyer in [&mei.market.person(7, 1), &waiting] {
        let token = buyer.open().await;
        assert_eq!(buyer.begin(&token).await["status"], "sold_out");
        let place = format!("/api/v0/payments/{token}/waitlist");
        let (status, body) = buyer.post(&place, json!({})).await;
        assert!(status.is_success(), "{body}");
    }
    let path = format!("/api/v0/workspace/waitlists?room_id={}", waiting.room);
    let second = until(async || {
        let listed = mei.support.get(&path).await.data().clone();
        listed[1]["payment_id"].as_str().map(str::to_owned)
    })
    .await;
    let route = "/api/v0/workspace/waitlists/{id}/move_up";
    mei.post(&mei.support, (route, &route.replace("{id}", &second)), json!({}))
        .await;
}

/// Pays the deposit and rates the booking; gives the payment's token.
async fn pay(mei: &Mei<'_>, lead_uuid: &str) -> String {
    let asked = json!({ "payment": { "lead_uuid": lead_uuid, "inventory_id": mei.buyer.room } });
    let opened = mei.own.post("/api/v0/payments", asked).await;
    let token = text(&opened.data()["token"]);
    mei.buyer.begin(&token).await;
    confirm(mei, &token, GOOD).await;
    let route = "/api/v0/payments/{token}/rating";
    mei.post(
        &mei.own,
        (route, &route.replace("{token}", &token)),
        json!({ "score": 9 }),
    )
    .await;
    token
}

async fn confirm(mei: &Mei<'_>, token: &str, card: &str) {
    let route = "/api/v0/payments/{token}/sandbox_confirm";
    let paid = mei
        .post(
            &mei.own,
            (route, &route.replace("{token}", token)),
            json!({ "card_number": card }),
        )
        .await;
    assert_eq!(paid["status"], "success", "{paid}");
}

/// A link is paid with a card whose bank takes it back: the evidence goes to the test gateway by itself. Gives the link's payment.
async fn dispute_link(mei: &Mei<'_>, lead: &str) -> String {
    let route = "/api/v0/workspace/payment_links";
    let rent = json!({ "lead_id": lead, "type": "rent", "amount_minor": 115_600, "due_on": in_days(10) });
    let made = mei.post(&mei.finance, (route, route), rent).await;
    let token = crate::payment_links::token_of(&made);
    mei.buyer.begin(&token).await;
    confirm(mei, &token, DISPUTES).await;
    until(async || {
        let provider = mei.market.gateway().await.to_string();
        provider.contains("access_activity_log").then_some(())
    })
    .await;
    text(&made["payment_id"])
}

/// Money goes back in each way that there is, until the booking is cancelled; gives the request that a second person approved.
async fn give_money_back(mei: &Mei<'_>, lead: &str, payment: &str) -> String {
    let of = |name: &str| {
        (
            format!("{MONEY}/{{id}}/{name}"),
            format!("{MONEY}/{payment}/{name}"),
        )
    };
    let amount = |amount: u64| json!({ "booking": "keep", "amount_minor": amount, "typed_minor": amount });
    mei.market.plan(json!({ "refunds_fail": true })).await;
    let (route, path) = of("refunds");
    mei.post(&mei.finance, (&route, &path), amount(1_000)).await;
    let failed = until(async || {
        let waiting = mei
            .finance
            .get(&format!("{MONEY}/failed_refunds"))
            .await
            .data()
            .clone();
        waiting[0]["refund_id"].as_str().map(str::to_owned)
    })
    .await;
    mei.market.plan(json!({ "refunds_fail": false })).await;
    let (route, path) = of("refunds/{refund_id}/paid_elsewhere");
    mei.post(
        &mei.finance,
        (&route, &path.replace("{refund_id}", &failed)),
        json!({}),
    )
    .await;

    let (route, path) = at_desk(lead, "acts");
    mei.post(
        &mei.support,
        (&route, &path),
        json!({ "act": "ask_refund", "amount_minor": 500 }),
    )
    .await;
    let requests = mei
        .finance
        .get(&format!("{MONEY}/refund_requests"))
        .await
        .data()
        .clone();
    let route = format!("{MONEY}/refund_requests/{{id}}/decline");
    let path = route.replace("{id}", &text(&requests[0]["ask_id"]));
    mei.post(&mei.finance, (&route, &path), json!({})).await;

    let approvals = "/api/v0/workspace/approvals";
    let (ask, path) = of("refund_approvals");
    let mut request = String::new();
    for (minor, decision) in [(19_000, "decline"), (24_907, "approve")] {
        request = text(&mei.post(&mei.finance, (&ask, &path), amount(minor)).await["id"]);
        let route = format!("{approvals}/{{id}}/{decision}");
        let path = route.replace("{id}", &request);
        mei.post(&mei.admin, (&route, &path), json!({})).await;
    }
    until(async || {
        let dossier = mei
            .finance
            .get(&format!("{MONEY}/{payment}"))
            .await
            .data()
            .clone();
        (dossier["can_cancel_booking"] == true).then_some(())
    })
    .await;
    let (route, path) = of("cancel_booking");
    mei.post(&mei.finance, (&route, &path), json!({})).await;
    request
}

/// A bank's statement names the person in a line, in a row that is not understood, and in a colleague's note; gives its id.
async fn give_in_statement(mei: &Mei<'_>) -> String {
    let route = "/api/v0/workspace/reconciliation/file";
    let named = |place: &str| format!("{} {}", mei.buyer.email, mei.planter.mark(place));
    let file = format!(
        "Date,Amount,Currency,Reference\n{},7.00,GBP,{}\n99.99.2026,8.00,GBP,{}\n",
        in_days(-1),
        named("a statement's line"),
        named("a statement's odd row"),
    );
    let url = mei.market.server.url(route);
    let given = mei.finance.client().post(url).body(file).send().await.unwrap();
    let compared: Value = given.json().await.unwrap();
    assert_eq!(compared["data"]["not_understood"], 1, "{compared}");
    let id = text(&compared["data"]["statement"]["id"]);
    let route = "/api/v0/workspace/reconciliation/statements/{id}/lines/{place}/decision";
    let path = route.replace("{id}", &id).replace("{place}", "0");
    let note = format!("{} {MARK}", mei.buyer.email);
    let decided = json!({ "payout": LEFT_OUT, "reason": "customer_transfer", "note": note });
    mei.post(&mei.finance, (route, &path), decided).await;
    id
}

/// Looks at personal data, each with its reason.
async fn look_at(mei: &Mei<'_>, lead: &str) {
    let letter = until(async || {
        let history = mei
            .support
            .get(&format!("{DESK}/{lead}/timeline"))
            .await
            .data()
            .clone();
        let is_letter = |event: &&Value| {
            let key = event["sentence"]["key"].as_str();
            key.is_some_and(|key| key.starts_with("timeline.lead_letter_sent"))
        };
        let sent = history["events"].as_array().unwrap().iter().find(is_letter);
        sent.map(|event| event["position"].to_string())
    })
    .await;
    for (name, body) in [
        ("export", json!({ "format": "pdf" })),
        ("form", json!({})),
        ("letters/{position}", json!({})),
    ] {
        let (route, path) = at_desk(lead, name);
        mei.post(&mei.support, (&route, &path.replace("{position}", &letter)), body)
            .await;
    }
    let route = format!("{MONEY}/by_email");
    mei.post(
        &mei.finance,
        (&route, &route),
        json!({ "email": mei.buyer.email }),
    )
    .await;
}
