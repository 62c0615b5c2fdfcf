//! The tokens by which leads are found. Each lead has one row of them, which is appended. Once a segment of leads is full, posting
//! lists of it are written in one go: a row for each token would change another page for each (decision 0017). What is stored depends
//! on the rows alone, never on how events came in batches, so that a fold from the beginning comes to the same.

use std::collections::{BTreeMap, BTreeSet};

use eventlog::HandleHasher;
use sqlx::AnyConnection;
use tables::Statement;
use tables::table::Column::{Bytes, Number, Text};
use tables::table::{Table, Value, row};

/// Leads of a segment.
const SEGMENT: i64 = 1024;
/// Posting lists of a segment: one for each first byte of a token.
const BUCKETS: i64 = 256;
const TOKEN_BYTES: usize = 8;
/// A token, and a lead's place in its segment.
const ENTRY_BYTES: usize = TOKEN_BYTES + 2;

const WORDS: Table = Table {
    name: "lead_words",
    columns: &[
        Number("number"),
        Text("lead_id"),
        Bytes("personal"),
        Bytes("plain"),
    ],
    key: 1,
};
const POSTINGS: Table = Table {
    name: "lead_posting",
    columns: &[Number("place"), Bytes("entries")],
    key: 1,
};

/// The token of a word of a kind: nothing can be told from it without the server's secret.
pub(super) fn token(hasher: &HandleHasher, kind: &str, word: &str) -> u64 {
    let hash = hasher.hash(kind, word);
    hash.iter()
        .take(TOKEN_BYTES)
        .fold(0, |token, byte| token << 8 | u64::from(*byte))
}

/// The token of an id, a reference, or a word of a home's name.
pub(super) fn plain_token(hasher: &HandleHasher, word: &str) -> u64 {
    token(hasher, "word", word)
}

/// Tokens of one lead.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    /// Of its person, and of what the person typed: they go when the person does.
    pub personal: BTreeSet<u64>,
    /// Of ids, references and homes.
    pub plain: BTreeSet<u64>,
}

impl Tokens {
    pub(super) fn is_empty(&self) -> bool {
        self.personal.is_empty() && self.plain.is_empty()
    }
}

/// A lead with tokens that it is newly found by.
#[derive(Debug)]
pub(super) struct Named {
    pub number: i64,
    pub lead_id: String,
    pub tokens: Tokens,
}

struct WordsRow {
    number: i64,
    lead_id: String,
    personal: Vec<u8>,
    plain: Vec<u8>,
}

tables::from_row!(WordsRow {
    number,
    lead_id,
    personal,
    plain
});

impl WordsRow {
    /// Every token in it.
    fn tokens(&self) -> impl Iterator<Item = u64> {
        read_tokens(&self.personal).chain(read_tokens(&self.plain))
    }

    fn holds(&self, token: u64) -> bool {
        holds(&self.personal, token) || holds(&self.plain, token)
    }

    /// Adds tokens; gives those that it did not hold.
    fn take(&mut self, tokens: &Tokens) -> Vec<u64> {
        let all = tokens.personal.iter().chain(&tokens.plain).copied();
        let new: Vec<u64> = all.filter(|token| !self.holds(*token)).collect();
        add_tokens(&mut self.personal, &tokens.personal);
        add_tokens(&mut self.plain, &tokens.plain);
        new
    }

    fn stored(self) -> Vec<Value> {
        row![self.number, self.lead_id, self.personal, self.plain]
    }
}

/// How many leads have tokens: the number of the next one.
pub(super) async fn count(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("select coalesce(max(number) + 1, 0) from lead_words")
        .fetch_one(connection)
        .await
}

