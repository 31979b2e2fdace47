//! A client that sends what it is given and reads answers as they are framed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Time that an answer may take: a hang is a failure.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub trailers: Vec<(String, String)>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(at, _)| at == name);
        found.map(|(_, value)| &**value)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

pub struct Client {
    pub stream: BufReader<TcpStream>,
}

impl Client {
    pub fn to(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Client {
            stream: BufReader::new(stream),
        }
    }

    /// A client of another address of loopback.
    pub fn from(own: [u8; 4], address: SocketAddr) -> Client {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build();
        let connecting = async {
            let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
            socket
                .bind((own, 0).into())
                .expect("an address of loopback");
            socket
                .connect(address)
                .await
                .expect("it listens")
                .into_std()
        };
        let stream = runtime.expect("a runtime").block_on(connecting);
        let stream = stream.expect("a socket");
        stream.set_nonblocking(false).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        Client {
            stream: BufReader::new(stream),
        }
    }

    /// Sends `line` without its version, headers and a body with its length.
    pub fn ask(&mut self, line: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut head = format!("{line} HTTP/1.1\r\n");
        if !headers
            .iter()
            .any(|line| line.to_ascii_lowercase().starts_with("host:"))
        {
            head.push_str("Host: ignored.example\r\n");
        }
        for line in headers {
            head.push_str(line);
            head.push_str("\r\n");
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.send(format!("{head}\r\n").as_bytes());
        self.send(body);
        self.read(line.starts_with("HEAD "))
    }

    pub fn send(&mut self, bytes: &[u8]) {
        // A server may refuse before it has read all.
        let _ = self.stream.get_mut().write_all(bytes);
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }

    fn fields(&mut self) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                return fields;
            };
            fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    /// The head of an answer.
    pub fn head(&mut self) -> Answer {
        let line = self.line();
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("no answer: {line:?}")),
            headers: self.fields(),
            body: Vec::new(),
            trailers: Vec::new(),
        }
    }

    pub fn read(&mut self, is_head: bool) -> Answer {
        let mut answer = self.head();
        if is_head || matches!(answer.status, 204 | 304) {
            return answer;
        }
        if answer.header("transfer-encoding") == Some("chunked") {
            loop {
                let size = self.line();
                let size = usize::from_str_radix(&size, 16).expect("a size");
                if size == 0 {
                    break;
                }
                let mut piece = vec![0; size];
                self.stream.read_exact(&mut piece).expect("a piece");
                answer.body.extend_from_slice(&piece);
                assert_eq!(self.line(), "");
            }
            answer.trailers = self.fields();
        } else if let Some(length) = answer.header("content-length") {
            answer.body = vec![0; length.parse().expect("a length")];
            self.stream.read_exact(&mut answer.body).expect("the body");
        } else {
            let _ = self.stream.read_to_end(&mut answer.body);
        }
        answer
    }
}
