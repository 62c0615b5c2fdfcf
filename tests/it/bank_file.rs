//! The bank's file through the front door: each form is read by its standard's rules, payouts are missing only where the file is
//! complete, and what is not understood is counted and named.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::desk::Officer;
use crate::market::{Market, until};

const PATH: &str = "/api/v0/workspace/reconciliation/file";
const ACCOUNT: &str = "/api/v0/workspace/payments/provider_account";

/// A house with two payouts of 254.99 GBP each that arrived.
pub(crate) struct House {
    pub(crate) market: Market,
    pub(crate) officer: Officer,
    /// Ids of the payouts.
    pub(crate) ids: [String; 2],
    /// The first's and the last's day of arrival, `2026-11-28`.
    pub(crate) days: [String; 2],
}

impl House {
    pub(crate) async fn open() -> Self {
        let market = Market::open(&[5], &[]).await;
        let officer = Officer::arrives(&market).await;
        // Each payment is a payout of its own, which arrives at once.
        market.plan(json!({ "payout_every_ms": 1 })).await;
        for n in 1..=2 {
            let buyer = market.person(n, 0);
            let token = buyer.begun().await;
            buyer.pay(&token, "4242424242424242").await;
            buyer
                .wait_for(&token, |payment| payment["status"] == "success")
                .await;
        }
        let payouts = until(async || {
            let (status, answer) = officer.post(&format!("{ACCOUNT}/read"), json!({})).await;
            assert_eq!(status, StatusCode::OK, "{answer}");
            let account = officer.get(&format!("{ACCOUNT}?limit=100")).await["data"].clone();
            let payouts = account["payouts"].as_array().unwrap().clone();
            (payouts.len() == 2 && payouts.iter().all(|one| one["status"] == "paid")).then_some(payouts)
        })
        .await;
        let ids = payouts.iter().map(|one| one["id"].as_str().unwrap().to_owned());
        let days = payouts
            .iter()
            .map(|one| one["arrives_at"].as_str().unwrap()[..10].to_owned());
        let mut days: Vec<String> = days.collect();
        days.sort();
        for payout in &payouts {
            assert_eq!(payout["amount_minor"], 25_499, "{payout}");
        }
        Self {
            ids: ids.collect::<Vec<_>>().try_into().unwrap(),
            days: days.try_into().unwrap(),
            market,
            officer,
        }
    }

