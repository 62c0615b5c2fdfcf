//! nginx in front of a server, with its own defaults for everything that is not named here; stopped with the story.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use crate::port::free_address;

/// Where Debian puts it, which is no folder of a person's `PATH`.
const PLACES: [&str; 2] = ["nginx", "/usr/sbin/nginx"];
/// The line that it prints once it listens.
const LISTENS: &str = "event method";

/// A running nginx.
pub struct Nginx {
    child: Child,
    _folder: tempfile::TempDir,
    /// Passes on what it has read whole, as nginx does by default.
    pub buffering: SocketAddr,
    /// Passes on what it reads at once (`proxy_request_buffering off`).
    pub passing: SocketAddr,
    /// As docs/operations/nginx.conf has it, but without a certificate.
    pub documented: SocketAddr,
}

impl Nginx {
    /// Starts one before `server`.
    ///
    /// # Panics
    /// When nginx is missing (`make setup` installs it) or does not listen.
    pub fn before(server: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let [buffering, passing, documented] = [(); 3].map(|()| free_address());
        let file = folder.path().join("nginx.conf");
        let written = std::fs::write(&file, configuration(server, buffering, passing, documented));
        written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let start = |program: &str| {
            let mut command = Command::new(program);
            command.arg("-p").arg(folder.path()).arg("-c").arg(&file);
            command
                .arg("-e")
                .arg("stderr")
                .stderr(Stdio::piped())
                .spawn()
                .ok()
        };
        let child = PLACES.into_iter().find_map(start);
        let mut child =
            child.unwrap_or_else(|| panic!("nginx is missing: run `make setup`, which installs it"));
        let said = child.stderr.take().map(BufReader::new).into_iter();
        let mut said = said.flat_map(|said| said.lines().map_while(Result::ok));
        let mut before = Vec::new();
        let listens = said.any(|line| {
            let is_told = line.contains(LISTENS);
            before.push(line);
            is_told
        });
        assert!(listens, "nginx did not start:\n{}", before.join("\n"));
        // What it says later is read, so that it never waits for room.
        std::thread::spawn(move || said.for_each(drop));
        Self {
            child,
            _folder: folder,
            buffering,
            passing,
            documented,
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _already_gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// One process in the foreground, with its temporary files in its own folder, and a largest body above the server's.
fn configuration(
    server: SocketAddr,
    buffering: SocketAddr,
    passing: SocketAddr,
    documented: SocketAddr,
) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {kind};\n"))
        .concat();
    let front = |address: SocketAddr, more: &str| {
        format!("server {{ listen {address}; location / {{ proxy_pass http://{server}; {more} }} }}\n")
    };
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr notice;\nevents {{}}\n\
         http {{\naccess_log off;\nclient_max_body_size 20m;\n{temporary}{}{}{}}}\n",
        front(buffering, ""),
        front(passing, "proxy_request_buffering off; proxy_http_version 1.1;"),
        as_documented(server, documented),
    )
}

/// The first server of the file in docs/, at other addresses.
fn as_documented(server: SocketAddr, address: SocketAddr) -> String {
    let file = include_str!("../../docs/operations/nginx.conf");
    let (first, _) = file.split_once("\n}\n").unwrap_or((file, ""));
    let first = first.replace("listen 443 ssl;", &format!("listen {address};"));
    let first = first.replace("http://127.0.0.1:8080", &format!("http://{server}"));
    let plain = first
        .lines()
        .filter(|line| !line.trim_start().starts_with("ssl_certificate"));
    plain.chain(["}\n"]).collect::<Vec<_>>().join("\n")
}
