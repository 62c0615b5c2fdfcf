//! Reads camt.052, .053 and .054 (ISO 20022, `BankToCustomer…`). Amounts are XML decimals: the point is the decimal sign, always, and
//! there are no thousands. The sign of an entry is its `CdtDbtInd`, also where it reverses another (`RvslInd`).

use chrono::NaiveDate;
use domain::calendar;
use domain::typed_number::{self, DecimalSign, NumberDoubt};

use crate::xml::{Element, read_document};
use crate::{
    Covered, Entry, Fault, Form, NotRead, Reason, Statement, Status, Uncovered, Unit, cut_account, cut_words,
    take, within_bounds,
};

/// Elements that hold the entries of one account: a statement, a report, a notification.
const STATEMENTS: [&str; 3] = ["Stmt", "Rpt", "Ntfctn"];
/// Elements whose text may name the other side.
const NAMING: [&str; 11] = [
    "NtryRef",
    "AcctSvcrRef",
    "EndToEndId",
    "InstrId",
    "TxId",
    "Ustrd",
    "Ref",
    "AddtlRmtInf",
    "AddtlTxInf",
    "AddtlNtryInf",
    "MsgId",
];
/// Written where there is no reference.
const NOT_PROVIDED: &str = "NOTPROVIDED";

/// Reads a document.
///
/// # Errors
/// For what is no XML, and what a document may do to a reader.
pub(crate) fn read(text: &str) -> Result<Statement, Fault> {
    let root = read_document(text)?;
    let mut statement = Statement {
        form: Form::Camt,
        account_end: None,
        rows: 0,
        entries: Vec::new(),
        not_read: Vec::new(),
        covered: Vec::new(),
        uncovered: None,
        account_of: None,
    };
    let mut held = Vec::new();
    root.walk(&mut |element| {
        if STATEMENTS.contains(&element.name.as_str()) {
            held.push(element);
        }
    });
    let mut number = 0;
    for one in held {
        let account = [&["Acct", "Id", "IBAN"][..], &["Acct", "Id", "Othr", "Id"]];
        let account = account.iter().find_map(|path| one.text_at(path));
        statement.account_end = statement.account_end.or_else(|| account.and_then(cut_account));
        let first = statement.entries.len();
        for entry in one.all("Ntry") {
            number += 1;
            take(&mut statement, read_entry(entry, number))?;
        }
        match find_coverage(one, &statement.entries[first..]) {
            Ok(covered) => statement.covered.extend(covered),
            Err(why) => statement.uncovered = statement.uncovered.or(Some(why)),
        }
    }
    Ok(statement)
}

/// For which days the account is listed whole.
fn find_coverage(statement: &Element, entries: &[Entry]) -> Result<Vec<Covered>, Uncovered> {
    if statement.name == "Ntfctn" {
        return Err(Uncovered::Notification);
    }
    let is_page = |page: &Element| {
        page.text_at(&["LastPgInd"]) == Some("false")
            || page
                .text_at(&["PgNb"])
                .is_some_and(|number| number.trim_start_matches('0') != "1")
    };
    if statement
        .children
        .iter()
        .any(|child| child.name.ends_with("Pgntn") && is_page(child))
    {
        return Err(Uncovered::Page);
    }
    let currencies = find_currencies(statement, entries);
    if currencies.is_empty() {
        return Err(Uncovered::Currency);
    }
    let (first, last) = find_period(statement, entries).ok_or(Uncovered::Period)?;
    // A report (camt.052) may be written while its last day goes on.
    let last = if statement.name == "Rpt" && !is_day_over(statement, last) {
        last.pred_opt()
            .filter(|before| *before >= first)
            .ok_or(Uncovered::UnderWay)?
    } else {
        last
    };
    let covered = currencies.into_iter().map(|currency| Covered {
        currency,
        first,
        last,
    });
    Ok(covered.collect())
}

/// Whether a report says that its last day is over: by a closing balance, a period up to midnight, or its own moment on a later day.
fn is_day_over(report: &Element, last: NaiveDate) -> bool {
    let is_closing = |balance: &Element| balance.text_at(&["Tp", "CdOrPrtry", "Cd"]) == Some("CLBD");
    let to = report.text_at(&["FrToDt", "ToDtTm"]);
    let is_whole = to.is_some_and(|to| matches!(to.get(10..16), Some("T23:59" | "T00:00")));
    let written = report.text_at(&["CreDtTm"]).and_then(read_xml_day);
    is_whole || report.all("Bal").any(is_closing) || written.is_some_and(|day| day > last)
}