    pub(crate) async fn send(&self, query: &str, file: &str) -> (StatusCode, Value) {
        let url = self.market.server.url(&format!("{PATH}{query}"));
        let request = self.officer.client.post(url).body(file.to_owned());
        let answer = request.send().await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    pub(crate) async fn compare(&self, query: &str, file: &str) -> Value {
        let (status, answer) = self.send(query, file).await;
        assert_eq!(status, StatusCode::OK, "{file}: {answer}");
        answer["data"].clone()
    }

    /// Field and code of a refusal.
    async fn refusal(&self, file: &str) -> String {
        let (status, answer) = self.send("", file).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{file}: {answer}");
        let error = &answer["errors"][0];
        format!(
            "{}.{}",
            error["field"].as_str().unwrap(),
            error["code"].as_str().unwrap()
        )
    }

    pub(crate) fn statement(&self, currency: &str, entries: &str) -> String {
        let [first, last] = &self.days;
        format!(
            "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><Stmt><Id>1</Id>\
             <FrToDt><FrDtTm>{first}T00:00:00</FrDtTm><ToDtTm>{last}T23:59:59</ToDtTm></FrToDt><Acct><Ccy>{currency}</Ccy></Acct>{entries}\
             </Stmt></BkToCstmrStmt></Document>"
        )
    }

    pub(crate) fn entry(&self, amount: &str, status: &str, details: &str) -> String {
        format!(
            "<Ntry>{amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts>{status}</Sts><BookgDt><Dt>{}</Dt></BookgDt><NtryDtls>{details}</NtryDtls></Ntry>",
            self.days[0]
        )
    }
}

fn pounds(amount: &str) -> String {
    format!("<Amt Ccy=\"GBP\">{amount}</Amt>")
}

fn details(amount: &str, words: &str) -> String {
    format!("<TxDtls>{amount}<RmtInf>{words}</RmtInf></TxDtls>")
}

/// Each of the counts that the answer gives.
fn counts(compared: &Value) -> Value {
    let names = [
        "matched",
        "differing",
        "unknown",
        "pending",
        "missing",
        "rows",
        "not_understood",
    ];
    names.iter().map(|name| compared[*name].clone()).collect()
}

/// A point is decimal, batches are opened, what is announced has not arrived, and an odd entry leaves the others.
#[tokio::test(flavor = "multi_thread")]
async fn camt_is_read_by_its_standard() {
    let house = House::open().await;
    let [first, second] = &house.ids;
    let words = |id: &str| format!("<Ustrd>{id}</Ustrd>");
    let parted = format!(
        "<Ustrd>STRIPE {}</Ustrd><Ustrd>{}</Ustrd>",
        &first[..12],
        &first[12..]
    );
    let anew = words(&second.to_uppercase().replace('_', "-"));
    let single =
        |amount: &str, status: &str, words: &str| house.entry(&pounds(amount), status, &details("", words));
    let both = [
        single("000000000254.99", "BOOK", &parted),
        single("254.990", "<Cd>BOOK</Cd>", &anew),
    ]
    .concat();
    let batch = [
        details(&pounds("254.99"), &words(first)),
        details(&pounds("254.99"), &words(second)),
    ]
    .concat();
    let batch = house.entry(&pounds("509.98"), "BOOK", &batch);
    let pending = single("254.99", "PDNG", &words(first));
    let informed = single("254.99", "INFO", &words(first));
    let odd = both.clone() + &both.replace("GBP", "SEK") + &both.replace("GBP", "??");
    for (currency, entries, expected) in [
        ("GBP", both.as_str(), json!([2, 0, 0, 0, 0, 2, 0])),
        ("GBP", &batch, json!([2, 0, 0, 0, 0, 1, 0])),
        ("GBP", &pending, json!([0, 0, 0, 1, 1, 1, 0])),
        ("GBP", &informed, json!([0, 0, 0, 0, 2, 1, 0])),
        ("GBP", &odd, json!([2, 0, 2, 0, 0, 4, 2])),
        ("GBP", "", json!([0, 0, 0, 0, 2, 0, 0])),
        ("EUR", "", json!([0, 0, 0, 0, 0, 0, 0])),
    ] {
        let compared = house.compare("", &house.statement(currency, entries)).await;
        assert_eq!(counts(&compared), expected, "{entries}: {compared}");
        assert_eq!(compared["covered"][0]["currency"], currency, "{compared}");
    }
    // Nothing is called missing by a notification, and nothing is counted as none.
    let notification = house.statement("GBP", &pending).replace("Stmt>", "Ntfctn>");
    let compared = house.compare("", &notification).await;
    assert_eq!(
        (&compared["missing"], &compared["uncovered"]),
        (&json!(null), &json!("notification")),
        "{compared}"
    );
}

/// Amounts and days are read by the feed's rule or refused by name; account data and totals are set aside, odd rows are named.
#[tokio::test(flavor = "multi_thread")]
async fn csv_of_banks_is_read_or_refused_by_name() {
    let house = House::open().await;
    let [first, second] = &house.ids;
    let iso = &house.days[0];
    let day = format!("{}.{}.{}", &iso[8..], &iso[5..7], &iso[..4]);
    for (file, refusal) in [
        (
            format!("Date,Amount,Currency,Reference\n{iso},610.000,GBP,x\n"),
            "decimal.doubtful",
        ),
        (
            "Date,Amount,Currency\n01/02/2026,5.00,GBP\n".to_owned(),
            "days.doubtful",
        ),
        (
            format!("Date,Amount,Text\n{iso},5.00,x\n"),
            "account_currency.no_currency",
        ),
        (
            "Date,Amount,Currency\n31.11.2026,5.00,GBP\n".to_owned(),
            "file.unreadable",
        ),
        (
            format!("Day,Amount,Currency\n{iso},5.00,GBP\n"),
            "columns.no_column",
        ),
    ] {
        assert_eq!(house.refusal(&file).await, refusal, "{file}");
    }
    let around = format!(
        "sep=;\nAccount;GB12 3456\nHolder;House\n\nDate;Paid out;Paid in;Text\n{day};;254,99;{first}\n{day};12,00;;\"rent\n31.11.2026;;5,00;x\n\
         {day};;1,00;y\nTotal;12,00;254,99;\nOpening balance;;;\n"
    );
    let compared = house.compare("?account_currency=GBP", &around).await;
    // The days are written with points: the second payout is missing all the same where it arrived on that day.
    let missing = usize::from(house.days[0] == house.days[1]);
    assert_eq!(
        counts(&compared),
        json!([1, 0, 1, 0, missing, 2, 2]),
        "{compared}"
    );
    assert_eq!(compared["headings"], 4, "{compared}");
    let odd: Vec<_> = compared["odd_rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["reason"] != "heading")
        .collect();
    let odd: Vec<_> = odd
        .iter()
        .map(|row| (row["line"].as_u64().unwrap(), row["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(odd, [(7, "open_quote"), (8, "day")]);
    let signs =
        format!("Datum;Bedrag;Af Bij;Omschrijving\n{day};254,99;Bij;{first}\n{day};254,99;Af;{second}\n");
    let compared = house.compare("?account_currency=GBP", &signs).await;
    assert_eq!(counts(&compared), json!([1, 1, 0, 0, 0, 2, 0]), "{compared}");
    let chosen = format!("Date,Amount,Currency,Text\n{iso},254.990,GBP,{first}\n");
    let compared = house.compare("?decimal=.", &chosen).await;
    assert_eq!(compared["matched"], 1, "{compared}");
}

/// MT940 has a comma before the decimals, and its balances say which days it covers.
#[tokio::test(flavor = "multi_thread")]
async fn mt940_is_compared_as_camt_is() {
    let house = House::open().await;
    let [first, last] = house
        .days
        .each_ref()
        .map(|day| format!("{}{}{}", &day[2..4], &day[5..7], &day[8..]));
    let id = &house.ids[0];
    let file = format!(
        ":20:STATEMENT\r\n:25:GB12\r\n:28C:1/1\r\n:60F:C{first}GBP0,00\r\n:61:{first}{}C254,99NTRFNONREF//B1\r\n:86:STRIPE {}\r\n{}\r\n\
         :61:{first}D1,NCHGNONREF\r\n:61:{first}X1,NCHGNONREF\r\n:62F:C{last}GBP253,99\r\n",
        &first[2..],
        &id[..12],
        &id[12..],
    );
    let compared = house.compare("", &file).await;
    assert_eq!(counts(&compared), json!([1, 0, 1, 0, 1, 2, 1]), "{compared}");
    assert_eq!(
        (&compared["form"], &compared["lines"][0]["source"]),
        (&json!("mt940"), &json!(id)),
        "{compared}"
    );
}

/// Money that went out is no arrived payout, whatever the heading of its column is.
#[tokio::test(flavor = "multi_thread")]
async fn money_that_went_out_is_no_arrived_payout() {
    let house = House::open().await;
    let ([first, second], day) = (&house.ids, &house.days[0]);
    let file = |names: &str, words: [&str; 2], rest: &str| {
        let [credit, debit] = words;
        format!(
            "Date,{names},Description,Amount\n{day},{credit},STRIPE {first},254.99\n{day},{debit},STRIPE {second},254.99\n{rest}"
        )
    };
    for (names, words) in [
        ("Direction", ["CREDIT", "DEBIT"]),
        ("Direction", ["IN", "OUT"]),
        ("Debit/Credit Indicator", ["Credit", "Debit"]),
        ("CreditDebitIndicator", ["CRDT", "DBIT"]),
        ("DR / CR", ["CR", "DR"]),
        ("Kind", ["CREDIT", "DEBIT"]),
        ("Which way", ["Money in", "Money out"]),
    ] {
        let compared = house
            .compare("?account_currency=GBP", &file(names, words, ""))
            .await;
        assert_eq!(
            counts(&compared),
            json!([1, 1, 0, 0, 0, 2, 0]),
            "{names}: {compared}"
        );
        assert_eq!(
            compared["lines"][1]["amount_minor"], -25_499,
            "{names}: {compared}"
        );
    }
    // One row of another word leaves the others their direction, and is not understood itself.
    let fee = file("Type", ["Credit", "Debit"], &format!("{day},Fee,CARD,1.00\n"));
    let compared = house.compare("?account_currency=GBP", &fee).await;
    assert_eq!(counts(&compared), json!([1, 1, 0, 0, 0, 2, 1]), "{compared}");
    assert_eq!(compared["odd_rows"][0]["reason"], "direction", "{compared}");
    let two = file("Type,Kind", ["Credit,Deposit", "Debit,Deposit"], "");
    let (status, answer) = house.send("?account_currency=GBP", &two).await;
    let error = &answer["errors"][0];
    assert_eq!(
        (status, &error["field"], &error["code"]),
        (
            StatusCode::UNPROCESSABLE_ENTITY,
            &json!("sign"),
            &json!("doubtful")
        ),
        "{answer}"
    );
}

/// Headings with a currency are found: banks of the United Kingdom write them in several ways.
#[tokio::test(flavor = "multi_thread")]
async fn headings_with_a_currency_are_found() {
    let house = House::open().await;
    let (id, day) = (&house.ids[0], &house.days[0]);
    for names in [
        "Paid out (GBP),Paid in (GBP)",
        "Paid out GBP,Paid in GBP",
        "Paid out [GBP],Paid in [GBP]",
        "Money out (£),Money in (£)",
        "Paid Out £,Paid In £",
    ] {
        let file = format!("Date,Description,{names}\n{day},STRIPE {id},,254.99\n");
        let compared = house.compare("", &file).await;
        assert_eq!(compared["matched"], 1, "{names}: {compared}");
    }
}

/// An amount alone is said to be one, and is no payout where the words name another house's.
#[tokio::test(flavor = "multi_thread")]
async fn match_by_amount_alone_is_said() {
    let house = House::open().await;
    let (id, day) = (&house.ids[0], &house.days[0]);
    let file = format!(
        "Date,Description,Amount\n{day},STRIPE {id},254.99\n{day},STRIPE po_ffffffffffffffffffffffff,254.99\n\
         {day},Closing balance,254.99\n{day},TOTAL,254.99\n{day},Rent MR SMITH,254.99\n"
    );
    let compared = house.compare("?account_currency=GBP", &file).await;
    assert_eq!(counts(&compared), json!([2, 0, 1, 0, 0, 3, 0]), "{compared}");
    assert_eq!(compared["headings"], 2, "{compared}");
    let found: Vec<_> = compared["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["by"].clone())
        .collect();
    assert_eq!(found, [json!("id"), json!(null), json!("amount")], "{compared}");
}

/// A payout that the bank sent back has not arrived. Where payouts go out alone the file could be the provider's, and that is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payout_that_came_back_has_not_arrived() {
    let house = House::open().await;
    let [first, second] = &house.ids;
    let file = |lines: &[(&str, &str)]| {
        let rows = lines
            .iter()
            .map(|(amount, words)| format!("{},{amount},GBP,STRIPE {words}\n", house.days[0]));
        format!("Date,Amount,Currency,Reference\n{}", rows.collect::<String>())
    };
    let verdicts = |compared: &Value| {
        let lines = compared["lines"].as_array().unwrap().iter();
        lines
            .filter(|line| !line["line"].is_null())
            .map(|line| line["verdict"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let alone = file(&[("-254.99", first)]);
    assert_eq!(house.refusal(&alone).await, "account_of.doubtful");
    let bank = house.compare("?account_of=bank", &alone).await;
    assert_eq!(verdicts(&bank), ["differing"], "{bank}");
    let provider = house.compare("?account_of=provider", &alone).await;
    assert_eq!(verdicts(&provider), ["matched"], "{provider}");

    let later = file(&[("254.99", first), ("-254.99", first), ("254.99", second)]);
    let read = house.compare("", &later).await;
    assert_eq!(verdicts(&read), ["matched", "unknown", "matched"], "{read}");
    // A charge of the bank is no payout, whatever its sign.
    let charge = house.compare("", &file(&[("-2.50", "fee")])).await;
    assert_eq!(verdicts(&charge), ["unknown"], "{charge}");
}
