use super::*;
use crate::read_statement;
use domain::money::Currency;
use domain::typed_number::DecimalSign;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn today() -> NaiveDate {
    day("2026-11-28")
}

pub(super) fn pounds() -> Choices {
    Choices {
        currency: Some(Currency::Gbp),
        ..Choices::default()
    }
}

pub(super) fn read_with(text: &str, choices: &Choices) -> Result<Statement, Fault> {
    read_statement(text, choices, today())
}

/// Each entry as `line day amount currency words`.
fn entries(text: &str, choices: &Choices) -> Vec<String> {
    let statement = read_with(text, choices).unwrap();
    let told = statement.entries.iter().map(|entry| {
        let Entry {
            line,
            day,
            amount_minor,
            unit,
            reference,
            ..
        } = entry;
        format!("{line} {day} {amount_minor} {} {reference}", unit.code)
    });
    told.collect()
}

fn odd(text: &str, choices: &Choices) -> Vec<(usize, Reason)> {
    let statement = read_with(text, choices).unwrap();
    statement
        .not_read
        .iter()
        .map(|row| (row.line, row.reason))
        .collect()
}

#[test]
fn shapes_of_banks_are_read() {
    let shapes = [
        // With a mark for spreadsheets, account data above and totals below.
        "sep=;\nAccount;GB12 3456\n\nDate;Amount;Currency;Reference\n28.11.2026;8.814,80;GBP;po_1\nTotal;8.814,80;GBP;\nClosing balance;;GBP;9.000,00\n",
        "Date,Description,Paid out,Paid in,Balance\n28 Nov 2026,po_1,,\"8,814.80\",\"9,000.00\"\n",
        "Date,Description,Paid out,Paid in\n28/11/2026,po_1,0.00,8814.80\n",
        "Datum;Omschrijving;Af Bij;Bedrag (GBP)\n20261128;po_1;Bij;8814,80\n",
        "Date,Amount,D/C,Text\n2026-11-28,8814.80,C,po_1\n",
        "Date|Amount|Text\n2026-11-28 10:15|8814.80 CR|po_1\n",
        "Buchungstag\tBetrag\tW\u{e4}hrung\tText\n28.11.26\t8'814,80\tGBP\tpo_1\n",
        "\u{feff}Date,Amount,Currency,Text\n28-Nov-26,£8814.80,gbp,'po_1\n",
    ];
    for shape in shapes {
        let told = entries(shape, &pounds());
        let [one] = &told[..] else {
            panic!("{shape}: {told:?}")
        };
        assert!(one.contains(" 2026-11-28 881480 GBP po_1"), "{shape}: {one}");
    }
}

#[test]
fn direction_is_that_of_its_column() {
    for (word, amount, expected) in [
        ("D", "5", -500),
        ("Af", "5", -500),
        ("DBIT", "-5", -500),
        ("Soll", "5", -500),
        ("CR", "5", 500),
        ("bij", "5", 500),
        ("C", "-5", -500),
        ("", "-5", -500),
    ] {
        let text = format!("Date,Amount,D/C,Text\n2026-11-28,{amount},{word},x\n");
        let statement = read_with(&text, &pounds()).unwrap();
        assert_eq!(statement.entries[0].amount_minor, expected, "{word} {amount}");
    }
    let text = "Date,Paid out,Paid in\n2026-11-28,5.00,\n2026-11-28,-5.00,\n2026-11-28,,5.00\n2026-11-28,1,2\n2026-11-28,,\n";
    let statement = read_with(text, &pounds()).unwrap();
    let amounts: Vec<_> = statement.entries.iter().map(|entry| entry.amount_minor).collect();
    assert_eq!(amounts, [-500, -500, 500]);
    assert_eq!(
        odd(text, &pounds()),
        [(5, Reason::Direction), (6, Reason::NoAmount)]
    );
    let unknown = "Date,Amount,D/C\n2026-11-28,5,?\n2026-11-28,5,C\n";
    assert_eq!(odd(unknown, &pounds()), [(2, Reason::Direction)]);
}

