//! Settings that administrators change while the server runs (row K13): business figures and switches that no connection, file or key
//! depends on. A value set in the workspace wins over environment and file until it is given back.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::contact::{is_unseen, seen_length};
use domain::typed_number::{NumberDoubt, read_count, read_whole_amount};
use domain::user::Role;
use figment::Figment;
use parking_lot::RwLock;

use super::Settings;

/// What a value is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Whole units of a currency.
    Money,
    Hours,
    Days,
    Minutes,
    /// Names between commas.
    Names,
    /// Roles between commas.
    Roles,
    Address,
    Text,
    Switch,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 9] = [
        Self::Money,
        Self::Hours,
        Self::Days,
        Self::Minutes,
        Self::Names,
        Self::Roles,
        Self::Address,
        Self::Text,
        Self::Switch,
    ];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Hours => "hours",
            Self::Days => "days",
            Self::Minutes => "minutes",
            Self::Names => "names",
            Self::Roles => "roles",
            Self::Address => "address",
            Self::Text => "text",
            Self::Switch => "switch",
        }
    }
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub struct Changeable {
    /// As in `latchkey.toml`.
    pub name: &'static str,
    pub unit: Unit,
    /// The smallest number, or the fewest letters.
    pub least: u64,
    /// The largest number, or the most letters.
    pub most: u64,
}

/// All of them, in the order they are shown.
pub const CHANGEABLE: &[Changeable] = &[
    of("maintenance", Unit::Switch, 0, 1),
    of("second_factor_roles", Unit::Roles, 0, 40),
    of("answer_hours", Unit::Hours, 1, 720),
    of("reply_hours", Unit::Hours, 1, 720),
    of("teams", Unit::Names, 0, 2_000),
    of("desk_email", Unit::Address, 0, 254),
    of("quote_days", Unit::Days, 0, 60),
    of("refund_limit", Unit::Money, 0, 1_000_000),
    of("refund_limit_admin", Unit::Money, 0, 1_000_000),
    of("refund_typed_above", Unit::Money, 0, 1_000_000),
    of("stuck_minutes", Unit::Minutes, 1, 10_080),
    of("support_email", Unit::Address, 0, 254),
    of("rating", Unit::Text, 0, 12),
    of("downloads", Unit::Text, 0, 12),
];

const fn of(name: &'static str, unit: Unit, least: u64, most: u64) -> Changeable {
    Changeable {
        name,
        unit,
        least,
        most,
    }
}

/// Why a value cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueFault {
    /// No whole number where one is needed.
    NoNumber,
    /// An amount that is read in two ways: `1.250` is 1250 or 1.25.
    TwoWays,
    OutOfBounds,
    /// Neither `true` nor `false`.
    NoSwitch,
    NoRole,
    NoAddress,
    /// No rating of up to five.
    NoRating,
    /// A member of a team who is no address.
    NoMember,
}

impl ValueFault {
    /// The code programs read.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoNumber => "number",
            Self::TwoWays => "two_ways",
            Self::OutOfBounds => "bounds",
            Self::NoSwitch => "switch",
            Self::NoRole => "role",
            Self::NoAddress => "address",
            Self::NoRating => "rating",
            Self::NoMember => "member",
        }
    }
}

