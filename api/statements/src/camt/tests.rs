use super::*;

const ENTRY: &str = "<Ntry><Amt Ccy=\"GBP\">8814.80</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-28</Dt></BookgDt>\
    <NtryDtls><TxDtls><RmtInf><Ustrd>po_1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>";

fn document(kind: &str, inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><Document xmlns=\"urn:x\"><M><{kind}><Id>1</Id>{inner}</{kind}></M></Document>"
    )
}

fn read_one(entry: &str) -> Statement {
    read(&document("Stmt", &format!("<Acct><Ccy>GBP</Ccy></Acct>{entry}"))).unwrap()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn amounts_are_xml_decimals() {
    for (written, currency, expected) in [
        ("8814.80", "GBP", Ok(881_480)),
        ("000000000008814.80", "GBP", Ok(881_480)),
        ("8.850", "EUR", Ok(885)),
        ("18.15000", "EUR", Ok(1_815)),
        ("610.000", "GBP", Ok(61_000)),
        ("1000", "GBP", Ok(100_000)),
        (".5", "GBP", Ok(50)),
        ("5.", "GBP", Ok(500)),
        ("1000", "JPY", Ok(1_000)),
        ("1.234", "KWD", Ok(1_234)),
        ("88<!-- -->14.80", "GBP", Ok(881_480)),
        ("881&#52;.80", "GBP", Ok(881_480)),
        ("8.8501", "EUR", Err(Reason::TooFine)),
        ("8,85", "EUR", Err(Reason::NoAmount)),
        ("1,000.00", "EUR", Err(Reason::NoAmount)),
        ("-5", "EUR", Err(Reason::NoAmount)),
        ("8&own;14", "EUR", Err(Reason::NoAmount)),
        (".", "EUR", Err(Reason::NoAmount)),
        ("", "EUR", Err(Reason::NoAmount)),
        ("99999999999999999999", "EUR", Err(Reason::NoAmount)),
        ("5", "POUNDS", Err(Reason::Currency)),
    ] {
        let entry = ENTRY.replace("\"GBP\">8814.80", &format!("\"{currency}\">{written}"));
        let statement = read_one(&entry);
        let told = statement.entries.first().map(|entry| entry.amount_minor);
        let told = told.ok_or_else(|| statement.not_read[0].reason);
        assert_eq!(told, expected, "{written} {currency}");
    }
}

#[test]
fn entries_say_whether_they_are_booked_and_which_way_they_go() {
    for (from, to, expected) in [
        ("BOOK", "BOOK", Ok((Status::Booked, 881_480))),
        ("<Sts>BOOK", "<Sts><Cd>BOOK</Cd>", Ok((Status::Booked, 881_480))),
        ("BOOK", "PDNG", Ok((Status::Pending, 881_480))),
        ("<Sts>BOOK", "<Sts><Cd>PDNG</Cd>", Ok((Status::Pending, 881_480))),
        ("BOOK", "FUTR", Ok((Status::Pending, 881_480))),
        ("BOOK", "INFO", Ok((Status::Informational, 881_480))),
        ("<Sts>BOOK</Sts>", "", Ok((Status::Booked, 881_480))),
        ("CRDT", "DBIT", Ok((Status::Booked, -881_480))),
        ("BOOK", "SEEN", Err(Reason::Status)),
        ("CRDT", "NONE", Err(Reason::Direction)),
        ("2026-11-28", "28.11.2026", Err(Reason::Day)),
    ] {
        let statement = read_one(&ENTRY.replace(from, to));
        let told = statement
            .entries
            .first()
            .map(|entry| (entry.status, entry.amount_minor));
        let told = told.ok_or_else(|| statement.not_read.first().unwrap().reason);
        assert_eq!(told, expected, "{from} {to}");
    }
}

#[test]
fn batch_is_opened_where_its_parts_come_to_it() {
    let part = |amount: &str, reference: &str| {
        format!(
            "<TxDtls><Refs><EndToEndId>{reference}</EndToEndId></Refs><AmtDtls><TxAmt>{amount}</TxAmt></AmtDtls></TxDtls>"
        )
    };
    let batch = |first: &str, second: &str| {
        let details = format!(
            "<NtryDtls>{}{}</NtryDtls>",
            part(first, "po_1"),
            part(second, "po_2")
        );
        let from = ENTRY.find("<NtryDtls>").unwrap();
        let statement = read_one(&format!("{}{details}</Ntry>", &ENTRY[..from]));
        assert_eq!(statement.rows, 1);
        let entries = statement.entries.into_iter();
        entries
            .map(|entry| (entry.amount_minor, entry.reference))
            .collect::<Vec<_>>()
    };
    let pounds = |amount: &str| format!("<Amt Ccy=\"GBP\">{amount}</Amt>");
    let both = [(800_000, "po_1".to_owned()), (81_480, "po_2".to_owned())];
    assert_eq!(batch(&pounds("8000"), &pounds("814.80")), both);
    let whole = [(881_480, "po_1 po_2".to_owned())];
    assert_eq!(batch(&pounds("8000"), &pounds("800")), whole);
    assert_eq!(batch(&pounds("8000"), "<Amt Ccy=\"SEK\">814.80</Amt>"), whole);
    assert_eq!(batch("", ""), whole);
}

/// What is covered, as `currency first last`, or why nothing is.
fn covered(kind: &str, inner: &str) -> String {
    let statement = read(&document(kind, inner)).unwrap();
    let told = statement.covered.iter();
    let told = told.map(|one| format!("{} {} {}", one.currency, one.first, one.last));
    let told: Vec<String> = told.collect();
    match statement.uncovered {
        Some(why) => why.name().to_owned(),
        None => told.join(", "),
    }
}

#[test]
fn period_and_currency_are_those_of_the_account() {
    let account = "<Acct><Id><IBAN>GB1</IBAN></Id><Ccy>GBP</Ccy></Acct>";
    let span = |from: &str, to: &str| {
        format!("<FrToDt><FrDtTm>{from}</FrDtTm><ToDtTm>{to}</ToDtTm></FrToDt>{account}")
    };
    let balance = |code: &str, day: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"GBP\">1</Amt><Dt><Dt>{day}</Dt></Dt></Bal>"
        )
    };
    let balances = format!(
        "{}{}",
        balance("OPBD", "2026-11-25"),
        balance("CLBD", "2026-11-30")
    );
    let valued = |day: &str| format!("{}{balances}", ENTRY.replace("2026-11-28", day));
    for (kind, inner, expected) in [
        (
            "Stmt",
            span("2026-11-01T00:00:00+01:00", "2026-11-30T23:59:59+01:00"),
            "GBP 2026-11-01 2026-11-30",
        ),
        (
            "Stmt",
            span("2026-11-28T00:00:00", "2026-11-29T00:00:00"),
            "GBP 2026-11-28 2026-11-28",
        ),
        ("Rpt", balances.clone(), "GBP 2026-11-26 2026-11-30"),
        ("Stmt", format!("{ENTRY}{balances}"), "GBP 2026-11-26 2026-11-30"),
        ("Stmt", valued("2026-11-03"), "GBP 2026-11-26 2026-11-30"),
        ("Stmt", valued("2026-12-15"), "GBP 2026-11-26 2026-11-30"),
        (
            "Stmt",
            format!("{ENTRY}{}", balance("CLBD", "2026-11-30")),
            "GBP 2026-11-28 2026-11-30",
        ),
        ("Stmt", balances.clone(), "GBP 2026-11-26 2026-11-30"),
        ("Stmt", account.to_owned(), "period"),
        ("Stmt", String::new(), "currency"),
        ("Ntfctn", format!("{account}{ENTRY}"), "notification"),
        (
            "Stmt",
            format!("<StmtPgntn><PgNb>2</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>{account}{ENTRY}"),
            "page",
        ),
        (
            "Stmt",
            format!("<StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>{account}{ENTRY}"),
            "GBP 2026-11-28 2026-11-28",
        ),
    ] {
        assert_eq!(covered(kind, &inner), expected, "{inner}");
    }
}

