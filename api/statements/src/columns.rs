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
    "dr/cr",
    "cr/dr",
    "debit/credit",
    "credit/debit",
    "debit or credit",
    "credit or debit",
    "debet/credit",
    "af bij",
    "bij/af",
    "soll/haben",
    "s/h",
    "débit/crédit",
    "debe/haber",
    "dare/avere",
    "借贷",
    "借贷方向",
    "+/-",
    "sign",
    "indicator",
    "direction",
    "transaction direction",
    "payment direction",
];
/// What may follow a name of the sign: `Debit/Credit Indicator`.
const SIGN_ENDINGS: &[&str] = &[
    "indicator",
    "ind",
    "flag",
    "mark",
    "marker",
    "sign",
    "code",
    "type",
    "kennzeichen",
    "标志",
    "标识",
];
/// Names of columns whose words may say the direction, and may say something else.
const TYPE: &[&str] = &[
    "type",
    "transaction type",
    "entry type",
    "kind",
    "transaction kind",
    "buchungsart",
    "umsatzart",
    "交易类型",
];
/// In names of columns whose debit and credit are kinds of cards.
const CARD: &[&str] = &["card", "kart", "carte", "funding"];
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
    /// The sign's column was named by a person.
    pub is_sign_given: bool,
    /// Columns that are the sign's where one of their words is a direction.
    pub types: Vec<usize>,
    /// Columns whose debit and credit are no directions.
    pub cards: Vec<usize>,
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
    pub(crate) fn find(names: &[String], columns: &Columns) -> Result<Self, String> {
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
        // Columns for both directions say more than one amount without a sign beside them.
        let both = || Some((find_place(&names, PAID_IN)?, find_place(&names, PAID_OUT)?));
        let amounts = if paid_in.is_some() || paid_out.is_some() {
            Amounts::Two(paid_in, paid_out)
        } else if let Some(amount) = given(columns.amount.as_deref())? {
            Amounts::One(amount)
        } else if let Some((paid_in, paid_out)) = both() {
            Amounts::Two(Some(paid_in), Some(paid_out))
        } else {
            let amount = find_place(&names, AMOUNT);
            Amounts::One(amount.ok_or_else(|| "Amount".to_owned())?)
        };
        let first = match amounts {
            Amounts::One(amount) => Some(amount),
            Amounts::Two(paid_in, paid_out) => paid_in.or(paid_out),
        };
        let reference = given(columns.reference.as_deref())?;
        let sign = given(columns.sign.as_deref())?;
        let is_sign = |name: &Name| !name.is_of_card() && name.is_of_sign();
        let places_of = |is: &dyn Fn(&Name) -> bool| {
            let found = names.iter().enumerate().filter(|(_, name)| is(name));
            found.map(|(place, _)| place).collect::<Vec<_>>()
        };
        Ok(Self {
            date,
            amounts,
            sign: sign.or_else(|| places_of(&is_sign).first().copied()),
            is_sign_given: sign.is_some(),
            types: places_of(&Name::is_of_types),
            cards: places_of(&Name::is_of_card),
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

/// A column's name as it is compared: letters alone, since banks write `Paid in`, `paid_in` and `PaidIn`.
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
        let short = if unit.is_some() { short } else { whole.clone() };
        Self {
            short: squeeze(&short),
            whole: squeeze(&whole),
            unit,
        }
    }

    fn is_of_sign(&self) -> bool {
        let is_sign = |name: &str| SIGN.iter().any(|sign| squeeze(sign) == name);
        let mut endings = SIGN_ENDINGS.iter();
        is_sign(&self.whole) || endings.any(|ending| self.whole.strip_suffix(ending).is_some_and(is_sign))
    }

    fn is_of_types(&self) -> bool {
        TYPE.iter().any(|of_types| squeeze(of_types) == self.whole)
    }

    fn is_of_card(&self) -> bool {
        CARD.iter().any(|card| self.whole.contains(card))
    }
}

/// A name's letters and digits, in small letters; one that has none as it is written.
fn squeeze(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let letters: String = name.chars().filter(|sign| sign.is_alphanumeric()).collect();
    if letters.is_empty() { name } else { letters }
}

/// The first column of the first wanted name that there is.
fn find_place(names: &[Name], wanted: &[&str]) -> Option<usize> {
    wanted.iter().find_map(|wanted| {
        let wanted = squeeze(wanted);
        names
            .iter()
            .position(|name| name.whole == wanted)
            .or_else(|| names.iter().position(|name| name.short == wanted))
    })
}
