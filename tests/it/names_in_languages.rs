//! A home that its feed names in two languages is called as each reader has it, and found by both names.

use serde_json::Value;
use tests::Server;

use crate::market::until;
use crate::visitor::Visitor;

const ROWS: &str = "id,name_en,name_zh,country,city,lat,lng,price,currency,price_per,room_type,move_in,length\n\
    m-1,Alder Court,桤木公寓,GB,Leeds,53.8,-1.55,185,GBP,week,Entire home/apt,2028-09-01,40 weeks\n";

/// A home whose names have tags of countries too.
const TAGGED: &str = r#"[{"id": "m-2", "name": {"de-DE": "Erlenhof", "en-GB": "Alder Yard", "zh-CN": "桤木院"}, "country": "GB",
    "city": "Sheffield", "lat": 53.381, "lng": -1.47, "price": 185, "currency": "GBP", "price_per": "week",
    "room_type": "Entire home/apt", "move_in": "2028-09-01", "length": "40 weeks"}]"#;

fn import(server: &Server, (file, rows): (&str, &str)) {
    let [feed, report] = [file, "report.csv"].map(|name| server.beside(name));
    std::fs::write(&feed, rows).unwrap();
    let [feed, lines] = [&feed, &report].map(|path| path.to_str().unwrap());
    let said = server.run(&["import", feed, "--feed", "named", "--report", lines]);
    assert!(said.contains("1 added"), "{said}");
}

/// The name of a home's page in a language.
async fn named_on_page(visitor: &Visitor<'_>, home: &str, lang: &str) -> Value {
    let path = format!("/_page?url=/places/{home}%3Flang={lang}");
    until(|| async {
        let page = data(visitor, &path).await["data"].clone();
        page["room_types"].is_array().then(|| page["name"].clone())
    })
    .await
}

async fn data(visitor: &Visitor<'_>, path: &str) -> Value {
    visitor.get(path).await.body["data"].clone()
}

#[tokio::test]
async fn home_is_called_as_each_reader_has_it() {
    let server = Server::start();
    import(&server, ("named.csv", ROWS));
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
        assert_eq!(
            named_on_page(&visitor, "alder-court-m-1", lang).await,
            name,
            "{lang}"
        );
    }
    import(&server, ("tagged.json", TAGGED));
    for (lang, name) in [("en", "Alder Yard"), ("zh", "桤木院")] {
        assert_eq!(
            named_on_page(&visitor, "alder-yard-m-2", lang).await,
            name,
            "{lang}"
        );
    }
}
