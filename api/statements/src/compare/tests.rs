use super::*;
use crate::{Covered, Fault, Form, Unit};

const FIRST: &str = "po_4085338924aadb71ecca0e26";
const SECOND: &str = "po_9985338924aadb71ecca0e26";

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn payout(id: &str, amount_minor: i64, on: &str) -> Known {
    Known {
        id: id.to_owned(),
        amount_minor,
        currency: "GBP".to_owned(),
        day: day(on),
        is_paid_out: true,
        is_payout: true,
    }
}

/// The movement by which a payout left the provider's account.
fn movement(of: &Known) -> Known {
    Known {
        amount_minor: -of.amount_minor,
        is_paid_out: false,
        is_payout: false,
        ..of.clone()
    }
}

/// Two paid payouts with their movements: 8,814.80 of 28 November and 610.00 of the 29th.
fn list_known() -> Vec<Known> {
    let payouts = [
        payout(FIRST, 881_480, "2026-11-28"),
        payout(SECOND, 61_000, "2026-11-29"),
    ];
    let movements = payouts.iter().map(movement);
    payouts.iter().cloned().chain(movements).collect()
}

fn entry(line: usize, amount_minor: i64, reference: &str) -> Entry {
    Entry {
        line,
        day: day("2026-11-28"),
        amount_minor,
        unit: Unit::from_code("GBP").unwrap(),
        status: Status::Booked,
        reference: reference.to_owned(),
    }
}

fn statement(entries: Vec<Entry>) -> Statement {
    Statement {
        form: Form::Camt,
        account_end: None,
        rows: entries.len(),
        entries,
        not_read: Vec::new(),
        covered: vec![Covered {
            currency: "GBP".to_owned(),
            first: day("2026-11-28"),
            last: day("2026-11-30"),
        }],
        uncovered: None,
        account_of: None,
    }
}

/// Each line's verdict with its payouts.
fn list_verdicts(statement: Statement, known: &[Known]) -> Vec<(Verdict, String)> {
    let compared = compare(statement, known, &ByHand::default());
    let lines = compared.lines.into_iter();
    lines.map(|line| (line.verdict, line.sources.join(" "))).collect()
}

fn line(verdict: Verdict, source: &str) -> (Verdict, String) {
    (verdict, source.to_owned())
}

#[test]
fn entries_are_found_by_name_and_by_amount() {
    let both = |first: &str, second: &str| {
        list_verdicts(
            statement(vec![entry(1, 881_480, first), entry(2, 61_000, second)]),
            &list_known(),
        )
    };
    let matched = [line(Verdict::Matched, FIRST), line(Verdict::Matched, SECOND)];
    for (first, second) in [
        (FIRST, SECOND),
        (
            "po_408533892 4aadb71ecca0e26",
            "STRIPE PO-9985338924AADB71ECCA0E26",
        ),
        ("po_408533892", "rent"),
        ("", ""),
    ] {
        assert_eq!(both(first, second), matched, "{first} {second}");
    }
    let differing = list_verdicts(statement(vec![entry(1, 881_380, "po_408533892")]), &list_known());
    assert_eq!(
        differing,
        [line(Verdict::Differing, FIRST), line(Verdict::Missing, SECOND)]
    );
}

/// Two payouts of one amount, of which the bank's file has the first twice: the second has not arrived.
#[test]
fn repeated_row_does_not_stand_for_another_payout() {
    let known = [
        payout("po_1", 25_499, "2026-11-28"),
        payout("po_12", 25_499, "2026-11-28"),
    ];
    let twice = vec![entry(2, 25_499, "STRIPE po_1"), entry(3, 25_499, "STRIPE po_1")];
    let expected = [
        line(Verdict::Matched, "po_1"),
        line(Verdict::Unknown, ""),
        line(Verdict::Missing, "po_12"),
    ];
    assert_eq!(list_verdicts(statement(twice), &known), expected);
}