#[test]
fn direction_is_that_of_types_where_all_of_them_say_one() {
    let amounts = |text: &str| {
        let statement = read_with(text, &pounds()).unwrap();
        let entries = statement.entries.iter();
        entries.map(|entry| entry.amount_minor).collect::<Vec<_>>()
    };
    for (name, first, second, expected) in [
        ("Transaction Type", "Debit,5", "Credit,6", [-500, 600]),
        ("type", "DR,5", "CR,6", [-500, 600]),
        ("Details", "DEBIT,5", ",6", [-500, 600]),
        ("Kind", "Debit,5", "Credit,6", [-500, 600]),
    ] {
        let text = format!(
            "Date,{name},Amount,Text\n2026-11-28,{first},a\n2026-11-28,{second},b\n,Total,-1,\nDate,{name},Amount,Text\n"
        );
        assert_eq!(amounts(&text), expected, "{text}");
    }
    let both = "Date,Details,Type,Amount\n2026-11-28,RENT,Debit,5\n2026-11-28,FEE,Debit,6\n";
    assert_eq!(amounts(both), [-500, -600]);
    assert_eq!(
        entries(both, &pounds()),
        ["2 2026-11-28 -500 GBP RENT", "3 2026-11-28 -600 GBP FEE"]
    );
}

#[test]
fn status_says_whether_the_money_moved() {
    for (name, word, expected) in [
        ("Status", "COMPLETED", Ok(Status::Booked)),
        ("State", "", Ok(Status::Booked)),
        ("State", "Pending", Ok(Status::Pending)),
        ("Status", "authorised", Ok(Status::Pending)),
        ("State", "REVERTED", Ok(Status::Informational)),
        ("Status", "Cancelled", Ok(Status::Informational)),
        ("Status", "Seen", Err(Reason::Status)),
        ("Info", "Umsatz gebucht", Ok(Status::Booked)),
        ("Info", "Umsatz vorgemerkt", Ok(Status::Pending)),
        ("Info", "Rechnung 7", Ok(Status::Booked)),
        ("Note", "Pending", Ok(Status::Booked)),
    ] {
        let text = format!("Date,Amount,{name},Text\n2026-11-28,5,{word},po_1\n2026-11-27,5,,po_2\n");
        let statement = read_with(&text, &pounds()).unwrap();
        let told = match statement.not_read.first() {
            Some(odd) => Err(odd.reason),
            None => Ok(statement.entries[0].status),
        };
        assert_eq!(told, expected, "{name} {word}");
        // What is not booked stretches no period.
        let last = if expected == Ok(Status::Booked) {
            "2026-11-28"
        } else {
            "2026-11-27"
        };
        assert_eq!(statement.covered[0].last, day(last), "{name} {word}");
    }
    let state = "Date,Amount,State,Text\n2026-11-28,5,COMPLETED,po_1\n";
    assert_eq!(entries(state, &pounds()), ["2 2026-11-28 500 GBP po_1"]);
}

#[test]
fn payment_to_a_firm_named_total_is_no_heading() {
    let text = "Date,Text,Amount\n31.11.2026,TOTAL ENERGIES,5\n,Totally Ltd,6\n28.11.2026,RENT,7\n,Total GBP,12\nClosing balance,,9\n\
        ,\u{672c}\u{9875}\u{5408}\u{8ba1},9\n,Gesamtsumme:,9\n,Brought forward,9\n";
    assert_eq!(
        odd(text, &pounds()),
        [
            (2, Reason::Day),
            (3, Reason::Day),
            (5, Reason::Heading),
            (6, Reason::Heading),
            (7, Reason::Heading),
            (8, Reason::Heading),
            (9, Reason::Heading),
        ]
    );
}

#[test]
fn doubtful_amounts_refuse_the_file_until_a_sign_is_chosen() {
    let text = "Date,Amount,Currency,Text\n2026-11-28,8814.80,GBP,x\n2026-11-29,610.000,GBP,y\n";
    let fault = Fault::DoubtfulAmount {
        line: 3,
        text: "610.000".to_owned(),
    };
    assert_eq!(read_with(text, &Choices::default()), Err(fault));
    let point = Choices {
        decimal: Some(DecimalSign::Point),
        ..Choices::default()
    };
    assert_eq!(read_with(text, &point).unwrap().entries[1].amount_minor, 61_000);
}

#[test]
fn doubtful_days_refuse_the_file_until_an_order_is_chosen() {
    let text = "Date,Amount,Currency,Text\n01/02/2026,5,GBP,x\n03/02/2026,5,GBP,y\n";
    let fault = Fault::DoubtfulDay {
        line: 2,
        text: "01/02/2026".to_owned(),
    };
    assert_eq!(read_with(text, &Choices::default()), Err(fault));
    for (order, first) in [
        (DayOrder::DayFirst, "2026-02-01"),
        (DayOrder::MonthFirst, "2026-01-02"),
    ] {
        let chosen = Choices {
            order: Some(order),
            ..Choices::default()
        };
        assert_eq!(read_with(text, &chosen).unwrap().entries[0].day, day(first));
    }
    // Days that no single order reads are refused with both lines.
    let mixed = text.replace("01/02", "13/02").replace("03/02", "02/13");
    let fault = Fault::TwoOrders((2, "13/02/2026".to_owned()), (3, "02/13/2026".to_owned()));
    assert_eq!(read_with(&mixed, &Choices::default()), Err(fault));
    let told = text.replace("03/02", "13/02");
    assert_eq!(
        read_with(&told, &Choices::default()).unwrap().entries[0].day,
        day("2026-02-01")
    );
}

