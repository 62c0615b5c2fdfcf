//! Load over HTTP: keep-alive connections, each with one request under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use measure::{Figure, enquiry};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// When it is enough.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    Over(Duration),
    Answered(u64),
}

/// Which leads are sent.
#[derive(Debug, Clone, Copy)]
pub struct Leads {
    /// The number of the first.
    pub first: u64,
    /// The JSON of the lead with a number.
    pub json: fn(u64) -> String,
}

/// Sends leads, each of another person, to `address`, after one over each connection that does not count.
pub fn post_leads(address: &str, connections: usize, until: Until) -> Figure {
    let warming = u64::try_from(connections).unwrap_or_default();
    let mut leads = Leads {
        first: 0,
        json: enquiry::request,
    };
    let warm = post_these(address, connections, leads, Until::Answered(warming));
    if warm.failed > 0 {
        return warm;
    }
    leads.first = warming;
    post_these(address, connections, leads, until)
}

/// Sends these leads, of which all count.
pub fn post_these(address: &str, connections: usize, leads: Leads, until: Until) -> Figure {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime can be made");
    runtime.block_on(async {
        let begun = Instant::now();
        let sent = Arc::new(AtomicU64::new(0));
        let all: Vec<_> = (0..connections)
            .map(|_| {
                tokio::spawn(one_connection(
                    address.to_owned(),
                    sent.clone(),
                    leads,
                    begun,
                    until,
                ))
            })
            .collect();
        let (mut times, mut failed, mut why) = (Vec::new(), 0, None);
        for connection in all {
            let heard = connection.await.expect("a connection ended badly");
            times.extend(heard.times);
            failed += heard.failed;
            why = why.or(heard.why);
        }
        let figure = Figure::of(times, failed, begun.elapsed());
        match why {
            Some(why) => figure.noting(why),
            None => figure,
        }
    })
}

/// What one connection heard.
#[derive(Default)]
struct Heard {
    times: Vec<Duration>,
    failed: u64,
    /// The first answer that was not 201.
    why: Option<String>,
}

async fn one_connection(
    address: String,
    sent: Arc<AtomicU64>,
    leads: Leads,
    begun: Instant,
    until: Until,
) -> Heard {
    let mut heard = Heard::default();
    let mut stream = match TcpStream::connect(&address).await {
        Ok(stream) => stream,
        Err(error) => {
            heard.failed = 1;
            heard.why = Some(error.to_string());
            return heard;
        }
    };
    drop(stream.set_nodelay(true));
    let mut buffer = Vec::with_capacity(16_384);
    loop {
        let number = sent.fetch_add(1, Relaxed);
        let enough = match until {
            Until::Over(time) => begun.elapsed() >= time,
            Until::Answered(count) => number >= count,
        };
        if enough {
            return heard;
        }
        let asked = Instant::now();
        let request = request(&address, leads.first + number, leads.json);
        match answer(&mut stream, &mut buffer, &request).await {
            Ok(()) => heard.times.push(asked.elapsed()),
            Err(why) => {
                heard.failed += 1;
                heard.why.get_or_insert(why);
                // The connection may stand in the middle of an answer.
                return heard;
            }
        }
    }
}

/// A lead as a browser sends it, with the key that makes it count once.
fn request(address: &str, number: u64, json: fn(u64) -> String) -> String {
    let body = json(number);
    let (high, low) = (measure::scattered(number), number);
    format!(
        "POST /api/v0/leads HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         idempotency-key: {:08x}-{:04x}-4{:03x}-8{:03x}-{low:012x}\r\ncontent-length: {}\r\n\r\n{body}",
        high >> 32,
        (high >> 16) & 0xffff,
        (high >> 4) & 0xfff,
        high & 0xfff,
        body.len()
    )
}

/// Sends one request and reads the whole answer, which must be 201.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>, request: &str) -> Result<(), String> {
    stream
        .write_all(request.as_bytes())
        .await
        .map_err(|error| error.to_string())?;
    buffer.clear();
    loop {
        let read = stream.read_buf(buffer).await.map_err(|error| error.to_string())?;
        if read == 0 {
            return Err("the server closed the connection".to_owned());
        }
        if let Some(end) = complete(buffer)? {
            if buffer.starts_with(b"HTTP/1.1 201") {
                return Ok(());
            }
            return Err(String::from_utf8_lossy(&buffer[..end.min(1_200)]).into_owned());
        }
    }
}

/// Where the answer ends, once it is all there.
fn complete(buffer: &[u8]) -> Result<Option<usize>, String> {
    let Some(head) = buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .and_then(|length| length.trim().parse::<usize>().ok())
        .ok_or_else(|| format!("an answer without a length: {text}"))?;
    let end = head + 4 + length;
    Ok((buffer.len() >= end).then_some(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_complete_with_its_last_byte() {
        let answer = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(complete(&answer[..20]), Ok(None));
        assert_eq!(complete(&answer[..answer.len() - 1]), Ok(None));
        assert_eq!(complete(answer), Ok(Some(answer.len())));
        assert!(complete(b"HTTP/1.1 201 Created\r\n\r\n").is_err());
    }

    #[test]
    fn every_request_is_another_command_of_another_person() {
        let of = |number| request("a", number, enquiry::request);
        let (first, second) = (of(1), of(2));
        let line = |text: &str, name: &str| text.lines().find(|it| it.starts_with(name)).map(str::to_owned);
        assert_ne!(line(&first, "idempotency-key"), line(&second, "idempotency-key"));
        assert!(first.contains("s1@example.org") && second.contains("s2@example.org"));
    }
}
