//! What travels to a database server: encrypted, or plain where nobody is in between or somebody said that it may be.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connect::prepared;
use eventlog::LogError;

type Stream = <MakeRustlsConnect as tokio_postgres::tls::MakeTlsConnect<Socket>>::Stream;

/// Where a database is, and how it is spoken to. A cheap handle.
#[derive(Clone)]
pub(super) struct Address {
    config: Config,
    tls: MakeRustlsConnect,
}

/// How much is asked of a server before it is told anything.
enum Trust {
    /// Not even that nobody listens.
    Plain,
    /// Nobody listens; who the server is, is not asked.
    Anybody,
    /// It is who the address says, by the word of these.
    Known(RootCertStore),
}

impl Address {
    /// Reads the address of a database. What it says may be a secret, so a refusal does not repeat it.
    pub(super) fn read(url: &str) -> Result<Self, LogError> {
        let (rest, mode, roots) = split(url);
        let mut config = prepared(&rest)?;
        let trust = trust(&config, mode.as_deref(), roots.as_deref())?;
        config.ssl_mode(match trust {
            Trust::Plain => SslMode::Disable,
            Trust::Anybody | Trust::Known(_) => SslMode::Require,
        });
        let tls = MakeRustlsConnect::new(client(trust)?);
        Ok(Self { config, tls })
    }

    pub(super) async fn connect(
        &self,
    ) -> Result<(Client, Connection<Socket, Stream>), tokio_postgres::Error> {
        self.config.connect(self.tls.clone()).await
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }
}

/// The address without what it says of encryption, and that.
fn split(url: &str) -> (String, Option<String>, Option<String>) {
    let Some((place, query)) = url.split_once('?') else {
        return (url.to_owned(), None, None);
    };
    let (mut mode, mut roots) = (None, None);
    let mut others = Vec::new();
    for pair in query.split('&') {
        match form_urlencoded::parse(pair.as_bytes()).next() {
            Some((name, value)) if name == "sslmode" => mode = Some(value.into_owned()),
            Some((name, value)) if name == "sslrootcert" => roots = Some(value.into_owned()),
            _ => others.push(pair),
        }
    }
    let rest = if others.is_empty() {
        place.to_owned()
    } else {
        format!("{place}?{}", others.join("&"))
    };
    (rest, mode, roots)
}

fn trust(config: &Config, mode: Option<&str>, roots: Option<&str>) -> Result<Trust, LogError> {
    let refused = |why: &str| Err(LogError::Refused(why.to_owned()));
    match (mode, roots) {
        (Some("verify-full"), Some(file)) => Ok(Trust::Known(in_file(Path::new(file))?)),
        (Some("verify-full"), None) => Ok(Trust::Known(of_the_system()?)),
        (_, Some(_)) => refused("`sslrootcert` is looked at with `sslmode=verify-full` alone: write both"),
        (Some("require"), None) => Ok(Trust::Anybody),
        (Some("disable"), None) => Ok(Trust::Plain),
        (Some(_), None) => refused("`sslmode` takes `verify-full`, `require` or `disable`"),
        (None, None) if is_here(config) => Ok(Trust::Plain),
        (None, None) => refused(
            "the database server is another machine, and what is said to it would not be encrypted: add \
             `?sslmode=verify-full&sslrootcert=FILE` to its address (the file holds the certificate that signed the server's), \
             or `?sslmode=disable` if nobody else can be on the way",
        ),
    }
}

/// Whether nobody can be in between: a socket, or this machine's own network.
fn is_here(config: &Config) -> bool {
    let named = config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        Host::Unix(_) => true,
    });
    named && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

fn in_file(file: &Path) -> Result<RootCertStore, LogError> {
    let unusable = |why: String| {
        LogError::Refused(format!(
            "the certificates of `sslrootcert`, `{}`, cannot be used: {why}",
            file.display()
        ))
    };
    let mut roots = RootCertStore::empty();
    let found = CertificateDer::pem_file_iter(file).map_err(|error| unusable(error.to_string()))?;
    for certificate in found {
        let certificate = certificate.map_err(|error| unusable(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| unusable(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(unusable("it holds none".to_owned()));
    }
    Ok(roots)
}

fn of_the_system() -> Result<RootCertStore, LogError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(LogError::Refused(
            "this system knows no certificates to trust: name some with `sslrootcert`".to_owned(),
        ));
    }
    Ok(roots)
}

fn client(trust: Trust) -> Result<ClientConfig, LogError> {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| LogError::Refused(error.to_string()))?;
    Ok(match trust {
        Trust::Known(roots) => config.with_root_certificates(roots).with_no_client_auth(),
        Trust::Plain => config
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
        Trust::Anybody => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unasked(provider)))
            .with_no_client_auth(),
    })
}

/// Takes any server's certificate, whose key the server must have all the same.
#[derive(Debug)]
struct Unasked(Arc<CryptoProvider>);

impl ServerCertVerifier for Unasked {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> Result<SslMode, String> {
        Address::read(url)
            .map(|address| address.config().get_ssl_mode())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_server_on_this_machine_is_spoken_to_as_it_is() {
        for host in ["localhost", "127.0.0.1", "[::1]:5433", "%2Fvar%2Frun"] {
            assert_eq!(
                mode(&format!("postgres://ada@{host}/log")),
                Ok(SslMode::Disable),
                "{host}"
            );
        }
        assert_eq!(mode("postgres:///log?user=ada&host=/tmp"), Ok(SslMode::Disable));
    }

    /// Nothing is said in the clear to another machine unless somebody wrote it.
    #[test]
    fn postgres_without_tls_is_refused_unless_written_out() {
        for url in [
            "postgres://ada@db.example.org/log",
            "postgres://ada@10.0.0.7/log?application_name=localhost",
            "postgres:///log?host=localhost,db.example.org",
        ] {
            let said = mode(url).expect_err(url);
            assert!(
                said.contains("sslmode=verify-full") && said.contains("sslmode=disable"),
                "{said}"
            );
        }
        assert_eq!(
            mode("postgres://ada@db.example.org/log?sslmode=disable"),
            Ok(SslMode::Disable)
        );
        assert_eq!(
            mode("postgres://ada@db.example.org/log?sslmode=require"),
            Ok(SslMode::Require)
        );
        for weak in ["prefer", "allow", "verify-ca", "", "Require"] {
            let said = mode(&format!("postgres://ada@localhost/log?sslmode={weak}")).expect_err(weak);
            assert!(said.contains("`require`"), "{said}");
        }
    }

    #[test]
    fn roots_that_are_not_looked_at_are_refused() {
        let said = mode("postgres://ada@db/log?sslmode=require&sslrootcert=/tmp/ca.crt").expect_err("both");
        assert!(said.contains("verify-full"), "{said}");
        let said =
            mode("postgres://ada@db/log?sslmode=verify-full&sslrootcert=/no/such%20file").expect_err("none");
        assert!(said.contains("`/no/such file`"), "{said}");
    }
}
