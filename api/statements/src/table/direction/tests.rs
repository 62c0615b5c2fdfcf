use super::super::tests::{pounds, read_with};
use crate::{Choices, Columns, Fault, Reason};

/// Each row's amount in minor units, or why it is no entry, in the file's order.
fn list_rows(text: &str) -> Vec<Result<i64, Reason>> {
    let statement = read_with(text, &pounds()).unwrap();
    let entries = statement
        .entries
        .iter()
        .map(|entry| (entry.line, Ok(entry.amount_minor)));
    let odd = statement.not_read.iter().map(|row| (row.line, Err(row.reason)));
    let mut rows: Vec<_> = entries.chain(odd).collect();
    rows.sort_by_key(|(line, _)| *line);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// A file with a column of words beside amounts, a row for each.
fn file(name: &str, rows: &[(&str, &str)]) -> String {
    let rows = rows
        .iter()
        .map(|(word, amount)| format!("2026-11-28,{word},STRIPE po_x,{amount}\n"));
    format!("Date,{name},Description,Amount\n{}", rows.collect::<String>())
}

#[test]
fn money_that_goes_out_is_told_under_any_heading() {
    for name in [
        "Direction",
        "Transaction Direction",
        "Debit/Credit Indicator",
        "CreditDebitIndicator",
        "Credit/Debit Flag",
        "Indicator",
        "DR / CR",
        "Dr-Cr",
        "cr_dr",
        "D / C",
        "Debit or Credit",
        "Soll / Haben",
        "Soll/Haben-Kennzeichen",
        "Kind",
        "Which way",
        "Type",
        "Details",
        "借贷标志",
    ] {
        for (credit, debit) in [
            ("CREDIT", "DEBIT"),
            ("C", "D"),
            ("cr", "dr"),
            ("IN", "OUT"),
            ("Incoming", "Outgoing"),
            ("Money in", "Money out"),
            ("Gutschrift", "Lastschrift"),
            ("Haben", "Soll"),
            ("Abono", "Cargo"),
            ("Avere", "Dare"),
            ("贷", "借"),
            ("+", "-"),
        ] {
            let text = file(name, &[(credit, "254.99"), (debit, "254.99")]);
            assert_eq!(list_rows(&text), [Ok(25_499), Ok(-25_499)], "{text}");
        }
    }
}

#[test]
fn row_of_another_word_says_no_direction() {
    let other = Err(Reason::Direction);
    for name in ["Type", "Kind", "Direction", "Indicator", "Booking"] {
        let text = file(name, &[("Credit", "5"), ("Debit", "6"), ("Fee", "7"), ("", "8")]);
        assert_eq!(list_rows(&text), [Ok(500), Ok(-600), other, other], "{text}");
    }
    // One direction alone: a name of types says it for all of them, and what leaves the others open is no arrival.
    for (first, second, expected) in [
        ("Debit", "Fee", [Ok(-500), other]),
        ("Credit", "Fee", [Ok(500), other]),
        ("Credit", "", [Ok(500), other]),
        ("Debit", "", [Ok(-500), Ok(600)]),
        ("Debit", "Debit", [Ok(-500), Ok(-600)]),
        ("Transfer", "Fee", [Ok(500), Ok(600)]),
    ] {
        let text = file("Type", &[(first, "5"), (second, "6")]);
        assert_eq!(list_rows(&text), expected, "{text}");
    }
    // In a column of other words the row alone is doubtful.
    for (first, second, expected) in [
        ("Withdrawal", "STRIPE", [other, Ok(600)]),
        ("Deposit", "STRIPE", [Ok(500), Ok(600)]),
        ("Withdrawal", "Withdrawal", [Ok(-500), Ok(-600)]),
        ("-", "-", [Ok(500), Ok(600)]),
        ("d", "STRIPE", [Ok(500), Ok(600)]),
    ] {
        let text = file("Narrative", &[(first, "5"), (second, "6")]);
        assert_eq!(list_rows(&text), expected, "{text}");
    }
}

/// A statement of a card marks what came in, and leaves what was spent without a mark.
#[test]
fn amount_without_a_mark_among_credits_says_no_direction() {
    let other = Err(Reason::Direction);
    for (first, second, expected) in [
        ("5.00 CR", "6.00", [Ok(500), other]),
        ("+5.00", "6.00", [Ok(500), other]),
        ("5.00 CR", "6.00 DR", [Ok(500), Ok(-600)]),
        ("5.00", "6.00 DR", [Ok(500), Ok(-600)]),
        ("5.00", "-6.00", [Ok(500), Ok(-600)]),
        ("5.00", "6.00", [Ok(500), Ok(600)]),
    ] {
        let text = file("Note", &[("a", first), ("b", second)]);
        assert_eq!(list_rows(&text), expected, "{text}");
    }
}

#[test]
fn one_amount_with_a_sign_leaves_no_debit_an_arrival() {
    let other = Err(Reason::Direction);
    for name in ["Type", "Kind"] {
        for (first, second, expected) in [
            (("Debit", "-5"), ("Credit", "6"), [Ok(-500), Ok(600)]),
            (("Debit", "5"), ("Credit", "-6"), [other, Ok(-600)]),
            (("Debit", "5"), ("Credit", "6 DR"), [other, Ok(-600)]),
            (("Fee", "5"), ("Credit", "-6"), [Ok(500), Ok(-600)]),
        ] {
            let text = file(name, &[first, second]);
            assert_eq!(list_rows(&text), expected, "{text}");
        }
        // The sign of a balance is not that of a movement.
        let balance = file(name, &[("Credit", "5"), ("Debit", "6")]) + "2026-11-28,,Closing balance,-1.00\n";
        assert_eq!(list_rows(&balance)[..2], [Ok(500), Ok(-600)], "{balance}");
    }
}

#[test]
fn columns_of_debits_and_credits_go_before_one_amount() {
    let text = "Date,Text,Amount,Debit,Credit\n2026-11-28,a,5,5,\n2026-11-28,b,6,,6\n";
    assert_eq!(list_rows(text), [Ok(-500), Ok(600)]);
}

#[test]
fn kinds_of_cards_are_no_direction() {
    for name in ["Card Funding", "Card type", "Kartenart"] {
        let text = file(name, &[("credit", "5"), ("debit", "6"), ("prepaid", "7")]);
        assert_eq!(list_rows(&text), [Ok(500), Ok(600), Ok(700)], "{text}");
    }
}

#[test]
fn columns_that_disagree_are_refused_by_name() {
    let text = "Date,Type,Kind,Amount\n2026-11-28,Credit,Deposit,5\n2026-11-28,Debit,Deposit,6\n";
    let fault = Fault::TwoDirections("Type".to_owned(), "Kind".to_owned());
    assert_eq!(read_with(text, &pounds()), Err(fault));
    let chosen = Choices {
        columns: Columns {
            sign: Some("kind".to_owned()),
            ..Columns::default()
        },
        ..pounds()
    };
    let statement = read_with(text, &chosen).unwrap();
    let amounts: Vec<_> = statement.entries.iter().map(|entry| entry.amount_minor).collect();
    assert_eq!(amounts, [500, 600]);
}