impl Changeable {
    /// The setting of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        CHANGEABLE.iter().find(|setting| setting.name == name)
    }

    /// What it takes, as the sentence about a wrong value ends.
    pub fn bounds(&self) -> String {
        let Self { least, most, .. } = self;
        match self.unit {
            Unit::Money | Unit::Hours | Unit::Days | Unit::Minutes => {
                format!("a whole number from {least} to {most}")
            }
            Unit::Address => "one address, such as desk@rooms.example, or nothing".to_owned(),
            Unit::Names => "names between commas, with addresses of members behind `=`, such as payments=ada@staff.example \
                            ben@staff.example"
                .to_owned(),
            Unit::Text if self.name == "rating" => "a rating from 0 to 5, such as 4.8, or nothing".to_owned(),
            Unit::Text => format!("text of {least} to {most} letters"),
            Unit::Roles => "support, finance and admin, with commas between them".to_owned(),
            Unit::Switch => "`true` or `false`".to_owned(),
        }
    }

    /// The whole number in a value. A sign before three digits is between thousands in a count, and doubted in an amount.
    fn read_number(&self, value: &str) -> Result<u64, ValueFault> {
        let read = if self.unit == Unit::Money {
            read_whole_amount(value)
        } else {
            read_count(value)
        };
        read.map_err(|doubt| match doubt {
            NumberDoubt::TwoWays => ValueFault::TwoWays,
            _ => ValueFault::NoNumber,
        })
    }

    /// The value as it is kept.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&self, value: &str) -> Result<String, ValueFault> {
        let value = value.trim();
        let bounded = |size: u64| (self.least..=self.most).contains(&size);
        match self.unit {
            Unit::Switch => match value {
                "true" | "false" => Ok(value.to_owned()),
                _ => Err(ValueFault::NoSwitch),
            },
            Unit::Money | Unit::Hours | Unit::Days | Unit::Minutes => {
                let number = self.read_number(value)?;
                bounded(number)
                    .then(|| number.to_string())
                    .ok_or(ValueFault::OutOfBounds)
            }
            Unit::Roles => roles_in(value)
                .map(|roles| roles.iter().map(|role| role.key()).collect::<Vec<_>>().join(","))
                .ok_or(ValueFault::NoRole),
            Unit::Address if !value.is_empty() && !is_address(value) => Err(ValueFault::NoAddress),
            Unit::Address | Unit::Names | Unit::Text => {
                // Signs that turn the writing round, or that nobody sees, would spoil every page they stand on.
                let is_shown = |letter: &char| !letter.is_control() && !is_unseen(*letter);
                let plain: String = value.chars().filter(is_shown).collect();
                let (seen, all) = (seen_length(&plain) as u64, plain.chars().count() as u64);
                if seen < self.least || all > self.most {
                    return Err(ValueFault::OutOfBounds);
                }
                if self.name == "rating" && !plain.is_empty() && !is_rating(&plain) {
                    return Err(ValueFault::NoRating);
                }
                if self.unit == Unit::Names && !members_in(&plain).all(is_address) {
                    return Err(ValueFault::NoMember);
                }
                Ok(plain)
            }
        }
    }
}

/// Whether it is a rating that can stand before "of 5": at most two digits behind its point.
fn is_rating(value: &str) -> bool {
    let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
    let is_digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_digit())
    };
    is_digits(whole, 1) && is_digits(part, 2) && value.parse::<f32>().is_ok_and(|rating| rating <= 5.0)
}

/// Everybody that teams name as a member.
fn members_in(teams: &str) -> impl Iterator<Item = &str> {
    teams_in(teams).flat_map(|(_, members)| members.split_whitespace())
}

fn is_address(value: &str) -> bool {
    domain::contact::Email::parse(value).is_ok()
}

/// Roles between commas; `None` when one is unknown.
pub(super) fn roles_in(value: &str) -> Option<Vec<Role>> {
    let words = value.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(Role::from_key).collect()
}

/// Where a present value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Default,
    File,
    Environment,
    /// Set in the workspace.
    Here,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 4] = [Self::Default, Self::File, Self::Environment, Self::Here];

    /// The word that travels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File => "file",
            Self::Environment => "environment",
            Self::Here => "here",
        }
    }
}

/// What was set in the workspace, shared by everything in the process that reads the settings.
#[derive(Debug, Clone, Default)]
pub struct SetHere(Arc<RwLock<BTreeMap<String, String>>>);

impl SetHere {
    /// Takes over what the log says is set.
    pub fn replace(&self, values: BTreeMap<String, String>) {
        *self.0.write() = values;
    }

    fn get(&self, name: &str) -> Option<String> {
        let value = self.0.read().get(name).cloned()?;
        // A later version may allow less: what it cannot read does not count.
        Changeable::find(name)?.read(&value).ok()
    }

    fn number<N: std::str::FromStr>(&self, name: &str) -> Option<N> {
        self.get(name)?.parse().ok()
    }
}

