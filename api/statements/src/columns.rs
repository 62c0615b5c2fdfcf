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
/// Words that may follow a name of the sign: `Debit/Credit Indicator`.
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

/// Signs of currencies in headings; `$` and `¥` are those of several.
const CURRENCY_SIGNS: [char; 6] = ['£', '€', '$', '₹', '₩', '¥'];

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
    /// The sign of several currencies in that name: `Amount ($)`.
    pub currency_sign: Option<char>,
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
        let of_amounts: Vec<&Name> = match amounts {
            Amounts::One(amount) => vec![&names[amount]],
            Amounts::Two(paid_in, paid_out) => {
                let both = [paid_in, paid_out].into_iter().flatten();
                both.map(|place| &names[place]).collect()
            }
        };
        let unit = of_amounts.iter().find_map(|name| name.unit);
        // Two currencies are none that all rows have.
        let is_one = of_amounts
            .iter()
            .all(|name| name.unit.is_none_or(|other| Some(other) == unit));
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
            unit: unit.filter(|_| is_one),
            currency_sign: of_amounts.iter().find_map(|name| name.sign),
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
    /// Without its currency: `Amount in GBP` is an amount, and `Paid in GBP` is paid in.
    short: Vec<String>,
    unit: Option<Unit>,
    /// The sign of several currencies.
    sign: Option<char>,
}

impl Name {
    fn read(name: &str) -> Self {
        let words = split_words(name);
        let sign_of = |word: &String| word.chars().next().filter(|sign| CURRENCY_SIGNS.contains(sign));
        let (unit, sign, rest) = match &words[..] {
            [rest @ .., last] if sign_of(last).is_some() => (None, sign_of(last), rest),
            [rest @ .., last] if Unit::from_code(last).is_some() => (Unit::from_code(last), None, rest),
            [first, rest @ ..] if sign_of(first).is_some() => (None, sign_of(first), rest),
            all => (None, None, all),
        };
        let without = match rest {
            [rest @ .., last] if last == "in" && rest.len() + 1 < words.len() => rest,
            rest => rest,
        };
        Self {
            whole: squeeze(name),
            short: vec![rest.concat(), without.concat()],
            unit: unit.or_else(|| sign.and_then(Unit::from_sign)),
            sign,
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

/// A name's words in small letters; the sign of a currency is a word.
fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for sign in name.to_lowercase().chars() {
        if CURRENCY_SIGNS.contains(&sign) {
            words.extend([sign.to_string(), String::new()]);
        } else if !sign.is_alphanumeric() {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(sign);
        }
    }
    words.retain(|word| !word.is_empty());
    words
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
            .or_else(|| names.iter().position(|name| name.short.contains(&wanted)))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Choices, Fault, read_statement};
    use domain::money::Currency;

    /// Amounts with their currency of a file with two rows.
    fn read_amounts(
        names: &str,
        rows: &str,
        currency: Option<Currency>,
    ) -> Result<Vec<(i64, &'static str)>, Fault> {
        let choices = Choices {
            currency,
            ..Choices::default()
        };
        let text = format!("{names}\n{rows}");
        let statement = read_statement(&text, &choices, "2026-11-28".parse().unwrap())?;
        let entries = statement.entries.iter();
        Ok(entries
            .map(|entry| (entry.amount_minor, entry.unit.code))
            .collect())
    }

    #[test]
    fn headings_with_a_currency_are_columns_of_it() {
        let rows = "2026-11-28,,5.00\n2026-11-28,6.00,\n";
        for (names, code) in [
            ("Paid out (GBP),Paid in (GBP)", "GBP"),
            ("Paid out GBP,Paid in GBP", "GBP"),
            ("Paid out in GBP,Paid in in GBP", "GBP"),
            ("Paid Out [GBP],Paid In [GBP]", "GBP"),
            ("Money out (£),Money in (£)", "GBP"),
            ("Paid Out £,Paid In £", "GBP"),
            ("£ Paid out,£ Paid in", "GBP"),
            ("Money_Out_EUR,Money_In_EUR", "EUR"),
            ("Withdrawals (€),Deposits (€)", "EUR"),
            ("Debit/SEK,Credit/SEK", "SEK"),
            ("PaidOut,PaidIn (GBP)", "GBP"),
            ("Soll (EUR),Haben (EUR)", "EUR"),
        ] {
            let amounts = read_amounts(&format!("Date,{names}"), rows, None);
            assert_eq!(amounts, Ok(vec![(500, code), (-600, code)]), "{names}");
        }
        for name in [
            "Amount (GBP)",
            "Amount in GBP",
            "Amount £",
            "Amount in £",
            "Amount(£)",
            "£ Amount",
            "Transaction-Amount GBP",
        ] {
            let amounts = read_amounts(&format!("Booking-Date,{name}"), "2026-11-28,5.00\n", None);
            assert_eq!(amounts, Ok(vec![(500, "GBP")]), "{name}");
        }
    }

    /// Several currencies have a dollar's sign: which one is not guessed.
    #[test]
    fn signs_of_several_currencies_leave_it_open() {
        let read = |currency| read_amounts("Date,Amount ($)", "2026-11-28,5.00\n", currency);
        assert_eq!(read(None), Err(Fault::NoCurrency));
        assert_eq!(read(Some(Currency::Aud)), Ok(vec![(500, "AUD")]));
        assert!(matches!(
            read(Some(Currency::Gbp)),
            Err(Fault::NothingUnderstood(_))
        ));
        let two = read_amounts("Date,Paid out (EUR),Paid in (GBP)", "2026-11-28,,5.00\n", None);
        assert_eq!(two, Err(Fault::NoCurrency));
    }
}