/// The account's currency; where it is not said, those of its balances, else of its entries.
fn find_currencies(statement: &Element, entries: &[Entry]) -> Vec<String> {
    let account = statement.text_at(&["Acct", "Ccy"]).map(str::to_ascii_uppercase);
    let balances = statement
        .all("Bal")
        .filter_map(|balance| balance.at(&["Amt"])?.currency.clone());
    let of_entries = entries.iter().map(|entry| entry.unit.code.to_owned());
    let mut found: Vec<String> = account.into_iter().collect();
    if found.is_empty() {
        found = balances.collect();
    }
    if found.is_empty() {
        found = of_entries.collect();
    }
    found.sort();
    found.dedup();
    found
}

/// `FrToDt`; else from the day after the opening balance to the closing one. The first and the last booked entry stand for a balance
/// without a day: where both have one, an entry's day may be its value day, and stretches nothing.
fn find_period(statement: &Element, entries: &[Entry]) -> Option<(NaiveDate, NaiveDate)> {
    let side = |names: [&str; 2]| names.iter().find_map(|name| statement.text_at(&["FrToDt", name]));
    let (from, to) = (side(["FrDtTm", "FrDt"]), side(["ToDtTm", "ToDt"]));
    if let (Some(first), Some(last)) = (from.and_then(read_xml_day), to.and_then(read_xml_day)) {
        // Midnight ends the day before.
        let is_midnight = to.is_some_and(|to| to.get(10..19) == Some("T00:00:00"));
        let last = last
            .pred_opt()
            .filter(|before| is_midnight && *before >= first)
            .unwrap_or(last);
        return Some((first, last));
    }
    let balance = |codes: [&str; 2]| {
        let mut balances = statement.all("Bal");
        let found = balances.find(|balance| {
            let code = balance.text_at(&["Tp", "CdOrPrtry", "Cd"]);
            code.is_some_and(|code| codes.contains(&code))
        })?;
        let day = found
            .text_at(&["Dt", "Dt"])
            .or_else(|| found.text_at(&["Dt", "DtTm"]));
        day.and_then(read_xml_day)
    };
    let booked = || {
        entries
            .iter()
            .filter(|entry| entry.status == Status::Booked)
            .map(|entry| entry.day)
    };
    let closing = balance(["CLBD", "ITBD"]);
    let opening = balance(["OPBD", "PRCD"]).and_then(|opening| opening.succ_opt());
    let last = closing.or_else(|| booked().max())?;
    let first = opening.or_else(|| booked().min()).unwrap_or(last);
    Some((first.min(last), last))
}

/// The day of `2026-11-28`, `2026-11-28T10:15:00+01:00`, `2026-11-28Z`, as the bank's clock has it.
fn read_xml_day(text: &str) -> Option<NaiveDate> {
    calendar::read_day(text.get(..10)?)
}

/// One entry; a batch whose parts come to its amount is opened.
fn read_entry(entry: &Element, number: usize) -> Result<Vec<Entry>, NotRead> {
    let not_read = |reason| NotRead {
        line: number,
        text: describe_entry(entry),
        reason,
    };
    let amount = entry.at(&["Amt"]).ok_or_else(|| not_read(Reason::NoAmount))?;
    let (size, unit) = read_amount(amount).map_err(not_read)?;
    let is_debit = is_debit(entry).ok_or_else(|| not_read(Reason::Direction))?;
    let status = read_status(entry).ok_or_else(|| not_read(Reason::Status))?;
    let day = ["BookgDt", "ValDt"].iter().find_map(|name| {
        let day = entry.at(&[name])?;
        day.text_at(&["Dt"])
            .or_else(|| day.text_at(&["DtTm"]))
            .and_then(read_xml_day)
    });
    let whole = Entry {
        line: number,
        day: day.ok_or_else(|| not_read(Reason::Day))?,
        amount_minor: if is_debit { -size } else { size },
        unit,
        status,
        reference: gather_reference(entry),
    };
    Ok(open_batch(entry, &whole).unwrap_or_else(|| vec![whole]))
}