/// Writes what leads are newly found by; those from `before` on have no row yet. Segments that they fill get their posting lists.
pub(super) async fn add(
    connection: &mut AnyConnection,
    before: i64,
    leads: Vec<Named>,
) -> Result<(), sqlx::Error> {
    let known = leads.iter().map(|lead| lead.number);
    let known: Vec<i64> = known.filter(|number| *number < before).collect();
    let mut stored: BTreeMap<i64, WordsRow> = BTreeMap::new();
    for row in read(connection, &known).await? {
        stored.insert(row.number, row);
    }
    let (mut rows, mut late, mut end) = (Vec::new(), Vec::new(), before);
    for lead in leads {
        let mut row = stored.remove(&lead.number).unwrap_or_else(|| WordsRow {
            number: lead.number,
            lead_id: lead.lead_id,
            personal: Vec::new(),
            plain: Vec::new(),
        });
        let new = row.take(&lead.tokens);
        if row.number < merged(before) {
            late.extend(new.into_iter().map(|token| (token, row.number)));
        }
        end = end.max(row.number + 1);
        rows.push(row.stored());
    }
    WORDS.put(connection, &rows).await?;
    change(connection, &late, Entries::Added).await?;
    for segment in before / SEGMENT..end / SEGMENT {
        merge(connection, segment).await?;
    }
    Ok(())
}

/// Removes what finds these leads' people, from their rows and from every posting list.
pub(super) async fn erase(connection: &mut AnyConnection, leads: &[i64]) -> Result<(), sqlx::Error> {
    let merged = merged(count(connection).await?);
    let (mut rows, mut gone) = (Vec::new(), Vec::new());
    for mut row in read(connection, leads).await? {
        let personal = std::mem::take(&mut row.personal);
        if row.number < merged {
            let of_person = read_tokens(&personal).filter(|token| !row.holds(*token));
            gone.extend(of_person.map(|token| (token, row.number)));
        }
        rows.push(row.stored());
    }
    WORDS.put(connection, &rows).await?;
    change(connection, &gone, Entries::Removed).await
}

/// For each list of tokens, the numbers of the leads that have one of them, in order.
pub(super) async fn find(
    connection: &mut AnyConnection,
    wanted: &[Vec<u64>],
) -> Result<Vec<Vec<i64>>, sqlx::Error> {
    let mut found = vec![BTreeSet::new(); wanted.len()];
    if wanted.iter().all(Vec::is_empty) {
        return Ok(vec![Vec::new(); wanted.len()]);
    }
    // Read before the rest: a segment that is merged meanwhile is still there as rows.
    let merged = merged(count(connection).await?);
    let buckets: BTreeSet<i64> = wanted.iter().flatten().map(|token| bucket(*token)).collect();
    let places = (0..merged / SEGMENT).flat_map(|segment| {
        let first = segment * BUCKETS;
        buckets.iter().map(move |bucket| first + bucket)
    });
    for (place, entries) in read_lists(connection, &places.collect::<Vec<_>>()).await? {
        let first = place / BUCKETS * SEGMENT;
        for (tokens, found) in wanted.iter().zip(&mut found) {
            for token in tokens.iter().filter(|token| bucket(**token) == place % BUCKETS) {
                found.extend(leads_in(&entries, *token).map(|lead| first + i64::from(lead)));
            }
        }
    }
    let mut fresh =
        Statement::new("select number, lead_id, personal, plain from lead_words where number >= ");
    fresh.push_bind(merged);
    let fresh: Vec<WordsRow> = fresh.build_query_as()?.fetch_all(connection).await?;
    for row in fresh {
        for (tokens, found) in wanted.iter().zip(&mut found) {
            if tokens.iter().any(|token| row.holds(*token)) {
                found.insert(row.number);
            }
        }
    }
    Ok(found
        .into_iter()
        .map(|leads| leads.into_iter().collect())
        .collect())
}

async fn read(connection: &mut AnyConnection, numbers: &[i64]) -> Result<Vec<WordsRow>, sqlx::Error> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted = Statement::new("select number, lead_id, personal, plain from lead_words where ");
    wanted.push_among_numbers("number", numbers, connection);
    wanted.build_query_as()?.fetch_all(connection).await
}

async fn read_lists(
    connection: &mut AnyConnection,
    places: &[i64],
) -> Result<Vec<(i64, Vec<u8>)>, sqlx::Error> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted = Statement::new("select place, entries from lead_posting where ");
    wanted.push_among_numbers("place", places, connection);
    wanted.build_query_as()?.fetch_all(connection).await
}

