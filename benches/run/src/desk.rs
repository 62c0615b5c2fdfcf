//! Somebody at the desk: logs in and asks one thing after the other over one connection.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use measure::{Figure, scattered};
use serde_json::{Value, json};

use crate::Settings;
use crate::cluster::succeeded;
use crate::served::{Running, latchkey, started};

/// So many have logged in: codes are not given to one address again and again.
static LOGINS: AtomicU32 = AtomicU32::new(0);

/// Answers that do not count.
const WARMING: u64 = 3;
/// What `ours fill` writes of each.
const EVENTS_OF_LEAD: u64 = 4;
const DAYS: u64 = 3 * 365;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    History,
    HistoryPage,
    Audit,
    AuditAsOf,
    Leads,
    LeadViews,
    /// A list beside many leads, or many payments: its address below `/api/v0/workspace/`.
    DeskList(&'static str),
    FinanceList(&'static str),
}

impl Asked {
    pub const fn is_of_payments(self) -> bool {
        matches!(self, Self::Audit | Self::AuditAsOf | Self::FinanceList(_))
    }

    const fn is_of_one_lead(self) -> bool {
        matches!(self, Self::History | Self::HistoryPage)
    }

    pub fn fill_words(self, settings: &Settings) -> Vec<String> {
        let (command, flag, number) = match self {
            Self::Audit | Self::AuditAsOf | Self::FinanceList(_) => {
                ("payments", "--payments", settings.payments)
            }
            Self::History | Self::HistoryPage => ("history", "--events", settings.history),
            Self::Leads | Self::LeadViews | Self::DeskList(_) => {
                ("fill", "--events", settings.listed_leads * EVENTS_OF_LEAD)
            }
        };
        [command, "--engine", "sqlite", flag, &number.to_string()]
            .map(str::to_owned)
            .to_vec()
    }

    fn path(self, settings: (u64, &str), number: u64) -> String {
        let (history, lead) = settings;
        let drawn = scattered(number);
        let day = |ago: u64| {
            let ago = chrono::TimeDelta::days(ago.cast_signed());
            (chrono::Utc::now() - ago).date_naive()
        };
        let of_one = [
            "",
            "&kind=captured",
            "&kind=refund_acknowledged",
            "&currency=EUR",
            "&kind=opened&currency=GBP",
        ];
        let one = of_one[usize::try_from(drawn % 5).unwrap_or(0)];
        let audit = "/api/v0/workspace/payments/events";
        match self {
            Self::History => format!("/api/v0/workspace/leads/{lead}/timeline"),
            Self::HistoryPage => format!(
                "/api/v0/workspace/leads/{lead}/timeline/events?from={}",
                drawn % history
            ),
            Self::Audit => {
                let (from, long) = (1 + (drawn >> 8) % DAYS, (drawn >> 24) % 200);
                match drawn % 4 {
                    0 => format!("{audit}?limit=20{one}"),
                    1 => format!("{audit}?p={}{one}", 1 + (drawn >> 8) % 50),
                    2 => format!("{audit}?from={}&to={}{one}", day(from + long), day(from)),
                    _ => format!("{audit}?from={}{one}", day(from)),
                }
            }
            Self::AuditAsOf => {
                let second = (drawn >> 8) % 86_400;
                let (hours, minutes, seconds) = (second / 3_600, second / 60 % 60, second % 60);
                let day = day(1 + drawn % DAYS);
                format!("{audit}?to={day}T{hours:02}:{minutes:02}:{seconds:02}.5Z{one}")
            }
            Self::Leads => leads_path(drawn),
            Self::LeadViews => "/api/v0/workspace/leads/views".to_owned(),
            Self::DeskList(list) | Self::FinanceList(list) => format!("/api/v0/workspace/{list}"),
        }
    }
}

/// The list as the desk narrows it: by page, status, reason to look, word, day and owner.
fn leads_path(drawn: u64) -> String {
    let leads = "/api/v0/workspace/leads";
    let (page, last) = (1 + (drawn >> 8) % 50, (drawn >> 8) % 10_000);
    let today = chrono::Utc::now().date_naive();
    match drawn % 8 {
        0 => leads.to_owned(),
        1 => format!("{leads}?p={page}"),
        2 => format!("{leads}?status=enquired&p={page}"),
        3 => format!("{leads}?attention=late"),
        4 => format!("{leads}?q=lovelace"),
        5 => format!("{leads}?q=%2B4477009{last:05}"),
        6 => format!("{leads}?created_from={today}&created_to={today}&p={page}"),
        _ => format!("{leads}?q=nothing%20like%20it"),
    }
}

/// A server, and a connection of somebody who is logged in.
pub struct Desk {
    connection: BufReader<TcpStream>,
    cookie: String,
    history: u64,
    /// Goes last.
    running: Running,
}

impl Desk {
    pub fn open(settings: &Settings, data: &Path) -> Result<Self, String> {
        let email = format!("bench-{}@staff.example", LOGINS.fetch_add(1, Ordering::Relaxed));
        succeeded(
            latchkey(&settings.latchkey, data, None).args(["grant", "--email", &email, "--role", "admin"]),
        )?;
        let running =
            started(latchkey(&settings.latchkey, data, None).args(["serve", "--listen", "127.0.0.1:0"]))?;
        let connection = TcpStream::connect(&running.address).map_err(|error| error.to_string())?;
        connection.set_nodelay(true).map_err(|error| error.to_string())?;
        let mut desk = Self {
            connection: BufReader::new(connection),
            cookie: String::new(),
            history: settings.history,
            running,
        };
        desk.call(
            "POST",
            "/api/v0/users/generate_email_otp",
            &json!({ "user": { "email": email } }),
        )?;
        let sent = desk.call("GET", &format!("/dev/outbox?to={email}"), &Value::Null)?;
        let codes = sent["data"].as_array().ok_or("no outbox")?;
        let code = codes.iter().find_map(|message| message["code"].as_str());
        let user = json!({ "user": { "email": email, "otp": code.ok_or("no code")? } });
        desk.call("POST", "/api/v0/users/login_email_otp", &user)?;
        Ok(desk)
    }

    pub fn process(&self) -> u32 {
        self.running.process()
    }

    /// The connection is used up; the server goes on until the desk is let go.
    pub fn ask(&mut self, asked: Asked, time: Duration) -> Result<Figure, String> {
        let lead = if asked.is_of_one_lead() {
            let leads = self.call("GET", "/api/v0/workspace/leads?limit=1", &Value::Null)?;
            leads["data"]["result"][0]["lead_id"]
                .as_str()
                .ok_or("no lead")?
                .to_owned()
        } else {
            String::new()
        };
        let (mut times, mut begun, mut bytes) = (Vec::new(), Instant::now(), 0);
        for number in 0.. {
            if number == WARMING {
                begun = Instant::now();
            }
            let path = asked.path((self.history, &lead), number);
            let sent = Instant::now();
            bytes = self.send("GET", &path, &Value::Null)?.len();
            if number >= WARMING {
                times.push(sent.elapsed());
                if begun.elapsed() >= time {
                    break;
                }
            }
        }
        Ok(Figure::of(times, 0, begun.elapsed()).noting(format!("{} kB", bytes / 1_000)))
    }

    fn call(&mut self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.send(method, path, body)?;
        serde_json::from_slice(&answer).map_err(|error| format!("{path}: {error}"))
    }

    fn send(&mut self, method: &str, path: &str, body: &Value) -> Result<Vec<u8>, String> {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.running.address,
            self.cookie,
            body.len()
        );
        let told = |error: std::io::Error| format!("{path}: {error}");
        self.connection
            .get_mut()
            .write_all(request.as_bytes())
            .map_err(told)?;
        let (mut status, mut length) = (String::new(), 0);
        self.connection.read_line(&mut status).map_err(told)?;
        loop {
            let mut line = String::new();
            self.connection.read_line(&mut line).map_err(told)?;
            let Some((name, value)) = line.trim().split_once(": ") else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap_or_default(),
                "set-cookie" => value
                    .split(';')
                    .next()
                    .unwrap_or_default()
                    .clone_into(&mut self.cookie),
                _ => {}
            }
        }
        let mut answer = vec![0; length];
        self.connection.read_exact(&mut answer).map_err(told)?;
        if status.split(' ').nth(1).is_some_and(|code| code.starts_with('2')) {
            Ok(answer)
        } else {
            Err(format!(
                "{path}: {} {}",
                status.trim(),
                String::from_utf8_lossy(&answer)
            ))
        }
    }
}