#[test]
fn returned_or_repeated_payout_is_in_the_file_alone() {
    let known = list_known();
    let arrival = || entry(1, 881_480, FIRST);
    let second = || entry(3, 61_000, SECOND);
    let (matched, unknown) = (line(Verdict::Matched, FIRST), line(Verdict::Unknown, ""));
    for form in [Form::Camt, Form::Mt940, Form::Csv] {
        let of = |entries| Statement {
            form,
            ..statement(entries)
        };
        let last = line(Verdict::Matched, SECOND);
        for after in [
            entry(2, -881_480, FIRST),
            entry(2, 881_480, FIRST),
            entry(2, 5, FIRST),
            entry(2, 881_480, "po_408533892"),
        ] {
            let expected = [matched.clone(), unknown.clone(), last.clone()];
            let words = format!("{form:?} {after:?}");
            assert_eq!(
                list_verdicts(of(vec![arrival(), after, second()]), &known),
                expected,
                "{words}"
            );
        }
        let newest_first = of(vec![entry(1, -881_480, FIRST), arrival(), second()]);
        assert_eq!(
            list_verdicts(newest_first, &known),
            [unknown.clone(), matched.clone(), last]
        );
    }
    let returned = list_verdicts(statement(vec![entry(1, -881_480, FIRST), second()]), &known);
    assert_eq!(returned[0], line(Verdict::Differing, FIRST));
}

#[test]
fn report_of_the_provider_lists_movements_of_payouts() {
    let known = list_known();
    let report = |entries| Statement {
        form: Form::Csv,
        ..statement(entries)
    };
    let rows = || vec![entry(1, -881_480, FIRST), entry(2, -61_000, SECOND)];
    let both = [line(Verdict::Matched, FIRST), line(Verdict::Matched, SECOND)];
    let chosen = Statement {
        account_of: Some(AccountOf::Provider),
        ..report(rows())
    };
    assert_eq!(list_verdicts(chosen, &known), both);
    // A charge says that the report is the provider's.
    let charge = Known {
        id: "ch_7785338924aadb71ecca0e26".to_owned(),
        amount_minor: 25_907,
        is_paid_out: false,
        is_payout: false,
        ..known[0].clone()
    };
    let with_charge = [known.clone(), vec![charge.clone()]].concat();
    let listed = [rows(), vec![entry(3, 25_907, &charge.id)]].concat();
    let verdicts = list_verdicts(report(listed), &with_charge);
    assert_eq!(verdicts[..2], both);
    assert_eq!(verdicts[2], line(Verdict::Matched, &charge.id));
    let cut = report(vec![entry(1, 5, "po_408533892"), entry(2, 61_000, SECOND)]);
    assert_eq!(
        list_verdicts(cut, &known),
        [line(Verdict::Differing, FIRST), line(Verdict::Matched, SECOND)]
    );
}

/// What goes out of the bank's account has not arrived, also where the provider lists the payout as a movement of that sign.
#[test]
fn outgoing_payout_of_a_bank_has_not_arrived() {
    let known = list_known();
    let failed: Vec<Known> = known
        .iter()
        .map(|one| Known {
            is_paid_out: false,
            ..one.clone()
        })
        .collect();
    for form in [Form::Camt, Form::Mt940, Form::Csv] {
        let of = |entries: Vec<Entry>| Statement {
            form,
            account_of: (form == Form::Csv).then_some(AccountOf::Bank),
            ..statement(entries)
        };
        for known in [&known, &failed] {
            let alone = list_verdicts(of(vec![entry(1, -881_480, FIRST)]), known);
            assert_eq!(alone[0], line(Verdict::Differing, FIRST), "{form:?}");
            let unnamed = list_verdicts(of(vec![entry(1, -881_480, "returned")]), known);
            assert_eq!(unnamed[0], line(Verdict::Unknown, ""), "{form:?}");
        }
    }
}

