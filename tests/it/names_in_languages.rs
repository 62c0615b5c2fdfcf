//! A home that its feed names in two languages is called as each reader has it, and found by both names.

use serde_json::Value;
use tests::Server;

use crate::market::until;
use crate::visitor::Visitor;

const ROWS: &str = "id,name_en,name_zh,country,city,lat,lng,price,currency,price_per,room_type,move_in,length\n\
    m-1,Alder Court,桤木公寓,GB,Leeds,53.8,-1.55,185,GBP,week,Entire home/apt,2028-09-01,40 weeks\n";

async fn data(visitor: &Visitor<'_>, path: &str) -> Value {
    visitor.get(path).await.body["data"].clone()
}

#[tokio::test]
async fn home_is_called_as_each_reader_has_it() {
    let server = Server::start();
    let [feed, report] = ["named.csv", "report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, ROWS).unwrap();
    let [feed, lines] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--feed", "named", "--report", lines]);
    assert!(said.contains("1 added"), "{said}");
    let visitor = Visitor::new(&server);
    for (lang, name) in [("en", "Alder Court"), ("zh", "桤木公寓")] {
        let search = format!("/api/v1/inventories?region_canonical_name=leeds&pins=true&lang={lang}");
        let found = until(|| async {
            let found = data(&visitor, &search).await;
            (found["meta"]["count"] == 1).then_some(found)
        })
        .await;
        assert_eq!(found["result"][0]["name"], name, "{lang}");
        assert_eq!(found["pins"][0]["name"], name, "{lang}");
        let path = format!("/_page?url=/places/alder-court-m-1%3Flang={lang}");
        let page = until(|| async {
            let page = data(&visitor, &path).await;
            page["room_types"].is_array().then_some(page)
        })
        .await;
        assert_eq!(page["name"], name, "{lang}");
    }
}
