use super::*;
use crate::store::ReadStore;
use crate::trial::places;
use tables::Place;

/// Two segments that are full, and one that is not.
const LEADS: i64 = 2 * SEGMENT + 300;
/// One in each of them.
const FORGOTTEN: [i64; 3] = [5, SEGMENT + 77, 2 * SEGMENT + 9];

/// A token that no other number has.
fn mixed(number: i64) -> u64 {
    let mut token = number.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    token = (token ^ token >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    token ^ token >> 27
}

fn own(number: i64) -> u64 {
    mixed(number + 1)
}

fn shared_by_person(number: i64) -> u64 {
    mixed(1_000_000 + number % 7)
}

fn of_home(number: i64) -> u64 {
    mixed(2_000_000 + number % 97)
}

fn lead(number: i64) -> Named {
    Named {
        number,
        lead_id: format!("lead {number}"),
        tokens: Tokens {
            personal: BTreeSet::from([own(number), shared_by_person(number)]),
            plain: BTreeSet::from([of_home(number)]),
        },
    }
}

/// A token that comes when the lead is there already.
fn paid(number: i64) -> Named {
    let plain = BTreeSet::from([mixed(3_000_000 + number), of_home(number)]);
    Named {
        tokens: Tokens {
            plain,
            ..Tokens::default()
        },
        ..lead(number)
    }
}

/// As it is when its person's key is gone.
fn blank(number: i64) -> Named {
    let mut lead = lead(number);
    if FORGOTTEN.contains(&number) {
        lead.tokens.personal.clear();
    }
    lead
}

async fn add_all(read: &ReadStore, ends: &[i64], lead: fn(i64) -> Named) {
    let mut first = 0;
    for end in ends {
        let mut transaction = read.writer().begin().await.unwrap();
        let before = count(&mut transaction).await.unwrap();
        assert_eq!(before, first);
        let leads = (first..*end).map(lead).collect();
        add(&mut transaction, before, leads).await.unwrap();
        transaction.commit().await.unwrap();
        first = *end;
    }
}

async fn add_late(read: &ReadStore) {
    let mut transaction = read.writer().begin().await.unwrap();
    let late = FORGOTTEN.map(paid).into();
    add(&mut transaction, LEADS, late).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn forget_some(read: &ReadStore) {
    let mut transaction = read.writer().begin().await.unwrap();
    erase(&mut transaction, &FORGOTTEN).await.unwrap();
    transaction.commit().await.unwrap();
}

type Rows = (Vec<(i64, String, Vec<u8>, Vec<u8>)>, Vec<(i64, Vec<u8>)>);

async fn rows(read: &ReadStore) -> Rows {
    let words = sqlx::query_as("select number, lead_id, personal, plain from lead_words order by number");
    let lists = sqlx::query_as("select place, entries from lead_posting order by place");
    (
        words.fetch_all(read.readers()).await.unwrap(),
        lists.fetch_all(read.readers()).await.unwrap(),
    )
}

async fn found(read: &ReadStore, wanted: &[Vec<u64>]) -> Vec<Vec<i64>> {
    let mut connection = read.readers().acquire().await.unwrap();
    find(&mut connection, wanted).await.unwrap()
}

fn those(is_meant: impl Fn(i64) -> bool) -> Vec<i64> {
    (0..LEADS).filter(|number| is_meant(*number)).collect()
}

/// Whether the bytes of a token are in a file of the folder.
fn is_in_files(folder: &std::path::Path, token: u64) -> bool {
    let files = std::fs::read_dir(folder).unwrap();
    files
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .any(|bytes| {
            bytes
                .windows(TOKEN_BYTES)
                .any(|window| window == token.to_be_bytes())
        })
}

#[tokio::test]
async fn leads_are_found_in_full_segments_and_after_them() {
    for (place, _folder) in places() {
        let read = ReadStore::open(&place).await.unwrap();
        add_all(&read, &[1, 700, 1500, LEADS], lead).await;
        add_late(&read).await;
        let late = FORGOTTEN.map(|number| mixed(3_000_000 + number));
        let wanted = [
            vec![shared_by_person(3)],
            vec![],
            vec![of_home(1), own(700), own(2300)],
            late.into(),
            vec![mixed(4_000_000)],
        ];
        let expected = [
            those(|number| number % 7 == 3),
            vec![],
            those(|number| number % 97 == 1 || [700, 2300].contains(&number)),
            FORGOTTEN.into(),
            vec![],
        ];
        assert_eq!(found(&read, &wanted).await, expected);
    }
}

#[tokio::test]
async fn rows_do_not_depend_on_how_leads_came_in_batches() {
    let mut told = Vec::new();
    for ends in [
        vec![LEADS],
        vec![3, SEGMENT, SEGMENT + 1, 2 * SEGMENT + 299, LEADS],
    ] {
        for (place, _folder) in places() {
            let read = ReadStore::open(&place).await.unwrap();
            add_all(&read, &ends, lead).await;
            told.push(rows(&read).await);
        }
    }
    assert!(told.iter().all(|rows| *rows == told[0]));
}

/// Nothing finds a forgotten person, the others are found as before, and a fold without the person's key comes to the same rows.
#[tokio::test]
async fn forgotten_people_leave_no_token_in_any_file() {
    for (place, _folder) in places() {
        let read = ReadStore::open(&place).await.unwrap();
        add_all(&read, &[LEADS], lead).await;
        if let Place::Folder(folder) = &place {
            assert!(FORGOTTEN.iter().all(|number| is_in_files(folder, own(*number))));
        }
        forget_some(&read).await;
        add_late(&read).await;
        let wanted = [
            FORGOTTEN.map(own).into(),
            vec![shared_by_person(5)],
            vec![of_home(5)],
        ];
        let expected = [
            vec![],
            those(|number| number % 7 == 5 && !FORGOTTEN.contains(&number)),
            those(|number| number % 97 == 5),
        ];
        assert_eq!(found(&read, &wanted).await, expected);
        let left = rows(&read).await;
        if let Place::Folder(folder) = &place {
            let emptied = sqlx::query("pragma wal_checkpoint(truncate)");
            emptied.execute(read.writer().pool()).await.unwrap();
            assert!(FORGOTTEN.iter().all(|number| !is_in_files(folder, own(*number))));
            assert!(is_in_files(folder, own(6)));
        }
        let (again, _again) = places().into_iter().next().unwrap();
        let anew = ReadStore::open(&again).await.unwrap();
        add_all(&anew, &[800, LEADS], blank).await;
        add_late(&anew).await;
        assert_eq!(rows(&anew).await, left);
    }
}