#[test]
fn odd_rows_are_named_and_the_others_read() {
    let text = "Date,Amount,Currency,Text\n2026-11-28,5,GBP,a\n31.11.2026,5,GBP,b\n2026-11-28,x,GBP,c\n2026-11-28,5,POUNDS,d\n\
        2026-11-28,5.123,SEK,e\n2026-11-28,1012.345,GBP,f\n2026-11-28,€5,GBP,g\n2026-11-28,5,GBP,\"h\n2026-11-28,5,SEK,i\n\
        2026-11-28,6,GBP,j\nTotal,16,GBP,\nOpening balance,,GBP,\nPrinted on 28.11.2026\n";
    let fault = read_with(text, &Choices::default());
    assert!(
        matches!(fault, Err(Fault::DoubtfulAmount { line: 6, .. })),
        "{fault:?}"
    );
    let text = text.replace("5.123", "1015.123");
    assert_eq!(
        odd(&text, &Choices::default()),
        [
            (3, Reason::Day),
            (4, Reason::NoAmount),
            (5, Reason::Currency),
            (6, Reason::TooFine),
            (7, Reason::TooFine),
            (8, Reason::OtherSign),
            (9, Reason::OpenQuote),
            (12, Reason::Heading),
            (13, Reason::Heading),
            (14, Reason::Heading),
        ]
    );
    let told = entries(&text, &Choices::default());
    assert_eq!(
        told,
        [
            "2 2026-11-28 500 GBP a",
            "10 2026-11-28 500 SEK i",
            "11 2026-11-28 600 GBP j"
        ]
    );
    let alone = "Date,Amount,Currency,Text\n31.11.2026,5,GBP,b\n";
    let fault = read_with(alone, &Choices::default());
    assert!(
        matches!(fault, Err(Fault::NothingUnderstood(ref row)) if row.reason == Reason::Day),
        "{fault:?}"
    );
}

#[test]
fn row_with_more_cells_than_names_is_odd() {
    let text =
        "Date,Description,Amount\n28/11/2026,STRIPE po_x,8,814.80\n28/11/2026,RENT,5.00,,\n28/11/2026,FEE\n";
    let expected = [(2, Reason::NoAmount), (4, Reason::NoAmount)];
    assert_eq!(odd(text, &pounds()), expected);
    assert_eq!(entries(text, &pounds()), ["3 2026-11-28 500 GBP RENT"]);
    // Where the amount stands first as well: the words may be another cell's.
    let last = "Date,Amount,Description\n28/11/2026,8,814.80,STRIPE po_x\n28/11/2026,5.00,RENT\n";
    assert_eq!(odd(last, &pounds()), [(2, Reason::NoAmount)]);
}

/// Banks of Singapore write the words of an entry over two rows.
#[test]
fn rows_without_day_and_amount_go_on_with_the_words_above() {
    let text = "Account details for:,FRANK\nAvailable Balance,\"6,666.66\"\n\nTransaction History\n\
        Transaction date,Value date,Description,Withdrawals (GBP),Deposits (GBP)\n28/11/2026,29/11/2026,PAYOUT,,8814.80\n\
        ,,po_4085338924aadb71ecca0e26\n27/11/2026,27/11/2026,FEE,6.66,\n,,,,\n,,Closing balance,9.00,\n";
    let told = entries(text, &Choices::default());
    let expected = [
        "6 2026-11-28 881480 GBP PAYOUT po_4085338924aadb71ecca0e26",
        "8 2026-11-27 -666 GBP FEE",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        odd(text, &Choices::default()).last(),
        Some(&(10, Reason::Heading))
    );
}

#[test]
fn rows_that_are_not_booked_or_repeat_the_names_are_no_entries() {
    let text = "Date,Description,Amount\nPending,CAFE,£67.40\n28-Nov-2026,RENT,\"+ £1,100.00\"\nDate,Description,Amount\n,Total,1\n";
    assert_eq!(
        odd(text, &pounds()),
        [(2, Reason::Day), (4, Reason::Heading), (5, Reason::Heading)]
    );
    assert_eq!(entries(text, &pounds()), ["3 2026-11-28 110000 GBP RENT"]);
}

