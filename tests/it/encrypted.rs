//! A database server over the network: what travels to it is encrypted, on every connection, and goes to nobody else.

use reqwest::StatusCode;
use tests::Server;
use tests::postgres::Cluster;

use crate::visitor::{Visitor, enquiry};

/// Connections over the network that are not encrypted, those that are, and those of them that listen.
const CONNECTIONS: &str = "select count(*) filter (where not ssl), count(*) filter (where ssl),
    count(*) filter (where ssl and query ilike 'listen %')
    from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null";

/// Nothing is said to a database over the network that others could hear.
#[tokio::test]
async fn database_over_the_network_hears_nothing_in_plain_text() {
    let (cluster, stranger) = (Cluster::encrypted(), Cluster::encrypted());
    let name = "database_0";
    cluster.run("postgres", &format!("create database {name}"));
    let known = format!(
        "?sslmode=verify-full&sslrootcert={}",
        cluster.authority().display()
    );
    let url = cluster.over_the_network(name, &known);
    let server = Server::with(&[("LATCHKEY_DATABASE", &url), ("LATCHKEY_DEMO_CATALOGUE", "false")]);
    let visitor = Visitor::new(&server);
    let sent = visitor
        .post("/api/v0/leads/", enquiry("Mei Lin", "mei@example.com"))
        .await;
    assert_eq!(sent.status, StatusCode::CREATED, "{}", sent.body);
    let told = cluster.run("postgres", CONNECTIONS);
    let counted: Vec<u32> = told
        .trim()
        .split('|')
        .map(|count| count.parse().unwrap())
        .collect();
    assert_eq!(counted[0], 0, "in the clear, encrypted, listening: {told}");
    assert!(
        counted[1] > 5 && counted[2] >= 2,
        "in the clear, encrypted, listening: {told}"
    );

    let refused = |ending: &str| {
        let mut verify = server.command(&["verify"]);
        verify.env("LATCHKEY_DATABASE", cluster.over_the_network(name, ending));
        let ended = verify.output().unwrap();
        assert!(!ended.status.success(), "{ending}: taken");
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    let other = format!(
        "?sslmode=verify-full&sslrootcert={}",
        stranger.authority().display()
    );
    let said = refused(&other);
    assert!(said.contains("certificate"), "{said}");
    let said = refused("?sslmode=verify-full&sslrootcert=/no/such/file");
    assert!(said.contains("`/no/such/file`, cannot be used"), "{said}");
    // Its certificate speaks of `localhost`.
    let elsewhere = format!("{known}&host=127.0.0.1");
    let said = refused(&elsewhere);
    assert!(said.contains("certificate"), "{said}");
    let said = refused("?sslmode=disable");
    assert!(said.contains("no encryption"), "{said}");
    let said = refused("?host=db.latchkey.example");
    assert!(
        said.contains("`database`")
            && said.contains("would not be encrypted")
            && said.contains("sslmode=verify-full"),
        "{said}"
    );
}