/// Writes the posting lists of a segment that is full.
async fn merge(connection: &mut AnyConnection, segment: i64) -> Result<(), sqlx::Error> {
    let first = segment * SEGMENT;
    let numbers: Vec<i64> = (first..first + SEGMENT).collect();
    let mut lists: BTreeMap<i64, BTreeSet<(u64, u16)>> = BTreeMap::new();
    for row in read(connection, &numbers).await? {
        for token in row.tokens() {
            let list = lists.entry(segment * BUCKETS + bucket(token)).or_default();
            list.insert((token, place_in_segment(row.number)));
        }
    }
    let rows = lists.into_iter().map(|(place, list)| row![place, written(&list)]);
    POSTINGS.put(connection, &rows.collect::<Vec<_>>()).await
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entries {
    Added,
    Removed,
}

/// Changes posting lists of segments that are merged: for what a lead is found by later, and for what goes with a person.
async fn change(
    connection: &mut AnyConnection,
    entries: &[(u64, i64)],
    to: Entries,
) -> Result<(), sqlx::Error> {
    let mut changes: BTreeMap<i64, Vec<(u64, u16)>> = BTreeMap::new();
    for (token, number) in entries {
        let place = number / SEGMENT * BUCKETS + bucket(*token);
        let entry = (*token, place_in_segment(*number));
        changes.entry(place).or_default().push(entry);
    }
    let places: Vec<i64> = changes.keys().copied().collect();
    let mut stored: BTreeMap<i64, Vec<u8>> = read_lists(connection, &places).await?.into_iter().collect();
    let mut rows = Vec::new();
    for (place, entries) in changes {
        let mut list: BTreeSet<(u64, u16)> =
            read_entries(&stored.remove(&place).unwrap_or_default()).collect();
        for entry in entries {
            match to {
                Entries::Added => list.insert(entry),
                Entries::Removed => list.remove(&entry),
            };
        }
        if list.is_empty() {
            // A fold from the beginning would not have it.
            sqlx::query("delete from lead_posting where place = $1")
                .bind(place)
                .execute(&mut *connection)
                .await?;
        } else {
            rows.push(row![place, written(&list)]);
        }
    }
    POSTINGS.put(connection, &rows).await
}

/// The first number of those whose segment is not full.
const fn merged(count: i64) -> i64 {
    count / SEGMENT * SEGMENT
}

fn bucket(token: u64) -> i64 {
    i64::from(token.to_be_bytes()[0])
}

fn place_in_segment(number: i64) -> u16 {
    u16::try_from(number % SEGMENT).unwrap_or_default()
}

fn read_token(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .take(TOKEN_BYTES)
        .fold(0, |token, byte| token << 8 | u64::from(*byte))
}

fn read_tokens(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(TOKEN_BYTES).map(read_token)
}

/// Whether the token is among these, which are in order.
fn holds(bytes: &[u8], token: u64) -> bool {
    let (tokens, _) = bytes.as_chunks::<TOKEN_BYTES>();
    tokens.binary_search(&token.to_be_bytes()).is_ok()
}

fn add_tokens(bytes: &mut Vec<u8>, tokens: &BTreeSet<u64>) {
    if tokens.is_empty() {
        return;
    }
    let all: BTreeSet<u64> = read_tokens(bytes).chain(tokens.iter().copied()).collect();
    *bytes = all.into_iter().flat_map(u64::to_be_bytes).collect();
}

fn read_entries(bytes: &[u8]) -> impl Iterator<Item = (u64, u16)> {
    bytes.chunks_exact(ENTRY_BYTES).map(|entry| {
        let lead = [entry[TOKEN_BYTES], entry[TOKEN_BYTES + 1]];
        (read_token(entry), u16::from_be_bytes(lead))
    })
}

fn written(list: &BTreeSet<(u64, u16)>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(list.len() * ENTRY_BYTES);
    for (token, lead) in list {
        bytes.extend(token.to_be_bytes());
        bytes.extend(lead.to_be_bytes());
    }
    bytes
}

/// The leads beside a token in a list, which is in order.
fn leads_in(list: &[u8], token: u64) -> impl Iterator<Item = u16> {
    let (entries, _) = list.as_chunks::<ENTRY_BYTES>();
    let first = entries.partition_point(|entry| read_token(entry) < token);
    let of_token = entries[first..]
        .iter()
        .take_while(move |entry| read_token(*entry) == token);
    of_token.map(|entry| u16::from_be_bytes([entry[TOKEN_BYTES], entry[TOKEN_BYTES + 1]]))
}

#[cfg(test)]
mod tests;