#[test]
fn missing_columns_and_currencies_are_named() {
    let named = Choices {
        columns: Columns {
            reference: Some("Text".to_owned()),
            date: Some(" day ".to_owned()),
            ..Columns::default()
        },
        ..Choices::default()
    };
    for (text, choices, fault) in [
        (
            "Day,Amount,Currency\n2026-11-28,5,GBP\n",
            &Choices::default(),
            Fault::NoColumn("Date".to_owned()),
        ),
        (
            "Date,Sum,Currency\n2026-11-28,5,GBP\n",
            &Choices::default(),
            Fault::NoColumn("Amount".to_owned()),
        ),
        (
            "Date,Paid in,Currency\n2026-11-28,5,GBP\n",
            &Choices::default(),
            Fault::NoColumn("Amount".to_owned()),
        ),
        (
            "Day,Amount,Currency\n2026-11-28,5,GBP\n",
            &named,
            Fault::NoColumn("Text".to_owned()),
        ),
        (
            "Date,Amount,Text\n2026-11-28,5,x\n",
            &Choices::default(),
            Fault::NoCurrency,
        ),
        ("Date,Amount,Currency\n", &Choices::default(), Fault::Empty),
        ("", &Choices::default(), Fault::Empty),
    ] {
        assert_eq!(read_with(text, choices), Err(fault), "{text}");
    }
    assert_eq!(
        entries("Day,Amount,Currency,Text\n2026-11-28,5,GBP,x\n", &named),
        ["2 2026-11-28 500 GBP x"]
    );
}

#[test]
fn encodings_tabs_and_lines_inside_cells_are_read() {
    let text =
        "Date\tAmount\tCurrency\tText\n2026-11-26\t12\tGBP\t\"Miete\nM\u{fc}ller\"\n2026-11-26\t5\tGBP\tb\n";
    let told = entries(text, &Choices::default());
    assert_eq!(
        told,
        [
            "2 2026-11-26 1200 GBP Miete\nM\u{fc}ller",
            "4 2026-11-26 500 GBP b"
        ]
    );
    let latin: Vec<u8> = text
        .chars()
        .map(|sign| u8::try_from(u32::from(sign)).unwrap())
        .collect();
    let wide: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for file in [latin, wide] {
        let decoded = crate::decode(&file).unwrap();
        assert_eq!(entries(&decoded, &Choices::default()), told);
    }
    let windows = crate::decode(b"\x80 \x96610 \xfc \x81").unwrap();
    assert_eq!(windows, "\u{20ac} \u{2013}610 \u{fc} \u{81}");
    assert_eq!(crate::decode(b"PK\x03\x04\0\0\xff"), Err(Fault::Unreadable(1)));
}

#[test]
fn covered_days_are_those_of_the_account() {
    let text = "Date,Amount,Currency,Text\n2026-11-29,5,GBP,x\n2026-11-26,5,SEK,y\n";
    let covered = |choices: &Choices| {
        let statement = read_with(text, choices).unwrap();
        let told = statement.covered.iter();
        told.map(|one| format!("{} {} {}", one.currency, one.first, one.last))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        covered(&Choices::default()),
        ["GBP 2026-11-26 2026-11-29", "SEK 2026-11-26 2026-11-29"]
    );
    assert_eq!(covered(&pounds()), ["GBP 2026-11-26 2026-11-29"]);
}

#[test]
fn rows_without_end_are_refused() {
    let rows = "2026-11-28,5,GBP,x\n".repeat(crate::ROWS_MAX + 1);
    let text = format!("Date,Amount,Currency,Text\n{rows}");
    assert_eq!(read_with(&text, &Choices::default()), Err(Fault::TooManyRows));
}

#[test]
fn dated_balances_and_totals_are_headings() {
    for words in [
        "Closing balance",
        "TOTAL",
        "Total GBP",
        "Balance brought forward",
        "Opening Balance 28 Nov 2026",
        "Saldo",
        "Neuer Saldo per 28.11.2026",
        "Solde final",
        "\u{672c}\u{9875}\u{5408}\u{8ba1}",
        "\u{671f}\u{672b}\u{4f59}\u{989d}",
    ] {
        let text = format!("Date,Type,Text,Amount\n28.11.2026,OTHER,{words},-3.00\n28.11.2026,BANK,RENT,7\n");
        assert_eq!(odd(&text, &pounds()), [(2, Reason::Heading)], "{words}");
    }
    for words in [
        "TOTAL ENERGIES",
        "Totally Ltd",
        "Balance of rent MR SMITH",
        "Total po_4085338924aadb71ecca0e26",
        "\u{4f59}\u{989d}\u{5b9d}\u{8f6c}\u{5165}",
    ] {
        let text = format!("Date,Text,Amount\n28.11.2026,{words},3.00\n");
        assert_eq!(odd(&text, &pounds()), [], "{words}");
    }
}
