//! Which column of a CSV file means what: by the names that a person gives, else by those that banks use.

use crate::{Columns, Unit};

/// Names of banks, in the order in which they are preferred.
const DATE: &[&str] = &[
    "date",
    "booking date",
    "posting date",
    "posted date",
    "transaction date",
    "date processed",
    "completed date",
    "accounting date",
    "book date",
    "buchungstag",
    "buchungsdatum",
    "datum",
    "boekdatum",
    "transactiedatum",
    "date de comptabilisation",
    "date opération",
    "fecha",
    "data",
    "data contabile",
    "bokföringsdatum",
    "bokført dato",
    "dato",
    "交易日期",
    "日期",
    "value date",
    "valutadatum",
    "wertstellung",
];
const AMOUNT: &[&str] = &[
    "amount",
    "transaction amount",
    "net amount",
    "betrag",
    "buchungsbetrag",
    "umsatz",
    "bedrag",
    "transactiebedrag",
    "montant",
    "importe",
    "importo",
    "belopp",
    "beløb",
    "kwota",
    "交易金额",
    "金额",
];
const PAID_IN: &[&str] = &[
    "paid in",
    "money in",
    "credit",
    "credit amount",
    "deposit",
    "deposits",
    "haben",
    "crédit",
    "entrate",
    "贷方",
];
const PAID_OUT: &[&str] = &[
    "paid out",
    "money out",
    "debit",
    "debit amount",
    "withdrawal",
    "withdrawals",
    "soll",
    "débit",
    "uscite",
    "借方",
];
const SIGN: &[&str] = &[
    "d/c",
    "c/d",
    "dc",
    "cd",
    "dr/cr",
    "cr/dr",
    "debit/credit",
    "credit/debit",
    "debit or credit",
    "credit debit indicator",
    "af bij",
    "af/bij",
    "bij/af",
    "soll/haben",
    "s/h",
    "+/-",
    "sign",
];
/// Names of columns whose words may say the direction, and may say something else.
const TYPE: &[&str] = &["type", "transaction type", "details"];
/// A column of one of the first names holds a status alone, an `Info` other words as well.
const STATUS: &[&str] = &["status", "state"];
const INFO: &str = "info";
const CURRENCY: &[&str] = &[
    "currency",
    "ccy",
    "währung",
    "waehrung",
    "buchungswährung",
    "munt",
    "muntsoort",
    "devise",
    "divisa",
    "moneda",
    "币种",
];

/// Where a row's amount is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amounts {
    One(usize),
    /// The money that came in and the money that went out; one of them may not be there.
    Two(Option<usize>, Option<usize>),
}

/// Which cell holds what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    pub date: usize,
    pub amounts: Amounts,
    pub sign: Option<usize>,
    /// Columns that are the sign's where their words and the amounts allow it.
    pub types: Vec<usize>,
    pub status: Option<usize>,
    pub info: Option<usize>,
    pub currency: Option<usize>,
    /// Said by the name of the amount's column: `Amount (EUR)`.
    pub unit: Option<Unit>,
    /// Given by name; else all other cells with words name the other side.
    pub reference: Option<usize>,
}

impl Places {
    /// Finds the columns in a row of names.
    ///
    /// # Errors
    /// The first column that the row lacks.
    pub(crate) fn find(names: &[&str], columns: &Columns) -> Result<Self, String> {
        let names: Vec<Name> = names.iter().map(|name| Name::read(name)).collect();
        let given = |name: Option<&str>| -> Result<Option<usize>, String> {
            match name.map(str::trim).filter(|name| !name.is_empty()) {
                None => Ok(None),
                Some(name) => find_place(&names, &[name])
                    .map(Some)
                    .ok_or_else(|| name.to_owned()),
            }
        };
        let known = |name: Option<&str>, usual: &[&str]| -> Result<Option<usize>, String> {
            Ok(given(name)?.or_else(|| find_place(&names, usual)))
        };
        let date = known(columns.date.as_deref(), DATE)?.ok_or_else(|| "Date".to_owned())?;
        let (paid_in, paid_out) = (
            given(columns.paid_in.as_deref())?,
            given(columns.paid_out.as_deref())?,
        );
        let amounts = match known(columns.amount.as_deref(), AMOUNT)? {
            _ if paid_in.is_some() || paid_out.is_some() => Amounts::Two(paid_in, paid_out),
            Some(amount) => Amounts::One(amount),
            None => match (find_place(&names, PAID_IN), find_place(&names, PAID_OUT)) {
                (Some(paid_in), Some(paid_out)) => Amounts::Two(Some(paid_in), Some(paid_out)),
                _ => return Err("Amount".to_owned()),
            },
        };
        let first = match amounts {
            Amounts::One(amount) => Some(amount),
            Amounts::Two(paid_in, paid_out) => paid_in.or(paid_out),
        };
        let reference = given(columns.reference.as_deref())?;
        let types = TYPE.iter().filter_map(|name| find_place(&names, &[name]));
        let types = types.filter(|place| Some(*place) != reference).collect();
        Ok(Self {
            date,
            amounts,
            sign: known(columns.sign.as_deref(), SIGN)?,
            types,
            status: find_place(&names, STATUS),
            info: find_place(&names, &[INFO]),
            currency: known(columns.currency.as_deref(), CURRENCY)?,
            unit: first.and_then(|first| names[first].unit),
            reference,
        })
    }

    /// Whether a cell holds something else than words about the other side.
    pub(crate) fn is_taken(&self, cell: usize) -> bool {
        let of_amounts = match self.amounts {
            Amounts::One(amount) => cell == amount,
            Amounts::Two(paid_in, paid_out) => Some(cell) == paid_in || Some(cell) == paid_out,
        };
        let others = [self.sign, self.status, self.currency];
        of_amounts || cell == self.date || others.contains(&Some(cell))
    }
}

/// A column's name as it is compared.
struct Name {
    whole: String,
    /// Without the currency behind it.
    short: String,
    unit: Option<Unit>,
}

impl Name {
    fn read(name: &str) -> Self {
        let whole = name.trim().to_lowercase();
        let plain = whole.trim_end_matches([')', ']']);
        let last = plain
            .rfind([' ', '(', '['])
            .map(|at| (&plain[..at], &plain[at + 1..]));
        let unit = last.and_then(|(_, code)| Unit::from_code(code));
        let short = last.filter(|_| unit.is_some()).map_or(plain, |(short, _)| short);
        let short = short
            .trim_end_matches([' ', '(', '['])
            .trim_end_matches(" in")
            .to_owned();
        Self {
            short: if unit.is_some() { short } else { whole.clone() },
            whole,
            unit,
        }
    }
}

/// The first column of the first wanted name that there is.
fn find_place(names: &[Name], wanted: &[&str]) -> Option<usize> {
    wanted.iter().find_map(|wanted| {
        let wanted = wanted.trim().to_lowercase();
        names
            .iter()
            .position(|name| name.whole == wanted)
            .or_else(|| names.iter().position(|name| name.short == wanted))
    })
}
