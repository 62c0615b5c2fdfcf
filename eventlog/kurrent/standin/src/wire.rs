//! The messages of KurrentDB's published protocol that a client of this house sends and gets: `streams.proto`,
//! `shared.proto`, `serverfeatures.proto` and `gossip.proto` of the KurrentDB clients (MIT), written down by hand so that no
//! protobuf compiler is needed. What is not asked for here is left out, which the wire format allows.

use std::collections::HashMap;

use bytes::Bytes;
use prost::{Message, Oneof};

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Empty {}

#[derive(Clone, PartialEq, Message)]
pub struct StreamIdentifier {
    #[prost(bytes = "bytes", tag = "3")]
    pub stream_name: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct Uuid {
    #[prost(oneof = "UuidValue", tags = "1, 2")]
    pub value: Option<UuidValue>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum UuidValue {
    #[prost(message, tag = "1")]
    Structured(Structured),
    #[prost(string, tag = "2")]
    Text(String),
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Structured {
    #[prost(int64, tag = "1")]
    pub most: i64,
    #[prost(int64, tag = "2")]
    pub least: i64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Position {
    #[prost(uint64, tag = "1")]
    pub commit: u64,
    #[prost(uint64, tag = "2")]
    pub prepare: u64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Timestamp {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadReq {
    #[prost(message, optional, tag = "1")]
    pub options: Option<ReadOptions>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadOptions {
    #[prost(oneof = "Source", tags = "1, 2")]
    pub source: Option<Source>,
    /// 0 forwards, 1 backwards.
    #[prost(int32, tag = "3")]
    pub direction: i32,
    #[prost(oneof = "Count", tags = "5, 6")]
    pub count: Option<Count>,
    #[prost(message, optional, tag = "7")]
    pub filter: Option<Filter>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Source {
    #[prost(message, tag = "1")]
    Stream(StreamOptions),
    #[prost(message, tag = "2")]
    All(AllOptions),
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum Count {
    #[prost(uint64, tag = "5")]
    Count(u64),
    #[prost(message, tag = "6")]
    Subscription(Empty),
}

#[derive(Clone, PartialEq, Message)]
pub struct StreamOptions {
    #[prost(message, optional, tag = "1")]
    pub stream: Option<StreamIdentifier>,
    #[prost(oneof = "FromRevision", tags = "2, 3, 4")]
    pub from: Option<FromRevision>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum FromRevision {
    #[prost(uint64, tag = "2")]
    Revision(u64),
    #[prost(message, tag = "3")]
    Start(Empty),
    #[prost(message, tag = "4")]
    End(Empty),
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct AllOptions {
    #[prost(oneof = "FromPosition", tags = "1, 2, 3")]
    pub from: Option<FromPosition>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum FromPosition {
    #[prost(message, tag = "1")]
    Position(Position),
    #[prost(message, tag = "2")]
    Start(Empty),
    #[prost(message, tag = "3")]
    End(Empty),
}

#[derive(Clone, PartialEq, Message)]
pub struct Filter {
    #[prost(oneof = "FilterOn", tags = "1, 2")]
    pub on: Option<FilterOn>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum FilterOn {
    #[prost(message, tag = "1")]
    Stream(Expression),
    #[prost(message, tag = "2")]
    EventType(Expression),
}

#[derive(Clone, PartialEq, Message)]
pub struct Expression {
    #[prost(string, tag = "1")]
    pub regex: String,
    #[prost(string, repeated, tag = "2")]
    pub prefix: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadResp {
    #[prost(oneof = "Content", tags = "1, 2, 3, 4, 8")]
    pub content: Option<Content>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Content {
    #[prost(message, tag = "1")]
    Event(ReadEvent),
    #[prost(message, tag = "2")]
    Confirmation(Confirmation),
    #[prost(message, tag = "3")]
    Checkpoint(Checkpoint),
    #[prost(message, tag = "4")]
    NotFound(NotFound),
    #[prost(message, tag = "8")]
    CaughtUp(CaughtUp),
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadEvent {
    #[prost(message, optional, tag = "1")]
    pub event: Option<Recorded>,
    #[prost(uint64, optional, tag = "3")]
    pub commit: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Recorded {
    #[prost(message, optional, tag = "1")]
    pub id: Option<Uuid>,
    #[prost(message, optional, tag = "2")]
    pub stream: Option<StreamIdentifier>,
    #[prost(uint64, tag = "3")]
    pub revision: u64,
    #[prost(uint64, tag = "4")]
    pub prepare: u64,
    #[prost(uint64, tag = "5")]
    pub commit: u64,
    #[prost(map = "string, string", tag = "6")]
    pub metadata: HashMap<String, String>,
    #[prost(bytes = "bytes", tag = "7")]
    pub custom_metadata: Bytes,
    #[prost(bytes = "bytes", tag = "8")]
    pub payload: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct Confirmation {
    #[prost(string, tag = "1")]
    pub subscription: String,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Checkpoint {
    #[prost(uint64, tag = "1")]
    pub commit: u64,
    #[prost(uint64, tag = "2")]
    pub prepare: u64,
}

#[derive(Clone, PartialEq, Message)]
pub struct NotFound {
    #[prost(message, optional, tag = "1")]
    pub stream: Option<StreamIdentifier>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct CaughtUp {
    #[prost(message, optional, tag = "1")]
    pub at: Option<Timestamp>,
    #[prost(message, optional, tag = "3")]
    pub position: Option<Position>,
}

#[derive(Clone, PartialEq, Message)]
pub struct AppendReq {
    #[prost(oneof = "Appending", tags = "1, 2")]
    pub content: Option<Appending>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Appending {
    #[prost(message, tag = "1")]
    Options(AppendOptions),
    #[prost(message, tag = "2")]
    Proposed(Proposed),
}

#[derive(Clone, PartialEq, Message)]
pub struct AppendOptions {
    #[prost(message, optional, tag = "1")]
    pub stream: Option<StreamIdentifier>,
    #[prost(oneof = "Expected", tags = "2, 3, 4, 5")]
    pub expected: Option<Expected>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum Expected {
    #[prost(uint64, tag = "2")]
    Revision(u64),
    #[prost(message, tag = "3")]
    NoStream(Empty),
    #[prost(message, tag = "4")]
    Any(Empty),
    #[prost(message, tag = "5")]
    Exists(Empty),
}

#[derive(Clone, PartialEq, Message)]
pub struct Proposed {
    #[prost(message, optional, tag = "1")]
    pub id: Option<Uuid>,
    #[prost(map = "string, string", tag = "2")]
    pub metadata: HashMap<String, String>,
    #[prost(bytes = "bytes", tag = "3")]
    pub custom_metadata: Bytes,
    #[prost(bytes = "bytes", tag = "4")]
    pub payload: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct AppendResp {
    #[prost(oneof = "AppendResult", tags = "1, 2")]
    pub result: Option<AppendResult>,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum AppendResult {
    #[prost(message, tag = "1")]
    Success(Success),
    #[prost(message, tag = "2")]
    Wrong(WrongExpectedVersion),
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Success {
    #[prost(uint64, optional, tag = "1")]
    pub revision: Option<u64>,
    #[prost(message, optional, tag = "3")]
    pub position: Option<Position>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct WrongExpectedVersion {
    #[prost(oneof = "Current", tags = "6, 7")]
    pub current: Option<Current>,
    #[prost(oneof = "Wanted", tags = "8, 9, 10, 11")]
    pub wanted: Option<Wanted>,
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum Current {
    #[prost(uint64, tag = "6")]
    Revision(u64),
    #[prost(message, tag = "7")]
    NoStream(Empty),
}

#[derive(Clone, Copy, PartialEq, Oneof)]
pub enum Wanted {
    #[prost(uint64, tag = "8")]
    Revision(u64),
    #[prost(message, tag = "9")]
    Any(Empty),
    #[prost(message, tag = "10")]
    Exists(Empty),
    #[prost(message, tag = "11")]
    NoStream(Empty),
}

#[derive(Clone, PartialEq, Message)]
pub struct SupportedMethods {
    #[prost(message, repeated, tag = "1")]
    pub methods: Vec<SupportedMethod>,
    #[prost(string, tag = "2")]
    pub version: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct SupportedMethod {
    #[prost(string, tag = "1")]
    pub method: String,
    #[prost(string, tag = "2")]
    pub service: String,
    #[prost(string, repeated, tag = "3")]
    pub features: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ClusterInfo {
    #[prost(message, repeated, tag = "1")]
    pub members: Vec<Member>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Member {
    #[prost(message, optional, tag = "1")]
    pub id: Option<Uuid>,
    /// 8 is the leader.
    #[prost(int32, tag = "3")]
    pub state: i32,
    #[prost(bool, tag = "4")]
    pub alive: bool,
    #[prost(message, optional, tag = "5")]
    pub address: Option<EndPoint>,
}

#[derive(Clone, PartialEq, Message)]
pub struct EndPoint {
    #[prost(string, tag = "1")]
    pub host: String,
    #[prost(uint32, tag = "2")]
    pub port: u32,
}

impl Uuid {
    /// The id itself.
    pub fn value(&self) -> uuid::Uuid {
        match &self.value {
            Some(UuidValue::Structured(halves)) => {
                uuid::Uuid::from_u64_pair(halves.most.cast_unsigned(), halves.least.cast_unsigned())
            }
            Some(UuidValue::Text(text)) => text.parse().unwrap_or_default(),
            None => uuid::Uuid::nil(),
        }
    }
}

impl From<uuid::Uuid> for Uuid {
    fn from(id: uuid::Uuid) -> Self {
        Self {
            value: Some(UuidValue::Text(id.to_string())),
        }
    }
}
