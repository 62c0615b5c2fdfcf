//! Reads prices, deposits and fees. A rent in another currency than the country's, or far from the others of its file, is doubted.

use domain::typed_number::{DecimalSign, NumberDoubt};

use crate::country::{Country, Currency, find_country, find_currency};
use crate::fields::Field;
use crate::home::{Amount, Deposit, Price, PricePeriod};
use crate::map::Doubtful;
use crate::reading::{Cell, Reading};
use crate::stats::{Likeness, Stats, count_month};
use crate::values::money::{MoneyContext, MoneyFault, MoneyRead, read_currency, read_money, read_rents};
use crate::values::words::{read_flag, read_per_person, read_period};

/// Said once for a file: the map has spoken.
pub(crate) const SIGN_OVERRULED: &str = "the sign says another currency than the map's constant, which wins";

/// Currency and decimal sign at one place of a record.
pub(crate) struct Money {
    pub currency: Option<Currency>,
    is_constant: bool,
    country: Option<&'static Country>,
    decimal: Option<DecimalSign>,
}

impl Money {
    pub(crate) fn context(&self) -> MoneyContext<'static> {
        MoneyContext {
            currency: self.currency,
            is_constant: self.is_constant,
            country_currency: self.country.map(|country| country.currency),
            decimal: self.decimal,
            is_minor: false,
            is_number: false,
        }
    }

    /// The same with the currency of a price, in which its deposit is too.
    pub(crate) fn with_price(self, price: Option<Price>) -> Self {
        let priced = price.and_then(|price| find_currency(price.amount.currency));
        Self {
            currency: priced.or(self.currency),
            ..self
        }
    }

    fn context_of(&self, cell: &Cell<'_>) -> MoneyContext<'static> {
        MoneyContext {
            is_minor: cell.unit == Some("cents"),
            is_number: cell.is_number,
            ..self.context()
        }
    }
}

/// The currency by column or constant; of a column that cannot be read nothing is known here, and the lease says so.
pub(crate) fn money_context(reading: &mut Reading<'_>, country: Option<&str>) -> Money {
    let country = country.and_then(find_country);
    let cell = reading.cell(Field::Currency);
    let currency = cell
        .as_ref()
        .and_then(|cell| read_currency(&cell.text, country.map(|country| country.currency)));
    Money {
        currency: currency.map(|(currency, _)| currency),
        is_constant: cell.is_some_and(|cell| cell.is_constant),
        country,
        decimal: reading.plan.map.decimal,
    }
}

/// A fee of the home; one that cannot be read is named and not shown.
pub(crate) fn read_fee(reading: &mut Reading<'_>, field: Field, money: &Money) -> Option<Amount> {
    let cell = reading.cell(field)?;
    match read_money(&cell.text, money.context_of(&cell)) {
        Ok(read) => Some(Amount {
            minor: read.minor,
            currency: read.currency.code,
        }),
        Err(fault) => {
            reading.warn(&cell.path, &cell.text, explain_money(fault, money));
            None
        }
    }
}

/// A rent with its currency and period; faults say why there is none.
pub(crate) fn read_price(reading: &mut Reading<'_>, money: &Money, stats: &Stats) -> Option<Price> {
    let cells = reading.cells(Field::Price);
    let Some(cell) = cells.first().cloned() else {
        let column = reading.column_names(Field::Price);
        reading.wrong(&column, "", "no price is said: nothing can be let without one");
        return None;
    };
    if !check_currency_column(reading, money) {
        return None;
    }
    let read = match read_money(&cell.text, money.context_of(&cell)) {
        Ok(read) if read.minor > 0 => read_ends(read, &cells, money),
        Ok(_) => {
            reading.wrong(
                &cell.path,
                &cell.text,
                "a price of nought: leave it empty where it is not known",
            );
            return None;
        }
        Err(fault) => {
            reading.wrong(&cell.path, &cell.text, explain_money(fault, money));
            return None;
        }
    };
    if read.is_other_sign {
        reading.warn(&cell.path, &cell.text, SIGN_OVERRULED);
    }
    let (period, is_per_person) = read_price_period(reading, &cell, read)?;
    let price = Price {
        amount: Amount {
            minor: read.minor,
            currency: read.currency.code,
        },
        most_minor: read.most_minor.or_else(|| read_price_max(reading, money, read)),
        period,
        is_per_person,
    };
    check_price(reading, &cell, price, money, stats);
    Some(price)
}