/// The account of a CSV file is asked for where its signs do not say it, and there alone.
#[test]
fn account_is_asked_where_signs_do_not_say_it() {
    let known = list_known();
    let csv = |entries| Statement {
        form: Form::Csv,
        ..statement(entries)
    };
    let returned = || entry(4, -881_480, FIRST);
    let asked = Err(Fault::DoubtfulAccount(4));
    for (entries, expected) in [
        (vec![returned()], asked.clone()),
        (vec![returned(), entry(5, -1_200, "fee")], asked.clone()),
        (vec![entry(4, -881_480, "po_408533892")], asked),
        (vec![returned(), entry(5, 61_000, SECOND)], Ok(())),
        (vec![entry(3, 881_480, FIRST), returned()], Ok(())),
        (vec![entry(4, -1_200, "fee")], Ok(())),
        (vec![entry(4, 881_480, "")], Ok(())),
    ] {
        let statement = csv(entries);
        assert_eq!(check_account(&statement, &known), expected, "{statement:?}");
    }
    for account in [AccountOf::Bank, AccountOf::Provider] {
        let chosen = Statement {
            account_of: Some(account),
            ..csv(vec![returned()])
        };
        assert_eq!(check_account(&chosen, &known), Ok(()), "{account:?}");
    }
    assert_eq!(check_account(&statement(vec![returned()]), &known), Ok(()));
}

#[test]
fn amount_alone_names_no_payout_of_another_season() {
    let old = [payout(FIRST, 881_480, "2026-05-28")];
    assert_eq!(
        list_verdicts(statement(vec![entry(1, 881_480, "")]), &old),
        [line(Verdict::Unknown, "")]
    );
}

#[test]
fn announced_entries_are_not_arrived() {
    let with = |status| Entry {
        status,
        ..entry(1, 881_480, FIRST)
    };
    let missing = line(Verdict::Missing, SECOND);
    let pending = list_verdicts(statement(vec![with(Status::Pending)]), &list_known());
    assert_eq!(pending, [line(Verdict::Pending, FIRST), missing.clone()]);
    let both = list_verdicts(
        statement(vec![with(Status::Pending), with(Status::Booked)]),
        &list_known(),
    );
    assert_eq!(
        both,
        [
            line(Verdict::Pending, ""),
            line(Verdict::Matched, FIRST),
            missing.clone()
        ]
    );
    let informed = list_verdicts(statement(vec![with(Status::Informational)]), &list_known());
    assert_eq!(
        informed,
        [
            line(Verdict::Informational, ""),
            line(Verdict::Missing, FIRST),
            missing
        ]
    );
}

#[test]
fn entry_that_names_two_payouts_is_their_sum() {
    let words = format!("{FIRST} {SECOND}");
    let sum = list_verdicts(statement(vec![entry(1, 942_480, &words)]), &list_known());
    assert_eq!(
        sum,
        [line(Verdict::Matched, FIRST), line(Verdict::Matched, SECOND)]
    );
    let less = compare(
        statement(vec![entry(1, 942_380, &words)]),
        &list_known(),
        &ByHand::default(),
    );
    let first = &less.lines[0];
    assert_eq!(
        (first.verdict, first.there_minor, first.sources.len()),
        (Verdict::Differing, Some(942_480), 2)
    );
    assert_eq!(less.count(Verdict::Missing), 0);
}

#[test]
fn payouts_are_missing_in_covered_days_and_currencies_alone() {
    let euro = Known {
        currency: "EUR".to_owned(),
        ..payout("po_eur", 100, "2026-11-28")
    };
    let later = payout("po_later", 100, "2026-12-01");
    let mut known = list_known();
    known.extend([euro, later]);
    let missing = [line(Verdict::Missing, FIRST), line(Verdict::Missing, SECOND)];
    assert_eq!(list_verdicts(statement(Vec::new()), &known), missing);
    let mut nothing = statement(Vec::new());
    nothing.covered.clear();
    assert_eq!(list_verdicts(nothing, &known), []);
}