/// Which changeable settings the file and the environment name, and whether they name the brand.
pub(super) fn sources_of(given: &Figment) -> BTreeMap<&'static str, Source> {
    let own = CHANGEABLE.iter().map(|setting| setting.name);
    let all = own.chain([super::brand::NAME]).filter_map(|name| {
        let told = given.find_metadata(name)?;
        let source = match &told.source {
            Some(figment::Source::File(_)) => Source::File,
            _ if told.name.contains("environment") => Source::Environment,
            _ => return None,
        };
        Some((name, source))
    });
    all.collect()
}

impl Settings {
    /// The present value of a changeable setting, as text, and where it comes from.
    pub fn present(&self, name: &str) -> (String, Source) {
        match self.here.get(name) {
            Some(value) => (value, Source::Here),
            None => (
                self.without_here(name),
                self.sources.get(name).copied().unwrap_or(Source::Default),
            ),
        }
    }

    /// What file, environment and default say.
    pub fn without_here(&self, name: &str) -> String {
        match name {
            "maintenance" => self.maintenance.unwrap_or(false).to_string(),
            "second_factor_roles" => self.second_factor_roles.clone(),
            "answer_hours" => self.answer_hours.to_string(),
            "reply_hours" => self.reply_hours.unwrap_or(self.answer_hours).to_string(),
            "teams" => self.teams.clone(),
            "desk_email" => self.desk_email.clone(),
            "quote_days" => self.quote_days.to_string(),
            "refund_limit" => self.refund_limit.to_string(),
            "refund_limit_admin" => self.refund_limit_admin.to_string(),
            "refund_typed_above" => self.refund_typed_above.to_string(),
            "stuck_minutes" => self.stuck_minutes.to_string(),
            "support_email" => self.support_email.clone(),
            "rating" => self.figure(&self.rating, "4.6"),
            "downloads" => self.figure(&self.downloads, "180K+"),
            _ => String::new(),
        }
    }

    /// Whether writes are refused for now.
    pub fn in_maintenance(&self) -> bool {
        self.here
            .number("maintenance")
            .unwrap_or_else(|| self.maintenance.unwrap_or(false))
    }

    /// Roles whose logins need a second step.
    pub fn roles_with_second_factor(&self) -> Vec<Role> {
        roles_in(&self.present("second_factor_roles").0).unwrap_or_default()
    }

    /// Hours within which an enquiry is to be answered.
    pub fn hours_for_answer(&self) -> i64 {
        self.here
            .number("answer_hours")
            .unwrap_or_else(|| i64::from(self.answer_hours))
    }

    /// Hours within which a message of a case is to be answered.
    pub fn hours_for_reply(&self) -> i64 {
        self.here
            .number("reply_hours")
            .or_else(|| self.reply_hours.map(i64::from))
            .unwrap_or_else(|| self.hours_for_answer())
    }

    /// The names in `teams`, in their order.
    pub fn team_names(&self) -> Vec<String> {
        let (teams, _) = self.present("teams");
        teams_in(&teams).map(|(name, _)| name.to_owned()).collect()
    }

    /// The teams that this address is a member of.
    pub fn teams_of(&self, address: &str) -> Vec<String> {
        let is_member = |members: &str| {
            let mut members = members.split_whitespace();
            members.any(|member| member.eq_ignore_ascii_case(address))
        };
        let (teams, _) = self.present("teams");
        let own = teams_in(&teams).filter(|(_, members)| is_member(members));
        own.map(|(name, _)| name.to_owned()).collect()
    }

    /// Days for which an enquiry keeps its price.
    pub fn days_of_quote(&self) -> u16 {
        self.here.number("quote_days").unwrap_or(self.quote_days)
    }

    /// What finance may send back of one payment alone, in whole units of its currency.
    pub fn refund_limit_now(&self) -> u64 {
        self.here.number("refund_limit").unwrap_or(self.refund_limit)
    }

    /// The same for administrators; 0 for no limit.
    pub fn refund_limit_of_admins(&self) -> u64 {
        self.here
            .number("refund_limit_admin")
            .unwrap_or(self.refund_limit_admin)
    }

    /// A refund above this needs its amount typed.
    pub fn refund_is_typed_above(&self) -> u64 {
        self.here
            .number("refund_typed_above")
            .unwrap_or(self.refund_typed_above)
    }

