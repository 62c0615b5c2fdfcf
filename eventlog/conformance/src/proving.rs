//! The log's end is signed, and what was signed tells what was done to the log since.

use domain::id::UserId;
use domain::moment::Moment;
use domain::sealed::Sealed;
use tempfile::TempDir;
use uuid::Uuid;

use super::AccountEvent::{Deposited, Noted};
use super::{Ground, account, direct, every_engine};
use eventlog::EventLog;
use eventlog::append::Expected;
use eventlog::audit::Audit;
use eventlog::head_folder::HeadFolder;
use eventlog::port::SEGMENT;
use eventlog::proof::{Proof, ProofFault};
use eventlog::signed_head::{SignedHead, Signer};
use eventlog::verify::{Anchor, Verdict};

/// A key and a folder outside of any database.
pub struct Notary {
    dir: TempDir,
    /// The folder.
    pub outside: HeadFolder,
}

impl Notary {
    /// A new key and an empty folder.
    #[expect(clippy::new_without_default, reason = "it makes files")]
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let outside = HeadFolder::open(&dir.path().join("heads")).expect("a folder");
        Self { dir, outside }
    }

    /// The key.
    pub fn signer(&self) -> Signer {
        Signer::open(&self.dir.path().join("signing.key")).expect("a key")
    }

    /// Signs the log's end.
    pub async fn sign(&self, log: &EventLog, at: Moment) -> Option<SignedHead> {
        log.sign_head(&self.signer(), &self.outside, at)
            .await
            .expect("it can be signed")
    }

    /// Holds the log against what was signed.
    pub async fn audit(&self, log: &EventLog, since: Anchor) -> Audit {
        log.audit(&self.outside, since).await.expect("readable")
    }
}

/// An hour of the test's calendar.
pub fn hour(number: u64) -> Moment {
    super::noon() + chrono::TimeDelta::hours(number.cast_signed())
}

/// Writes so many deposits, of seven accounts.
pub async fn deposit(log: &EventLog, times: u64) {
    let one = |it: u64| {
        direct(
            account(u128::from(it % 7)),
            Expected::Any,
            &[Deposited { amount: 1 }],
        )
    };
    log.append_many((0..times).map(one).collect())
        .await
        .expect("written");
}

every_engine![($) proving;
    signed_end_is_proved_from_the_start_and_an_earlier_head,
    full_segment_roots_are_kept_without_delaying_writers,
    renewed_key_signs_on_and_old_signatures_stay_valid,
    event_proof_holds_offline_and_after_erasure,
];

/// The end is signed once and vouched for from the beginning and from an earlier head.
async fn signed_end_is_proved_from_the_start_and_an_earlier_head(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    assert_eq!(notary.sign(&log, hour(0)).await, None, "there is nothing to sign");
    deposit(&log, 100).await;
    let first = notary.sign(&log, hour(1)).await.expect("a new end");
    assert_eq!((first.position, first.previous), (100, 0));
    assert_eq!(
        notary.sign(&log, hour(2)).await,
        None,
        "the end is signed already"
    );
    deposit(&log, 50).await;
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(end) if end.position == 150),
        "{audit:?}"
    );
    assert_eq!(audit.signed_through, Some(100));
    let second = notary.sign(&log, hour(3)).await.expect("a new end");
    assert_eq!((second.position, second.previous), (150, 100));
    let since = log.signed_before(&notary.outside, hour(2)).await.expect("heads");
    assert_eq!(since, first.anchor());
    let audit = notary.audit(&log, since).await;
    assert!(
        matches!(audit.verdict, Verdict::Intact(end) if end.position == 150),
        "{audit:?}"
    );
    assert_eq!((audit.signed_through, audit.unknown_keys), (Some(150), 0));
    // Outside lies what the database has, also when it had been kept from there.
    let elsewhere = Notary::new();
    elsewhere
        .outside
        .trust(&notary.signer().public())
        .expect("trusted");
    assert_eq!(elsewhere.sign(&log, hour(4)).await, None);
    let both = elsewhere.outside.read(None).expect("readable").heads;
    assert_eq!(both, [first, second]);
}

/// The roots of full segments are kept and nobody waits for them.
async fn full_segment_roots_are_kept_without_delaying_writers(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    deposit(&log, 3 * SEGMENT + 5).await;
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(log.seal_segments().await.expect("made"), 3);
    assert_eq!(log.seal_segments().await.expect("there"), 0);
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(audit.signed_through, None);
}

/// A renewed key signs on and what the old one signed stays good.
async fn renewed_key_signs_on_and_old_signatures_stay_valid(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    deposit(&log, 10).await;
    let old = notary.sign(&log, hour(1)).await.expect("a new end");
    notary
        .outside
        .put_away(&notary.signer().public(), hour(2))
        .expect("put away");
    Signer::renew(&notary.dir.path().join("signing.key")).expect("another key");
    deposit(&log, 10).await;
    let new = notary.sign(&log, hour(3)).await.expect("a new end");
    assert_ne!(old.key, new.key);
    let audit = notary.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!(audit.signed_through, Some(20));
    // Somebody who knows neither key is told so, and not that the log is broken.
    let stranger = Notary::new();
    let audit = stranger.audit(&log, Anchor::GENESIS).await;
    assert!(matches!(audit.verdict, Verdict::Intact(_)), "{audit:?}");
    assert_eq!((audit.signed_through, audit.unknown_keys), (None, 2));
}

/// An event's proof holds without the log and after its person was forgotten.
async fn event_proof_holds_offline_and_after_erasure(ground: Ground) {
    let (log, notary) = (ground.log().await, Notary::new());
    let somebody = UserId(Uuid::from_u128(77));
    let noted = Noted {
        about: somebody,
        note: Sealed::new("lives above the bakery".to_owned()),
    };
    deposit(&log, 2 * SEGMENT + 9).await;
    let at = log
        .append(direct(account(1), Expected::Any, &[noted]))
        .await
        .expect("written");
    let early = log.prove(at.last).await.expect_err("nothing is signed");
    assert!(early.to_string().contains("is not signed yet"), "{early}");
    notary.sign(&log, hour(1)).await.expect("a new end");
    let key = notary.signer().public();
    let (before, last) = (log.prove(1).await, log.prove(at.last).await);
    log.forget_subject(somebody).await.expect("forgotten");
    deposit(&log, 1).await;
    for position in [1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 2 * SEGMENT + 1, at.last] {
        let proof = log.prove(position).await.expect("a proof");
        assert_eq!((proof.position(), proof.check(&key)), (position, Ok(())));
    }
    for proof in [before, last] {
        assert_eq!(proof.expect("a proof").check(&key), Ok(()), "of before");
    }
    // Through its written form, with each word of it changed in turn.
    let proof = log.prove(at.last).await.expect("a proof");
    let written = serde_json::to_string(&proof).expect("JSON");
    assert!(!written.contains("bakery"), "{written}");
    let stranger = Notary::new().signer().public();
    assert!(matches!(proof.check(&stranger), Err(ProofFault::Key { .. })));
    let mut tried = 0;
    for (place, letter) in written.char_indices().filter(|(_, it)| it.is_ascii_digit()) {
        let mut changed = written.clone();
        let other = if letter == '9' { "8" } else { "9" };
        changed.replace_range(place..=place, other);
        // What is no proof any more in form is none.
        let Ok(changed) = serde_json::from_str::<Proof>(&changed) else {
            continue;
        };
        tried += 1;
        assert!(changed.check(&key).is_err(), "{letter} at {place}: {changed:?}");
    }
    assert!(tried > 300, "{tried}");
}