/// The parts of a batch, where each has an amount of the entry's currency and they come to the entry's.
fn open_batch(entry: &Element, whole: &Entry) -> Option<Vec<Entry>> {
    let details: Vec<&Element> = entry
        .all("NtryDtls")
        .flat_map(|held| held.all("TxDtls"))
        .collect();
    if details.len() < 2 {
        return None;
    }
    let parts: Option<Vec<Entry>> = details
        .iter()
        .map(|part| {
            let amount = part
                .at(&["Amt"])
                .or_else(|| part.at(&["AmtDtls", "TxAmt", "Amt"]))
                .or_else(|| part.at(&["AmtDtls", "InstdAmt", "Amt"]))?;
            let (size, unit) = read_amount(amount).ok()?;
            let is_debit = is_debit(part).unwrap_or(whole.amount_minor < 0);
            (unit == whole.unit).then(|| Entry {
                amount_minor: if is_debit { -size } else { size },
                reference: gather_reference(part),
                ..whole.clone()
            })
        })
        .collect();
    let parts = parts?;
    let sum = parts
        .iter()
        .try_fold(0_i64, |sum, part| sum.checked_add(part.amount_minor))?;
    (sum == whole.amount_minor).then_some(parts)
}

/// An XML decimal with its currency: `8814.80`, `000000000008814.80`, `8.850`, `.5`.
fn read_amount(amount: &Element) -> Result<(i64, Unit), Reason> {
    let code = amount.currency.as_deref().unwrap_or_default();
    let unit = Unit::from_code(code).ok_or(Reason::Currency)?;
    let text = amount.text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return Err(Reason::NoAmount);
    }
    let text = format!("{}.{fraction:0<1}", whole.trim_start_matches('0'));
    let text = if text.starts_with('.') {
        format!("0{text}")
    } else {
        text
    };
    if whole.is_empty() && fraction.is_empty() {
        return Err(Reason::NoAmount);
    }
    match typed_number::read_amount(&text, unit, Some(DecimalSign::Point)) {
        Ok(size) => {
            let size = i64::try_from(size).ok().and_then(within_bounds);
            Ok((size.ok_or(Reason::NoAmount)?, unit))
        }
        Err(NumberDoubt::TooFine) => Err(Reason::TooFine),
        Err(_) => Err(Reason::NoAmount),
    }
}

fn is_debit(entry: &Element) -> Option<bool> {
    match entry.text_at(&["CdtDbtInd"])? {
        "CRDT" => Some(false),
        "DBIT" => Some(true),
        _ => None,
    }
}

/// Versions up to 7 write the code as text, later ones as an element. An entry without one is booked.
fn read_status(entry: &Element) -> Option<Status> {
    let Some(status) = entry.at(&["Sts"]) else {
        return Some(Status::Booked);
    };
    match status.text_at(&["Cd"]).unwrap_or_else(|| status.text.trim()) {
        "BOOK" => Some(Status::Booked),
        "PDNG" | "FUTR" => Some(Status::Pending),
        "INFO" => Some(Status::Informational),
        _ => None,
    }
}

/// Everything that may name the other side, in the order of the file.
fn gather_reference(entry: &Element) -> String {
    let mut words: Vec<&str> = Vec::new();
    entry.walk(&mut |element| {
        let text = element.text.trim();
        if NAMING.contains(&element.name.as_str()) && !text.is_empty() && text != NOT_PROVIDED {
            words.push(text);
        }
    });
    words.dedup();
    cut_words(&words.join(" "))
}

/// What an entry says, for a person who looks it up in the file.
fn describe_entry(entry: &Element) -> String {
    let amount = entry.at(&["Amt"]);
    let currency = amount
        .and_then(|amount| amount.currency.clone())
        .unwrap_or_default();
    let status = entry
        .at(&["Sts"])
        .map(|status| status.text_at(&["Cd"]).unwrap_or_else(|| status.text.trim()));
    let words = [
        amount.map_or("", |amount| amount.text.trim()),
        &currency,
        entry.text_at(&["CdtDbtInd"]).unwrap_or_default(),
        status.unwrap_or_default(),
        &gather_reference(entry),
    ];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    cut_words(&words.join(" "))
}

#[cfg(test)]
mod tests;
