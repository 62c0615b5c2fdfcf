//! Every law of the log.

use std::time::Instant;

use eventlog_conformance::areas;

use super::Place;

/// Runs one area's laws, all of them, and names those that do not hold.
async fn hold(wanted: &str) {
    let only = std::env::var("KURRENT_LAW").ok();
    let mut broken = Vec::new();
    let (_, laws) = areas()
        .into_iter()
        .find(|(area, _)| *area == wanted)
        .expect("an area of the laws");
    for (name, law) in laws {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let begun = Instant::now();
        let ground = Place::new().await.ground();
        if tokio::spawn(law(ground)).await.is_err() {
            broken.push(*name);
        }
        println!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
    }
    assert!(broken.is_empty(), "{wanted}: {broken:#?}");
}

macro_rules! areas {
    ($($area:ident),* $(,)?) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $area() {
            hold(stringify!($area)).await;
        })*

        #[test]
        fn no_area_is_left_out() {
            let named = [$(stringify!($area)),*];
            assert!(areas().iter().map(|(area, _)| *area).eq(named));
        }
    };
}

areas![appending, commands, committing, following, sealing, shapes];
