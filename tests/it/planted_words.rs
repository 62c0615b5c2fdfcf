//! R24: a mark in every free text of every request body is found nowhere once its person is forgotten: in no file, no backup, no output
//! and no answer. The document says which texts there are, so that a new one is planted or named as missing.

use reqwest::Method;
use serde_json::{Value, json};
use tests::in_files;

use crate::forgetting::{erased, files};
use crate::free_texts::{Call, Planter, Search};
use crate::market::{Buyer, Market};
use crate::visitor::Visitor;

mod reading;
mod stories;

/// Texts that no story sends, by the beginning of their operation and path, with the reason.
const EXEMPTED: [(&str, &str); 27] = [
    (
        "POST /api/v0/users/",
        "addresses and codes of a login: `forgetting.rs` looks for the addresses",
    ),
    (
        "POST /api/v0/receipts/{number}/link",
        "a pass, which is digits and a digest of ours",
    ),
    (
        "POST /api/v0/place_tokens/verify",
        "a token of ours, which is read and not kept",
    ),
    (
        "POST /api/v0/workspace/leads/views",
        "a colleague's own search, which belongs to no person",
    ),
    (
        "PUT /api/v0/workspace/leads/views",
        "a colleague's own search, which belongs to no person",
    ),
    (
        "POST /api/v0/workspace/homes/{id}/photos/take_down",
        "a colleague's reason about a photo, sealed under the colleague's key",
    ),
    (
        "PATCH /api/v0/workspace/homes/{id}",
        "facts of a home, and a colleague's reason about it, sealed under the colleague's key",
    ),
    (
        "PATCH /api/v0/workspace/places/{id}",
        "facts of a place, and a colleague's reason about it, sealed under the colleague's key",
    ),
    (
        "POST /api/v0/workspace/homes",
        "the same of homes that staff make, move and close",
    ),
    (
        "PUT /api/v0/workspace/homes/",
        "leases and words of photos of a home, and the same reason",
    ),
    (
        "POST /api/v0/workspace/feed_uploads/address",
        "the name of a feed and where it is fetched from, which belong to no person",
    ),
    (
        "PUT /api/v0/workspace/feeds/",
        "the address of a feed and how often it is fetched, which belong to no person",
    ),
    (
        "PUT /api/v0/workspace/texts/",
        "words of the house's pages, which are published",
    ),
    (
        "PUT /api/v0/workspace/settings/",
        "what administrators set for the house",
    ),
    (
        "PATCH /api/v0/workspace/brand",
        "what administrators publish of the house",
    ),
    (
        "POST /api/v0/workspace/brand/",
        "the same, a file, and a colleague's reason, sealed under the colleague's key",
    ),
    (
        "POST /api/v0/workspace/reconciliation/file",
        "a file, no JSON: `give_in_statement` plants its words",
    ),
    (
        "POST /api/v0/workspace/reconciliation/proposals",
        "about the provider's account, which belongs to no person",
    ),
    (
        "POST /api/v0/workspace/payments/unknown_notices/",
        "a reference of ours",
    ),
    (
        "POST /api/webhooks/stripe",
        "the payment provider's words, which are signed",
    ),
    ("POST /dev/sandbox/", "the test gateway's own page"),
    (
        "POST /api/v0/workspace/payments/{id}/evidence/send",
        "an id of the payment provider",
    ),
    (
        "POST /api/v0/auth/users/inventories_shortlists",
        "an id of the catalogue",
    ),
    ("POST /api/v0/payments payment/", "an id of the catalogue"),
    (
        "DELETE /api/v0/workspace/second_factors/{id} otp",
        "a code of a login",
    ),
    (
        "POST /api/v0/workspace/leads/{id}/forget confirm",
        "the lead's own reference, typed again",
    ),
    ("PUT /api/v0/users/message_settings", "words of a list"),
];

/// A person with those who deal with them.
struct Mei<'m> {
    planter: &'m Planter,
    market: &'m Market,
    own: Visitor<'m>,
    support: Visitor<'m>,
    finance: Visitor<'m>,
    admin: Visitor<'m>,
    buyer: Buyer,
}

impl Mei<'_> {
    async fn post(&self, by: &Visitor<'_>, (route, path): (&str, &str), body: Value) -> Value {
        let method = Method::POST;
        self.planter
            .send(
                by,
                Call {
                    method,
                    route,
                    path,
                    body,
                },
            )
            .await
    }
}

/// Everything that was told of somebody is gone from files and answers, whichever free text it was written into.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_every_free_text_go_with_their_person() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let settings = [
        in_files("every byte of its folder is searched; `on_postgres.rs` searches a database server's"),
        ("LATCHKEY_LOG", "debug,hyper=info"),
        ("LATCHKEY_TEST_OUTPUT", output.to_str().unwrap()),
        ("LATCHKEY_REFUND_LIMIT", "100"),
        ("LATCHKEY_TEAMS", "leeds"),
    ];
    let market = Market::open(&[9, 1], &settings).await;
    let planter = Planter::new();
    let mei = arrive(&market, &planter).await;
    let known = stories::live_through(&mei).await;
    planter.assert_all_sent(&EXEMPTED);
    market.caught_up().await;
    let search = planter.search();
    let told = reading::answers(&mei, &known, &search).await;
    assert!(told.len() > 25, "answers tell of them before: {told:#?}");
    assert!(!search.find_among(&files(market.server.folder())).is_empty());

    forget(&mei, &known).await;
    market.caught_up().await;
    let told = reading::answers(&mei, &known, &search).await;
    assert!(
        told.is_empty(),
        "answers tell of somebody who is forgotten: {told:#?}"
    );
    let copy = folder.path().join("copy");
    market.server.run(&["backup", copy.to_str().unwrap()]);
    let mut places = files(market.server.folder());
    places.extend(files(&copy));
    places.push(output);
    let found = search.find_among(&places);
    assert!(found.is_empty(), "{found:#?}");
}

async fn arrive<'m>(market: &'m Market, planter: &'m Planter) -> Mei<'m> {
    let [own, support, finance, admin] =
        [1, 2, 3, 4].map(|host| Visitor::from(&market.server, [127, 0, 9, host]));
    support.log_in_as("support").await;
    finance.log_in_as("finance").await;
    admin.log_in_as("admin").await;
    let word = planter.mark("the person's own address");
    let buyer = Buyer {
        email: format!("{word}@{word}.example.com"),
        ..market.person(1, 0)
    };
    own.log_in(&buyer.email).await;
    Mei {
        planter,
        market,
        own,
        support,
        finance,
        admin,
        buyer,
    }
}

async fn forget(mei: &Mei<'_>, known: &stories::Known) {
    let path = format!("/api/v0/workspace/leads/{}/forget", known.lead);
    let body = json!({ "reason": "asked", "confirm": known.reference });
    let route = "/api/v0/workspace/leads/{id}/forget";
    mei.post(&mei.admin, (route, &path), body).await;
    erased(&mei.market.server, 1).await;
}
