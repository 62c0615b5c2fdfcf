//! A mail server of a story's own: aiosmtpd on a free port, stopped with the story.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::said::Said;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/mail_server.py");

/// A running mail server.
pub struct MailServer {
    child: Child,
    /// Where it listens.
    pub port: u16,
    _said: Said,
}

impl MailServer {
    /// Starts one and gives every line that it says to `heard`, on a thread of its own.
    ///
    /// # Panics
    /// When aiosmtpd is missing.
    pub fn start(options: &[&str], mut heard: impl FnMut(&str) + Send + 'static) -> Self {
        let kept = Said::begin();
        let mut child = Command::new(python())
            .arg(SCRIPT)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(kept.stdio())
            .spawn()
            .unwrap_or_else(|error| panic!("python3 did not start: {error}"));
        let mut first = String::new();
        let mut said = child.stdout.take().map(BufReader::new);
        let read = said.as_mut().map(|said| said.read_line(&mut first));
        let port = first
            .split_once("\"port\": ")
            .and_then(|(_, rest)| rest.trim().trim_end_matches('}').parse().ok());
        let (Some(Ok(_)), Some(port), Some(said)) = (read, port, said) else {
            let _already_gone = child.kill();
            let _reaped = child.wait();
            panic!("aiosmtpd did not start");
        };
        std::thread::spawn(move || {
            for line in said.lines().map_while(Result::ok) {
                heard(&line);
            }
        });
        Self {
            child,
            port,
            _said: kept,
        }
    }

    /// As a setting.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// A Python that has aiosmtpd: Debian's own, where another stands before it.
fn python() -> &'static str {
    let has_it = |python: &&str| {
        let asked = Command::new(python).args(["-c", "import aiosmtpd"]).output();
        asked.is_ok_and(|asked| asked.status.success())
    };
    ["python3", "/usr/bin/python3"]
        .into_iter()
        .find(has_it)
        .unwrap_or_else(|| {
            panic!("aiosmtpd is missing: run `make setup`, or apt-get install python3-aiosmtpd")
        })
}

/// A certificate for `localhost`, signed by itself, and its key: `certificate.pem` and `key.pem` in `folder`.
///
/// # Panics
/// When openssl is missing.
pub fn certificate(folder: &Path) {
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args([
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(folder)
        .output();
    let made = made.unwrap_or_else(|error| panic!("openssl did not start: {error}"));
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}
