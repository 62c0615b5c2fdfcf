//! What one node writes, the others hear of at once: they are called, and do not wait until they look by themselves.

use std::net::TcpListener;

use reqwest::StatusCode;
use tests::Server;

use crate::market::{AUTUMN, House, furnish, until};
use crate::nodes::finds;
use crate::visitor::{Visitor, enquiry};

const ENQUIRIES: usize = 20;

/// The number behind a name in what a node tells Prometheus.
async fn told(address: &str, name: &str) -> f64 {
    let answer = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    let told = answer.text().await.unwrap();
    let line = told.lines().find(|line| line.starts_with(name));
    line.map_or(0.0, |line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_is_called_when_another_has_written_and_its_search_follows_within_a_second() {
    let url = tests::cluster().database();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = address.to_string();
    let settings = [
        ("LATCHKEY_DATABASE", url.as_str()),
        ("LATCHKEY_DEMO_CATALOGUE", "false"),
    ];
    let first = Server::with(&settings);
    let second = Server::with(&[settings[0], settings[1], ("LATCHKEY_METRICS_LISTEN", &address)]);
    for number in 0..ENQUIRIES {
        let person = Visitor::from(&first, [127, 0, 7, u8::try_from(number + 1).unwrap()]);
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
    let called = told(&address, "latchkey_log_news_total{by=\"call\"}").await;
    let looked = told(&address, "latchkey_log_news_total{by=\"look\"}").await;
    assert!(
        called > looked,
        "called {called} times, {looked} times looked by itself"
    );
    let searches = "latchkey_search_index_seconds";
    let all = told(&address, &format!("{searches}_count")).await;
    let within = told(&address, &format!("{searches}_bucket{{le=\"1\"}}")).await;
    println!(
        "{within} of {all} batches were found within a second; called {called} times, looked {looked} times"
    );
    assert!(
        all > 0.0 && within >= all / 2.0,
        "{within} of {all} batches within a second"
    );
}