/// The lowest and the highest of several prices, such as one for each month.
fn read_ends(mut read: MoneyRead, cells: &[Cell<'_>], money: &Money) -> MoneyRead {
    let minors = cells
        .iter()
        .filter_map(|cell| read_money(&cell.text, money.context_of(cell)).ok())
        .map(|read| read.minor)
        .filter(|minor| *minor > 0);
    let (least, most) = (minors.clone().min(), minors.max());
    if let (Some(least), Some(most)) = (least, most)
        && least < most
    {
        read.minor = least;
        read.most_minor = Some(most);
    }
    read
}

/// Whether the column of currencies can be read, where there is one.
fn check_currency_column(reading: &mut Reading<'_>, money: &Money) -> bool {
    let Some(cell) = reading.cell(Field::Currency) else {
        return true;
    };
    match read_currency(&cell.text, money.country.map(|country| country.currency)) {
        None => {
            reading.wrong(
                &cell.path,
                &cell.text,
                "it is no currency: write its ISO code, such as EUR",
            );
            false
        }
        Some((currency, true)) => {
            reading.warn(&cell.path, &cell.text, format!("it is read as {}", currency.code));
            true
        }
        Some((_, false)) => true,
    }
}

/// The period by the price's own words and by its column; both must say the same.
fn read_price_period(
    reading: &mut Reading<'_>,
    cell: &Cell<'_>,
    read: MoneyRead,
) -> Option<(PricePeriod, Option<bool>)> {
    let column = reading.cell(Field::PricePer);
    let said = match &column {
        None => None,
        Some(column) => {
            let said = read_period(&column.text);
            if said.is_none() {
                reading.wrong(
                    &column.path,
                    &column.text,
                    "it is no period: week, month, night, or a word that the map gives a meaning",
                );
                return None;
            }
            said
        }
    };
    let is_per_person = reading
        .cell(Field::PerPerson)
        .and_then(|cell| read_per_person(&cell.text));
    match (read.period, said) {
        (Some((own, _)), Some((other, _))) if own != other => {
            reading.wrong(
                &cell.path,
                &cell.text,
                "the price says another period than its column",
            );
            None
        }
        (Some((period, person)), None) => Some((period, is_per_person.or(person))),
        (own, Some((period, person))) => {
            let own_person = own.and_then(|(_, person)| person);
            Some((period, is_per_person.or(own_person).or(person)))
        }
        (None, None) => {
            reading.wrong(&cell.path, &cell.text, "the price has no period: write price_per = { value = \"week\" }, or what it is, into the map");
            None
        }
    }
}

/// The upper end of a rent from–to in a column of its own.
fn read_price_max(reading: &mut Reading<'_>, money: &Money, read: MoneyRead) -> Option<u64> {
    let cell = reading.cell(Field::PriceMax)?;
    let context = MoneyContext {
        currency: Some(read.currency),
        ..money.context_of(&cell)
    };
    match read_money(&cell.text, context) {
        Ok(most) if most.minor >= read.minor => Some(most.minor).filter(|most| *most > read.minor),
        _ => {
            reading.warn(
                &cell.path,
                &cell.text,
                "it is no upper end of the rent, and is not shown",
            );
            None
        }
    }
}

/// Doubts a rent in another currency than the country's, or far from the others of the file.
fn check_price(reading: &mut Reading<'_>, cell: &Cell<'_>, price: Price, money: &Money, stats: &Stats) {
    let accepts = reading.plan.map.doubtful == Doubtful::Accept;
    let usual = money.country.map_or("", |country| country.currency);
    let code = price.amount.currency;
    if code != usual && !usual.is_empty() && !money.is_constant && !accepts {
        let name = money.country.map_or("", Country::name);
        let reason = format!(
            "{code} is not the currency of {name}, {usual}: mend it, or write doubtful = \"accept\" into the map"
        );
        reading.wrong(&cell.path, &cell.text, reason);
        return;
    }
    let month = count_month(price);
    match stats.compare_rent(price) {
        Likeness::Far(middle) if !accepts => {
            let reason = format!(
                "it comes to {} a month, and the middle of this file is {}: mend it, or write doubtful = \"accept\" into the map",
                show_amount(month, price.amount.currency),
                show_amount(middle, price.amount.currency)
            );
            reading.wrong(&cell.path, &cell.text, reason);
        }
        Likeness::Far(middle) | Likeness::Unusual(middle) => {
            let reason = format!(
                "it comes to {} a month, and the middle of this file is {}: look whether it is right",
                show_amount(month, price.amount.currency),
                show_amount(middle, price.amount.currency)
            );
            reading.warn(&cell.path, &cell.text, reason);
        }
        Likeness::Usual => {}
    }
}

pub(crate) fn read_deposit(reading: &mut Reading<'_>, money: &Money) -> Option<Deposit> {
    let cell = reading.cell(Field::Deposit)?;
    let has_letters = cell.text.chars().any(char::is_alphabetic);
    if has_letters && let Some((count, is_months)) = read_rents(&cell.text) {
        return Some(if is_months {
            Deposit::Months(count)
        } else {
            Deposit::Weeks(count)
        });
    }
    let amount = if has_letters && read_flag(&cell.text) == Some(false) {
        money
            .currency
            .map(|currency| (0, currency))
            .ok_or(MoneyFault::NoCurrency)
    } else {
        read_money(&cell.text, money.context_of(&cell)).map(|read| (read.minor, read.currency))
    };
    match amount {
        Ok((minor, currency)) => Some(Deposit::Amount(Amount {
            minor,
            currency: currency.code,
        })),
        Err(fault) => {
            reading.wrong(
                &cell.path,
                &cell.text,
                format!("the deposit: {}", explain_money(fault, money)),
            );
            None
        }
    }
}

/// The sentence of a report about an amount.
fn explain_money(fault: MoneyFault, money: &Money) -> String {
    let code = money.currency.map_or("the currency", |currency| currency.code);
    match fault {
        MoneyFault::NoAmount | MoneyFault::Doubt(NumberDoubt::NoNumber) => {
            "it is no amount, such as 165 or 1,250.50".to_owned()
        }
        MoneyFault::Doubt(NumberDoubt::TwoWays) => {
            "it can be read in two ways: write it as 1250.00, or decimal = \".\" or \",\" into the map"
                .to_owned()
        }
        MoneyFault::Doubt(NumberDoubt::TooFine) => format!("it has more decimal digits than {code} has"),
        MoneyFault::Doubt(NumberDoubt::OtherSign) => {
            format!("it carries the sign of another currency than {code}")
        }
        MoneyFault::OtherCurrency(other) => format!("it says {other}, and the currency is {code}"),
        MoneyFault::NoCurrency => {
            "no currency is said: write currency = { value = \"GBP\" }, or what it is, into the map"
                .to_owned()
        }
    }
}

/// `EUR 1,234.50`, as books and exports write it in the language of reports.
fn show_amount(minor: u64, code: &str) -> String {
    let decimals = find_currency(code).map_or(2, |currency| currency.decimals);
    let unit = 10_u64.pow(decimals);
    let digits = (minor / unit).to_string();
    let mut whole = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            whole.push(',');
        }
        whole.push(digit);
    }
    if decimals == 0 {
        return format!("{code} {whole}");
    }
    let width = decimals as usize;
    format!("{code} {whole}.{:0width$}", minor % unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_reports_are_written_as_books_write_them() {
        for (minor, code, shown) in [
            (123_450, "EUR", "EUR 1,234.50"),
            (99_005, "GBP", "GBP 990.05"),
            (1_234_567, "JPY", "JPY 1,234,567"),
            (0, "EUR", "EUR 0.00"),
        ] {
            assert_eq!(show_amount(minor, code), shown);
        }
    }
}