#[test]
fn one_odd_entry_leaves_the_others() {
    let odd = ENTRY.replace("GBP", "??");
    let krona = ENTRY.replace("GBP", "SEK");
    let statement = read_one(&format!("{odd}{krona}{ENTRY}"));
    let told: Vec<_> = statement
        .entries
        .iter()
        .map(|entry| (entry.line, entry.unit.code))
        .collect();
    assert_eq!(told, [(2, "SEK"), (3, "GBP")]);
    assert_eq!((statement.rows, statement.not_read[0].line), (2, 1));
    assert_eq!(statement.not_read[0].text, "8814.80 ?? CRDT BOOK po_1");
}

#[test]
fn documents_that_harm_a_reader_are_refused() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><Document/>";
    assert_eq!(read(bomb).unwrap_err(), Fault::DocumentType);
    for broken in ["<Document><Stmt>", "<Document></Stmt>", "<a", &"<a>".repeat(40)] {
        assert!(matches!(read(broken), Err(Fault::Unreadable(_))), "{broken}");
    }
    let long = ENTRY.repeat(crate::ROWS_MAX + 1);
    assert_eq!(read(&document("Stmt", &long)).unwrap_err(), Fault::TooManyRows);
    assert_eq!(read_one(ENTRY).entries[0].day, day("2026-11-28"));
}

#[test]
fn report_covers_its_last_day_once_that_is_over() {
    let account = "<Acct><Id><IBAN>GB1</IBAN></Id><Ccy>GBP</Ccy></Acct>";
    let written = |at: &str| format!("<CreDtTm>{at}</CreDtTm>{account}{ENTRY}");
    let span = |from: &str, to: &str| {
        format!("<FrToDt><FrDtTm>{from}</FrDtTm><ToDtTm>{to}</ToDtTm></FrToDt>{account}")
    };
    for (inner, expected) in [
        (format!("{account}{ENTRY}"), "under_way"),
        (written("2026-11-28T11:00:00Z"), "under_way"),
        (written("2026-11-29T06:00:00Z"), "GBP 2026-11-28 2026-11-28"),
        (
            span("2026-11-26T00:00:00", "2026-11-28T11:00:00"),
            "GBP 2026-11-26 2026-11-27",
        ),
        (
            span("2026-11-28T00:00:00", "2026-11-28T23:59:59"),
            "GBP 2026-11-28 2026-11-28",
        ),
    ] {
        assert_eq!(covered("Rpt", &inner), expected, "{inner}");
    }
}
