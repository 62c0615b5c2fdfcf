//! Postal codes and short names of states.

use domain::country::Country;

use crate::dice::Dice;

/// The local part of a postal code, where the country has one.
pub(crate) fn postal_code(country: Country, district: &str, dice: &mut Dice) -> String {
    // Letters that British and Irish codes use after the digit.
    let letter = |dice: &mut Dice| {
        dice.pick(&[
            'A', 'B', 'D', 'E', 'F', 'G', 'H', 'J', 'L', 'N', 'P', 'R', 'S', 'T', 'W', 'X', 'Y',
        ])
        .copied()
        .unwrap_or('A')
    };
    let digit = dice.between(1, 9);
    match country {
        Country::Uk => format!("{district} {digit}{}{}", letter(dice), letter(dice)),
        Country::Ireland => format!(
            "{district} {}{digit}{}{}",
            letter(dice),
            letter(dice),
            dice.between(0, 9)
        ),
        Country::Canada => format!("{district} {digit}{}{}", letter(dice), dice.between(0, 9)),
        _ => district.to_owned(),
    }
}

/// The usual short form of a state's name; its name where there is none.
pub(crate) fn state_short(state: &str) -> &str {
    match state {
        "New South Wales" => "NSW",
        "Victoria" => "VIC",
        "Queensland" => "QLD",
        "South Australia" => "SA",
        "Australian Capital Territory" => "ACT",
        "Tasmania" => "TAS",
        "New York" => "NY",
        "Massachusetts" => "MA",
        "Illinois" => "IL",
        "California" => "CA",
        "Washington" | "Western Australia" => "WA",
        "Texas" => "TX",
        "Pennsylvania" => "PA",
        "Georgia" => "GA",
        "Arizona" => "AZ",
        "Ontario" => "ON",
        "British Columbia" => "BC",
        "Quebec" => "QC",
        other => other,
    }
}
