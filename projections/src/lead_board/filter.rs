//! What the workspace's list of leads is narrowed to: fields beside the box, and the words in it.

use domain::id::UserId;
use domain::lead::LeadStatus;
use eventlog::HandleHasher;
use sqlx::{AnyConnection, AnyPool};
use tables::Statement;
use uuid::Uuid;

use super::attention::{Attention, DeskTime};
use super::found_by::PREFIX_MAX;
use super::lead_uuid_hash;
use super::words::{self, plain_token, token};
use crate::listing_name;

/// Words of a search; more are not looked for.
const WORDS_MAX: usize = 8;

/// What the list is narrowed to. Days are written `2026-11-26` and are of UTC.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub words: String,
    pub status: Option<LeadStatus>,
    pub owner: Option<UserId>,
    pub attention: Option<Attention>,
    /// Only leads with a note that mentions this colleague.
    pub mentions: Option<UserId>,
    /// Only leads of one of these teams.
    pub teams: Option<Vec<String>>,
    pub stage: Option<Stage>,
    /// A city's name, in any language.
    pub city: Option<String>,
    /// A property's id, name in addresses, or name.
    pub property: Option<String>,
    /// Words of a partner: the adviser's name or office, or the partner's own name.
    pub partner: Option<String>,
    /// As the list shows it.
    pub source: Option<String>,
    pub created_from: Option<String>,
    pub created_to: Option<String>,
    pub move_in_from: Option<String>,
    pub move_in_to: Option<String>,
    /// Only these leads, where something else has found them.
    pub leads: Option<Vec<String>>,
    /// The moment that ends of holds and answers are compared with.
    pub time: DeskTime,
}

/// A stage of the desk's work that no status and no single reason names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Neither booked nor closed.
    Open,
    /// Answered, and the next step is the student's.
    WaitsForStudent,
    /// The last attempt to pay was declined since the day began.
    DeclinedToday,
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Open, Self::WaitsForStudent, Self::DeclinedToday];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::WaitsForStudent => "waits_for_student",
            Self::DeclinedToday => "declined_today",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.key() == key)
    }

    fn push(self, query: &mut Statement, time: &DeskTime) {
        match self {
            Self::Open => {
                query.push("status not in ('booked', 'completed', 'cancelled', 'lost')");
            }
            Self::WaitsForStudent => {
                query.push("answered = 1 and status not in ('booked', 'completed', 'cancelled', 'lost')");
            }
            Self::DeclinedToday => {
                let midnight = time.at.date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
                Attention::Declined.push(query, time);
                query
                    .push(" and payment_state_at >= ")
                    .push_bind(midnight.timestamp_millis());
            }
        }
    }
}

impl Filter {
    /// Adds every condition but those of status and attention, of which a list counts the others too.
    pub(super) fn push(&self, query: &mut Statement, terms: &[Term], connection: &AnyConnection) {
        query.push("1 = 1");
        for term in terms {
            term.push(query, connection);
        }
        if let Some(leads) = &self.leads {
            let leads: Vec<&str> = leads.iter().map(String::as_str).collect();
            query.push(" and ").push_among("lead_id", &leads, connection);
        }
        if let Some(owner) = self.owner {
            query.push(" and owner = ").push_bind(owner.to_string());
        }
        if let Some(user) = self.mentions {
            query.push(" and lead_id in (select lead_id from lead_mention where user_id = ");
            query.push_bind(user.to_string()).push(")");
        }
        if let Some(teams) = &self.teams {
            query.push(" and lead_id in (select lead_id from lead_team where team in ");
            query.push_list(teams.iter().cloned()).push(")");
        }
        if let Some(stage) = self.stage {
            query.push(" and ");
            stage.push(query, &self.time);
        }
        self.push_place(query);
        if let Some(source) = &self.source {
            query
                .push(" and lower(source) = ")
                .push_bind(source.to_lowercase());
        }
        self.push_days(query);
    }

    fn push_place(&self, query: &mut Statement) {
        if let Some(city) = &self.city {
            let city = city.to_lowercase();
            query.push(" and (root_id in (select root_id from listing_name where lower(city) = ");
            query.push_bind(city.clone());
            query.push(") or root_id in (select root_id from listing_wording where lower(city) = ");
            query.push_bind(city.clone());
            query.push(") or region_id in (select region_id from lead_board_city where lower(name) = ");
            query.push_bind(city).push("))");
        }
        if let Some(property) = &self.property {
            query.push(" and root_id in (select root_id from listing_name where inventory_id = ");
            query.push_bind(property.clone()).push(" or canonical_name = ");
            query.push_bind(property.clone()).push(" or lower(property) = ");
            query.push_bind(property.to_lowercase()).push(")");
        }
    }

    fn push_days(&self, query: &mut Statement) {
        if let Some(from) = &self.created_from {
            query.push(" and created_at >= ").push_bind(from.clone());
        }
        if let Some(to) = &self.created_to {
            // The last day counts whole: moments of it are longer texts.
            query
                .push(" and substr(created_at, 1, 10) <= ")
                .push_bind(to.clone());
        }
        if let Some(from) = &self.move_in_from {
            query.push(" and move_in_to >= ").push_bind(from.clone());
        }
        if let Some(to) = &self.move_in_to {
            query.push(" and move_in_from <= ").push_bind(to.clone());
        }
    }
}

