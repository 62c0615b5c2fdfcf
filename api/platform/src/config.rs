//! Settings (X3): `latchkey.toml`, then `LATCHKEY_*`, then flags; all optional.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use domain::payment::fee::FeeRate;
use serde::{Deserialize, Serialize};
use tables::Place;

use crate::host_name::is_loopback;

pub mod brand;
pub mod changeable;
mod check;
mod countries;
mod environment;
mod face;
mod fee;
mod feeds;
pub mod hosts;
mod load;
pub mod number;
pub mod processors;
pub mod proxies;
pub mod recaptcha;
mod sentence;
pub mod stripe;
mod switch;

use brand::ServedBrands;
use changeable::{SetHere, Source};
use proxies::TrustedProxies;
use stripe::Hidden;

/// Which of the two front doors is served (D119).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    Standard,
    China,
}

/// Every setting, with the default that works on a fresh machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `LATCHKEY_LISTEN`: address and port to serve on.
    pub listen: SocketAddr,
    /// `LATCHKEY_DATA_DIR`: folder of the log, the keys and the read models.
    pub data_dir: PathBuf,
    /// `LATCHKEY_HEADS_DIR`: folder of the signed heads and of the keys whose signatures count; `heads` in the data folder
    /// when unset. On another disk, it tells what was done to this one.
    pub heads_dir: Option<PathBuf>,
    /// `LATCHKEY_DATABASE`: `sqlite:`, files in the data folder, or `postgres://user:password@host/name`, shared by nodes.
    pub database: String,
    /// `LATCHKEY_KEYS_DATABASE`: where the keys of personal data lie when the log lies in PostgreSQL; unset: in the database
    /// `NAME_keys` beside it.
    pub keys_database: Option<String>,
    /// `LATCHKEY_EVENT_LOG`: the address of a KurrentDB server that keeps the event log; with `database` when unset.
    pub event_log: Option<String>,
    /// `LATCHKEY_PUBLIC_URL`: how browsers reach this server; canonical links and cookies follow it.
    pub public_url: Option<String>,
    /// `LATCHKEY_HOSTS`: addresses between commas under which further sites of the house are served, each with `brand=KEY` and
    /// `language=CODE` behind a space where it has its own; none when empty.
    pub hosts: String,
    /// `LATCHKEY_BRAND_NAME`: the brand that pages show (X1).
    pub brand_name: String,
    /// `LATCHKEY_SELLER_NAME`: who sells, on receipts; the brand when empty.
    pub seller_name: String,
    /// `LATCHKEY_SELLER_ADDRESS`: the seller's address on receipts, its lines separated by line breaks; left out when empty.
    pub seller_address: String,
    /// `LATCHKEY_STAFF_EMAIL_DOMAIN`: people with a verified address there are internal staff (D2). Empty: nobody is.
    pub staff_email_domain: String,
    /// `LATCHKEY_VARIANT`: `standard` or `china`.
    pub variant: Variant,
    /// `LATCHKEY_DEV_TOOLS`: the outbox and the sandbox pages (X6). Unset: on only while listening on loopback and
    /// reached by no other name.
    #[serde(deserialize_with = "switch::read")]
    pub dev_tools: Option<bool>,
    /// `LATCHKEY_SMTP_URL`: the mail server that takes the house's mails, `smtp://user:password@host:587` or `smtps://…`.
    pub smtp_url: Option<String>,
    /// `LATCHKEY_MAIL_FROM`: the address that they come from.
    pub mail_from: Option<String>,
    /// `LATCHKEY_SMS_URL`: the provider that takes text messages, `https://TOKEN@host/path`.
    pub sms_url: Option<Hidden>,
    /// `LATCHKEY_STRIPE_SECRET_KEY`: with the next two, the Stripe account that takes the payments; the sandbox when unset.
    pub stripe_secret_key: Option<Hidden>,
    /// `LATCHKEY_STRIPE_PUBLISHABLE_KEY`: what browsers name that account by.
    pub stripe_publishable_key: Option<String>,
    /// `LATCHKEY_STRIPE_WEBHOOK_SECRET`: what its notices are signed with; two with a comma between them while it is renewed.
    pub stripe_webhook_secret: Option<Hidden>,
    /// `LATCHKEY_STRIPE_API_BASE`: where its API answers, for tests; Stripe itself when unset.
    pub stripe_api_base: Option<String>,
    /// `LATCHKEY_RECAPTCHA_SITE_KEY`: with the next three, reCAPTCHA before codes and enquiries (D69); none when unset.
    pub recaptcha_site_key: Option<String>,
    /// `LATCHKEY_RECAPTCHA_SECRET_KEY`: what tokens of that key are verified with.
    pub recaptcha_secret_key: Option<Hidden>,
    /// `LATCHKEY_RECAPTCHA_V2_SITE_KEY`: of the visual challenge.
    pub recaptcha_v2_site_key: Option<String>,
    /// `LATCHKEY_RECAPTCHA_V2_SECRET_KEY`: what its tokens are verified with.
    pub recaptcha_v2_secret_key: Option<Hidden>,
    /// `LATCHKEY_RECAPTCHA_VERIFY_URL`: where tokens are verified; at Google when unset.
    pub recaptcha_verify_url: Option<String>,
    /// `LATCHKEY_TRUSTED_PROXY`: addresses and networks of the proxies before this server, whose X-Forwarded-For is believed.
    pub trusted_proxy: TrustedProxies,
    /// `LATCHKEY_CLIENT_WAIT_SECONDS`: how long a client may keep the server waiting: for a whole request, for the next one on its
    /// connection, or by not reading an answer. Its connection is closed then (R19).
    #[serde(deserialize_with = "number::read")]
    pub client_wait_seconds: u32,
    /// `LATCHKEY_CONNECTIONS_PER_ADDRESS`: how many connections one IPv4 address or one IPv6 /64 may hold open (R19).
    #[serde(deserialize_with = "number::read")]
    pub connections_per_address: usize,
    /// `LATCHKEY_METRICS_LISTEN`: address and port where `/metrics` is served to Prometheus; nowhere when unset.
    pub metrics_listen: Option<SocketAddr>,
    /// `LATCHKEY_DEMO_CATALOGUE`: makes the demo catalogue on the first start of an empty log. Unset: with the developers' tools
    /// only.
    #[serde(deserialize_with = "switch::read")]
    pub demo_catalogue: Option<bool>,
    /// `LATCHKEY_FEEDS`: a TOML file of feeds that are fetched again and again, a folder of such files, or the feeds; none when unset.
    pub feeds: Option<PathBuf>,
    /// `LATCHKEY_OUTBOUND_PERMITTED`: sockets of the operator's own network, between commas, from which feeds and photos may be fetched.
    pub outbound_permitted: String,
    /// `LATCHKEY_PICTURES`: where photos of homes are kept: a folder, or a bucket that nodes share (`s3://…`, `gs://…`, `az://…`);
    /// `photos` in the data folder when unset.
    pub pictures: Option<String>,
    /// `LATCHKEY_FETCH_PHOTOS`: fetches the photos that homes name. Unset: on.
    #[serde(deserialize_with = "switch::read")]
    pub fetch_photos: Option<bool>,
    /// `LATCHKEY_HOLD_SECONDS`: how long a room waits for its payer, and how much is added once while paying (D97).
    #[serde(deserialize_with = "number::read")]
    pub hold_seconds: u32,
    /// `LATCHKEY_PROCESSING_FEE_PERCENT`: what is added for processing a payment (D39).
    #[serde(deserialize_with = "fee::percent")]
    pub processing_fee_percent: String,
    /// `LATCHKEY_FEE_EXEMPT_COUNTRIES`: keys of countries where nothing is added, between commas (D39).
    pub fee_exempt_countries: String,
    /// `LATCHKEY_OPEN_COUNTRIES`: keys of countries that are open before a home stands there, between commas (U29).
    pub open_countries: String,
    /// `LATCHKEY_ANSWER_HOURS`: within how many hours an enquiry is to be answered.
    #[serde(deserialize_with = "number::read")]
    pub answer_hours: u16,
    /// `LATCHKEY_TEAMS`: the teams that leads can be given to, between commas, each with its members' addresses after `=`:
    /// `payments=ada@staff.example ben@staff.example, moving in`; none when empty.
    pub teams: String,
    /// `LATCHKEY_REPLY_HOURS`: within how many hours a message of a case is to be answered; as enquiries when unset.
    #[serde(deserialize_with = "number::read_optional")]
    pub reply_hours: Option<u16>,
    /// `LATCHKEY_DESK_EMAIL`: where the desk is told of answers that are late and have no owner; nowhere when empty.
    pub desk_email: String,
    /// `LATCHKEY_QUOTE_DAYS`: how many days an enquiry keeps the price it was sent for (decision 0025); 0 keeps none.
    #[serde(deserialize_with = "number::read")]
    pub quote_days: u16,
    /// `LATCHKEY_SUPPORT_EMAIL`: shown on error pages; hidden when empty.
    pub support_email: String,
    /// `LATCHKEY_FINANCE_EMAIL`: where finance is told of disputes; they stand in the server's log alone when empty.
    pub finance_email: String,
    /// `LATCHKEY_REFUND_TYPED_ABOVE`: a refund above this sum, in dollars or what they are worth, needs its amount typed.
    #[serde(deserialize_with = "number::read_amount")]
    pub refund_typed_above: u64,
    /// `LATCHKEY_ALERT_URL`: a webhook that is told in JSON what needs finance; its address holds the secret.
    pub alert_url: Option<Hidden>,
    /// `LATCHKEY_STUCK_MINUTES`: after how many minutes a payment that is processing needs finance.
    #[serde(deserialize_with = "number::read")]
    pub stuck_minutes: u32,
    /// `LATCHKEY_PROVIDER_FEE_PERMILLE`: what the payment provider keeps of a charge as agreed, in thousandths; 0 with
    /// `provider_fee_fixed` 0: fees are not compared.
    #[serde(deserialize_with = "number::read")]
    pub provider_fee_permille: u32,
    /// `LATCHKEY_PROVIDER_FEE_FIXED`: and besides, in minor units of each charge.
    #[serde(deserialize_with = "number::read")]
    pub provider_fee_fixed: u32,
    /// `LATCHKEY_REFERRAL_REWARD`: what a completed referral earns, in whole units of its booking's currency.
    #[serde(deserialize_with = "number::read_amount")]
    pub referral_reward: u32,
    /// `LATCHKEY_REFUND_LIMIT`: what finance may send back of one payment alone, in whole units of its currency; more needs a second
    /// person's approval.
    #[serde(deserialize_with = "number::read_amount")]
    pub refund_limit: u64,
    /// `LATCHKEY_REFUND_LIMIT_ADMIN`: the same for administrators; 0 sets no limit.
    #[serde(deserialize_with = "number::read_amount")]
    pub refund_limit_admin: u64,
    /// `LATCHKEY_RATING` and `LATCHKEY_DOWNLOADS`: the marketing figures of Spec §9 on the home page (D58). Unset they are absent, but
    /// beside the demo's homes (U23).
    pub rating: String,
    pub downloads: String,
    /// `LATCHKEY_MAINTENANCE`: writes are refused, reads go on.
    #[serde(deserialize_with = "switch::read")]
    pub maintenance: Option<bool>,
    /// `LATCHKEY_SECOND_FACTOR_ROLES`: roles between commas whose logins need a second step.
    pub second_factor_roles: String,
    /// A server on a restored copy that sends nothing to the outside: `latchkey serve --rehearsal`.
    #[serde(skip)]
    pub rehearsal: bool,
    /// What administrators set while the server runs.
    #[serde(skip)]
    pub here: SetHere,
    /// Brands that were published while the server runs.
    #[serde(skip)]
    pub brands: ServedBrands,
    /// Where changeable settings and the brand's name come from, as long as they are not set in the workspace.
    #[serde(skip)]
    pub sources: BTreeMap<&'static str, Source>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data_dir: PathBuf::from("data"),
            heads_dir: None,
            database: "sqlite:".to_owned(),
            keys_database: None,
            event_log: None,
            public_url: None,
            hosts: String::new(),
            brand_name: "Amber".to_owned(),
            seller_name: String::new(),
            seller_address: String::new(),
            staff_email_domain: "staff.example".to_owned(),
            variant: Variant::Standard,
            dev_tools: None,
            smtp_url: None,
            mail_from: None,
            sms_url: None,
            stripe_secret_key: None,
            stripe_publishable_key: None,
            stripe_webhook_secret: None,
            stripe_api_base: None,
            recaptcha_site_key: None,
            recaptcha_secret_key: None,
            recaptcha_v2_site_key: None,
            recaptcha_v2_secret_key: None,
            recaptcha_verify_url: None,
            trusted_proxy: TrustedProxies::default(),
            client_wait_seconds: 20,
            connections_per_address: 256,
            metrics_listen: None,
            demo_catalogue: None,
            feeds: None,
            outbound_permitted: String::new(),
            pictures: None,
            fetch_photos: None,
            hold_seconds: 600,
            processing_fee_percent: FeeRate::USUAL.to_string(),
            fee_exempt_countries: String::new(),
            open_countries: String::new(),
            answer_hours: 24,
            teams: String::new(),
            reply_hours: None,
            desk_email: String::new(),
            quote_days: 7,
            support_email: "support@amber.example".to_owned(),
            finance_email: String::new(),
            refund_typed_above: 500,
            alert_url: None,
            stuck_minutes: 60,
            provider_fee_permille: 0,
            provider_fee_fixed: 0,
            referral_reward: 0,
            refund_limit: 1_000,
            refund_limit_admin: 0,
            rating: String::new(),
            downloads: String::new(),
            maintenance: None,
            second_factor_roles: String::new(),
            rehearsal: false,
            here: SetHere::default(),
            brands: ServedBrands::default(),
            sources: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The same, listening elsewhere.
    ///
    /// # Errors
    /// One sentence naming the setting that does not go with it.
    pub fn listening_on(self, listen: SocketAddr) -> Result<Self, String> {
        Self { listen, ..self }.check()
    }

    /// The same for a rehearsal: no mail server, no provider of text messages, no webhook, no feed and no Google, and no folder outside
    /// of the copy's own. Who pays is asked of the provider; what it would be told is refused where it is called.
    #[must_use]
    pub fn in_rehearsal(self) -> Self {
        Self {
            rehearsal: true,
            heads_dir: None,
            demo_catalogue: Some(false),
            feeds: None,
            pictures: None,
            fetch_photos: Some(false),
            smtp_url: None,
            mail_from: None,
            sms_url: None,
            alert_url: None,
            recaptcha_site_key: None,
            recaptcha_secret_key: None,
            recaptcha_v2_site_key: None,
            recaptcha_v2_secret_key: None,
            recaptcha_verify_url: None,
            ..self
        }
    }

    /// Whether an empty log is filled with the demo catalogue.
    pub fn wants_demo_homes(&self) -> bool {
        self.demo_catalogue.unwrap_or(true) && self.takes_demo_homes()
    }

    /// A figure of the house as it is set. Unset there is none: the demo alone has figures of its own, invented like its homes.
    fn figure(&self, set: &str, of_demo: &str) -> String {
        let shown = if set.is_empty() && self.wants_demo_homes() && !self.has_own_brand() {
            of_demo
        } else {
            set
        };
        shown.to_owned()
    }

    /// Invented homes are for developers: no log that others look for homes in ever holds one.
    fn takes_demo_homes(&self) -> bool {
        self.dev_tools() && self.listen.ip().is_loopback() && self.is_reached_locally()
    }

    /// How long a client may keep the server waiting.
    pub fn client_wait(&self) -> Duration {
        Duration::from_secs(self.client_wait_seconds.into())
    }

    /// Where tables lie.
    pub fn place(&self) -> Place {
        if is_postgres(&self.database) {
            Place::Postgres(self.database.clone())
        } else {
            Place::Folder(self.data_dir.clone())
        }
    }

    /// Whether everything lies in PostgreSQL, the log among it.
    pub fn is_in_postgres(&self) -> bool {
        self.event_log.is_none() && is_postgres(&self.database)
    }

    /// The name that browsers reach this server by, without its port.
    pub fn own_name(&self) -> String {
        let url = self.public_url();
        let host = url.split("//").nth(1).unwrap_or_default();
        host.split(['/', ':']).next().unwrap_or_default().to_owned()
    }

    /// Whether `/dev/outbox` and `/dev/sandbox` exist.
    pub fn dev_tools(&self) -> bool {
        // Behind a proxy the world comes in over loopback: one-time codes must not lie open there. Nor where they go out.
        self.dev_tools.unwrap_or_else(|| {
            self.listen.ip().is_loopback()
                && self.is_reached_locally()
                // A rehearsal moves none.
                && (self.rehearsal || !self.takes_real_money())
                && self.smtp_url.is_none()
                && self.sms_url.is_none()
        })
    }

    /// Whether anybody can read a mail: it goes to a mail server, or stays in the developers' outbox.
    pub fn mails_arrive(&self) -> bool {
        self.smtp_url.is_some() || self.dev_tools()
    }

    /// Whether anybody can read a text message: it goes to a provider, or stays in the developers' outbox.
    pub fn texts_arrive(&self) -> bool {
        self.sms_url.is_some() || self.dev_tools()
    }

    /// Browsers on this very machine are the only ones, by the public URL's own word and that of further hosts.
    fn is_reached_locally(&self) -> bool {
        let is_here = |url: &str| {
            let host = url.split("//").nth(1).unwrap_or_default();
            is_loopback(host.split('/').next().unwrap_or_default())
        };
        self.public_url.as_deref().is_none_or(is_here)
            && self
                .further_hosts()
                .iter()
                .all(|further| is_here(&further.origin))
    }

    /// Scheme, host and port that links in pages and messages begin with; no slash at the end.
    pub fn public_url(&self) -> String {
        self.public_url.as_deref().map_or_else(
            || format!("http://{}", self.listen),
            |url| url.trim_end_matches('/').to_owned(),
        )
    }
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

#[cfg(test)]
mod tests;
