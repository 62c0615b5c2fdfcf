//! What one node writes, the others hear of at once: they are called, and do not wait until they look by themselves. Of what they
//! hear, half at least is found by searches within the second that is promised: a machine that builds and tests has worse moments.

use reqwest::StatusCode;
use tests::{Server, sample};

use crate::market::{AUTUMN, House, furnish, until};
use crate::nodes::finds;
use crate::visitor::{Visitor, enquiry};

const ENQUIRIES: &str = "LATCHKEY_TEST_HEARD";
/// How many: in the gate, and in all.
const ENQUIRIES_USUALLY: (usize, usize) = (20, 20);
/// Somebody's home, and how many ask from there.
const AT_HOME: usize = 200;

/// What a node tells Prometheus.
pub(crate) async fn metrics(address: &str) -> String {
    let answer = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    answer.text().await.unwrap()
}

/// The number behind a name.
pub(crate) fn told(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find(|line| line.starts_with(name));
    line.map_or(0.0, |line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

/// How many batches were found within how many seconds.
fn within(metrics: &str) -> Vec<(&str, f64)> {
    let buckets = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("latchkey_search_index_seconds_bucket{le=\""));
    buckets
        .filter_map(|rest| rest.split_once("\"} "))
        .map(|(seconds, count)| (seconds, count.parse().unwrap()))
        .collect()
}

/// A node is notified when another has written, and its search index follows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_is_notified_of_writes_and_its_search_follows() {
    let [enquiries] = sample!(ENQUIRIES => ENQUIRIES_USUALLY).rounds;
    let url = tests::cluster().database();
    let address = tests::free_address();
    let address = address.to_string();
    let settings = [
        ("LATCHKEY_DATABASE", url.as_str()),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ];
    let first = Server::with(&settings);
    let second = Server::with(&[settings[0], settings[1], ("LATCHKEY_METRICS_LISTEN", &address)]);
    for number in 0..enquiries {
        let [street, home] = [number / AT_HOME, number % AT_HOME].map(|it| u8::try_from(it + 1).unwrap());
        let person = Visitor::from(&first, [127, 0, street, home]);
        let sent = person
            .post(
                "/api/v0/leads/",
                enquiry("Mei Lin", &format!("mei{number}@example.com")),
            )
            .await;
        assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    }
    let house = House {
        rooms: vec![vec![(AUTUMN, 44, 1)]],
        token_minor: 0,
    };
    furnish(&first, 700, &house).await;
    until(|| async {
        finds(&second.url(""), "0193a000-0000-7000-8000-000000000701")
            .await
            .then_some(())
    })
    .await;
    let metrics = metrics(&address).await;
    let called = told(&metrics, "latchkey_log_news_total{by=\"call\"}");
    let looked = told(&metrics, "latchkey_log_news_total{by=\"look\"}");
    println!(
        "called {called} times, looked {looked} times; batches found within seconds: {:?}",
        within(&metrics)
    );
    assert!(called > 0.0, "nobody called; it looked {looked} times by itself");
    let all = told(&metrics, "latchkey_search_index_seconds_count");
    assert!(all > 0.0, "{metrics}");
    let in_time = within(&metrics).into_iter().find(|(seconds, _)| *seconds == "1");
    let (_, in_time) = in_time.unwrap_or_else(|| panic!("nothing of a second: {metrics}"));
    assert!(in_time * 2.0 >= all, "within a second {in_time} of {all}");
}