/// Words of a partner; each must be found.
fn partner_terms(hasher: &HandleHasher, text: &str) -> Vec<Term> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let term = |word: &str| {
        let beginning: String = word.to_lowercase().chars().take(PREFIX_MAX).collect();
        Term {
            tokens: vec![token(hasher, "partner", &beginning)],
            ..Term::default()
        }
    };
    words.take(WORDS_MAX).map(term).collect()
}

/// What one word of a search may mean; a lead must match every word in one way.
#[derive(Default)]
pub(super) struct Term {
    /// Of its spellings, as they may be stored among a lead's words.
    tokens: Vec<u64>,
    /// The numbers of the leads that have one of them.
    found: Vec<i64>,
    /// As the link that opens a lead is stored.
    lead_uuid_hash: Option<String>,
    /// The property or room of that id or name.
    home: Option<String>,
    /// A word that a room or, in a language other than the fallback, a city may be called by.
    name: Option<String>,
}

impl Term {
    fn push(&self, query: &mut Statement, connection: &AnyConnection) {
        query
            .push(" and (lead_id in (select lead_id from lead_words where ")
            .push_among_numbers("number", &self.found, connection)
            .push(")");
        if let Some(hash) = &self.lead_uuid_hash {
            query.push(" or lead_uuid_hash = ").push_bind(hash.clone());
        }
        if let Some(home) = &self.home {
            query.push(" or root_id = ").push_bind(home.clone());
            query.push(" or inventory_id = ").push_bind(home.clone());
        }
        if let Some(name) = &self.name {
            // Words begin after a space; scripts without spaces are looked into anywhere.
            let within = if name.is_ascii() {
                format!("% {name}%")
            } else {
                format!("%{name}%")
            };
            for table in ["listing_name", "listing_wording"] {
                query
                    .push(" or inventory_id in (select inventory_id from ")
                    .push(table);
                query.push(" where ' ' || lower(room) like ");
                query.push_bind(within.clone()).push(")");
            }
            query.push(" or root_id in (select root_id from listing_wording where lower(city) = ");
            query.push_bind(name.clone()).push(")");
        }
        query.push(")");
    }
}

/// Reads the words of a filter, and which leads have them.
pub(super) async fn terms(
    pool: &AnyPool,
    hasher: &HandleHasher,
    filter: &Filter,
) -> Result<Vec<Term>, sqlx::Error> {
    let mut terms = word_terms(pool, hasher, &filter.words).await?;
    terms.extend(partner_terms(
        hasher,
        filter.partner.as_deref().unwrap_or_default(),
    ));
    if terms.is_empty() {
        return Ok(terms);
    }
    let wanted: Vec<Vec<u64>> = terms.iter().map(|term| term.tokens.clone()).collect();
    let mut connection = pool.acquire().await?;
    let found = words::find(&mut connection, &wanted).await?;
    for (term, found) in terms.iter_mut().zip(found) {
        term.found = found;
    }
    Ok(terms)
}

async fn word_terms(pool: &AnyPool, hasher: &HandleHasher, words: &str) -> Result<Vec<Term>, sqlx::Error> {
    let home_of = async |word: &str| -> Result<Option<String>, sqlx::Error> {
        let found = listing_name::find(pool, word).await?;
        Ok(found.map(|found| found.inventory_id))
    };
    let id = Uuid::parse_str(words.trim()).ok();
    let digits: String = words.chars().filter(char::is_ascii_digit).collect();
    let is_phone = id.is_none()
        && digits.len() >= 4
        && words.chars().all(|c| c.is_ascii_digit() || "+-(). ".contains(c));
    if is_phone {
        return Ok(vec![Term {
            tokens: vec![token(hasher, "phone", &digits)],
            // Some feeds number their homes.
            home: home_of(words.trim()).await?,
            ..Term::default()
        }]);
    }
    let mut terms = Vec::new();
    for written in words.split_whitespace().take(WORDS_MAX) {
        let word = written.to_lowercase();
        let beginning: String = word.chars().take(PREFIX_MAX).collect();
        let plain: String = beginning.chars().filter(|c| c.is_alphanumeric()).collect();
        terms.push(Term {
            tokens: vec![
                token(hasher, "name", &beginning),
                token(hasher, "email", &word),
                token(hasher, "source", &beginning),
                token(hasher, "partner", &beginning),
                token(hasher, "place", &beginning),
                plain_token(hasher, &word),
                plain_token(hasher, &plain),
            ],
            found: Vec::new(),
            lead_uuid_hash: Uuid::parse_str(&word).ok().map(|id| lead_uuid_hash(hasher, id)),
            home: match home_of(&word).await? {
                None if word != written => home_of(written).await?,
                home => home,
            },
            name: name_word(&word),
        });
    }
    Ok(terms)
}

/// A word of letters that is long enough to name a room.
fn name_word(word: &str) -> Option<String> {
    let is_name = word.chars().all(|c| c.is_alphabetic() || c == '-');
    let is_long = word.chars().count() >= 3 || !word.is_ascii();
    (is_name && is_long).then(|| word.to_owned())
}