#[test]
fn payout_of_a_row_that_is_not_understood_is_not_missing() {
    let mut odd = statement(vec![entry(1, 61_000, SECOND)]);
    odd.not_read = vec![
        NotRead {
            line: 2,
            text: format!("31.11.2026;8.814,80;{FIRST}"),
            reason: Reason::Day,
        },
        NotRead {
            line: 3,
            text: "Total;9424.80".to_owned(),
            reason: Reason::Heading,
        },
    ];
    let compared = compare(odd, &list_known(), &ByHand::default());
    assert_eq!(compared.count(Verdict::Missing), 0);
    let sources: Vec<_> = compared.odd.iter().map(|odd| odd.source.as_deref()).collect();
    assert_eq!(sources, [Some(FIRST), None]);
}

#[test]
fn other_currency_of_a_named_payout_differs_without_a_sum() {
    let euro = Entry {
        unit: Unit::from_code("EUR").unwrap(),
        ..entry(1, 881_480, FIRST)
    };
    let compared = compare(statement(vec![euro]), &list_known(), &ByHand::default());
    assert_eq!(
        (compared.lines[0].verdict, compared.lines[0].there_minor),
        (Verdict::Differing, None)
    );
}

#[test]
fn decided_lines_are_not_compared_and_their_payouts_arrived() {
    let by_hand = ByHand {
        lines: BTreeMap::from([(0, Some(FIRST.to_owned())), (1, None)]),
        payouts: BTreeSet::from([FIRST.to_owned(), SECOND.to_owned()]),
    };
    let entries = vec![
        entry(1, 881_380, "less a charge"),
        entry(2, -500, "charge"),
        entry(3, 61_000, SECOND),
    ];
    let compared = compare(statement(entries), &list_known(), &by_hand);
    let told: Vec<_> = compared
        .lines
        .iter()
        .map(|line| (line.place, line.verdict, line.there_minor))
        .collect();
    // The second payout was matched in another statement: it is no other line's, and not missing.
    let expected = [
        (Some(0), Verdict::ByHand, Some(881_480)),
        (Some(1), Verdict::Explained, None),
        (Some(2), Verdict::Unknown, None),
    ];
    assert_eq!(told, expected);
}

#[test]
fn id_of_another_house_matches_no_payout_by_amount() {
    let known = list_known();
    for words in [
        "STRIPE po_ffffffffffffffffffffffff",
        "STRIPE PO-FFFFFFFF12345678FFFFFFFF",
        "STRIPE po 1234567890abcdef12345678",
        "po1234567890abcdef12345678",
        "po_ffff",
        "EREFpo_ffffffffffff",
        "po_4085338924bbbbbbbbbbbbbb",
    ] {
        let verdicts = list_verdicts(statement(vec![entry(1, 881_480, words)]), &known);
        assert_eq!(verdicts[0], line(Verdict::Unknown, ""), "{words}");
    }
    for words in [
        "STRIPE po_4085",
        "PO BOX 12 rent",
        "Popplewell 2026",
        "STRIPE TXN 123456789",
        "",
    ] {
        let verdicts = list_verdicts(statement(vec![entry(1, 881_480, words)]), &known);
        assert_eq!(verdicts[0], line(Verdict::Matched, FIRST), "{words}");
    }
}

#[test]
fn each_line_says_by_what_it_was_found() {
    let entries = vec![
        entry(1, 881_480, "po_408533892"),
        entry(2, 61_000, "Rent MR SMITH"),
        entry(3, 5, SECOND),
        entry(4, 5, "fee"),
    ];
    let told = |entries| {
        let lines = compare(statement(entries), &list_known(), &ByHand::default()).lines;
        lines.into_iter().map(|line| line.by).collect::<Vec<_>>()
    };
    let (id, amount) = (Some(FoundBy::Id), Some(FoundBy::Amount));
    assert_eq!(told(entries), [id, amount, None, None]);
    let both = entry(1, 942_480, &format!("{FIRST} {SECOND}"));
    assert_eq!(told(vec![both]), [id, id]);
    assert_eq!(told(vec![entry(1, 5, SECOND)]), [id, None]);
}