    /// Minutes after which a payment that is processing needs finance.
    pub fn minutes_until_stuck(&self) -> i64 {
        self.here
            .number("stuck_minutes")
            .unwrap_or_else(|| i64::from(self.stuck_minutes))
    }
}

/// Names of teams with the addresses of their members.
fn teams_in(teams: &str) -> impl Iterator<Item = (&str, &str)> {
    let teams = teams
        .split(',')
        .map(|team| team.split_once('=').unwrap_or((team, "")));
    let trimmed = teams.map(|(name, members)| (name.trim(), members));
    trimmed.filter(|(name, _)| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_unit_and_bounds() {
        let read = |name: &str, value: &str| Changeable::find(name).unwrap().read(value);
        assert_eq!(read("refund_limit", " 0900 "), Ok("900".to_owned()));
        assert_eq!(read("refund_limit", "2 500"), Ok("2500".to_owned()));
        assert_eq!(read("stuck_minutes", "1,250"), Ok("1250".to_owned()));
        for setting in CHANGEABLE.iter().filter(|setting| setting.unit == Unit::Money) {
            for doubted in ["1.250", "1,250", "2,505", "１，２５０"] {
                assert_eq!(
                    setting.read(doubted),
                    Err(ValueFault::TwoWays),
                    "{} {doubted}",
                    setting.name
                );
            }
        }
        for doubtful in ["-1", "+5", "2,50", "2.5", "2e3", ""] {
            assert_eq!(
                read("refund_limit", doubtful),
                Err(ValueFault::NoNumber),
                "{doubtful}"
            );
        }
        assert_eq!(read("answer_hours", "0"), Err(ValueFault::OutOfBounds));
        assert_eq!(
            read("rating", "\u{200B}\u{3164}"),
            Ok(String::new()),
            "none is shown"
        );
        for no_rating in ["-1", "NaN", "inf", "5.1", "4.", ".5", "4.815", "<b>4</b>", "1e0"] {
            assert_eq!(
                read("rating", no_rating),
                Err(ValueFault::NoRating),
                "{no_rating}"
            );
        }
        for rating in ["0", "5", "4.8", "4.80", "5.00"] {
            assert_eq!(read("rating", rating), Ok(rating.to_owned()));
        }
        assert_eq!(read("downloads", "18\u{202E}0K\r\n"), Ok("180K".to_owned()));
        assert_eq!(read("teams", "a=nomail"), Err(ValueFault::NoMember));
        assert_eq!(
            read("teams", "payments=ada@staff.example ben@staff.example, rooms"),
            Ok("payments=ada@staff.example ben@staff.example, rooms".to_owned())
        );
        assert_eq!(read("maintenance", "yes"), Err(ValueFault::NoSwitch));
        assert_eq!(
            read("second_factor_roles", "admin, finance"),
            Ok("admin,finance".to_owned())
        );
        assert_eq!(read("second_factor_roles", "owner"), Err(ValueFault::NoRole));
        assert_eq!(read("support_email", "nowhere"), Err(ValueFault::NoAddress));
        assert_eq!(read("support_email", ""), Ok(String::new()));
    }

    #[test]
    fn value_set_here_wins_until_it_is_given_back() {
        let settings = Settings::default();
        let shared = settings.clone();
        assert_eq!(shared.present("answer_hours"), ("24".to_owned(), Source::Default));
        let set = BTreeMap::from([("answer_hours".to_owned(), "8".to_owned())]);
        settings.here.replace(set);
        assert_eq!((shared.hours_for_answer(), shared.hours_for_reply()), (8, 8));
        assert_eq!(shared.present("answer_hours"), ("8".to_owned(), Source::Here));
        settings.here.replace(BTreeMap::new());
        assert_eq!(shared.hours_for_answer(), 24);
    }

    #[test]
    fn each_setting_has_a_present_value_that_it_accepts() {
        let settings = Settings::default();
        for setting in CHANGEABLE {
            let (value, _) = settings.present(setting.name);
            assert_eq!(setting.read(&value).as_ref(), Ok(&value), "{}", setting.name);
        }
    }
}
