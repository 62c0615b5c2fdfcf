//! The binary `latchkey`: HTTP, wiring, gateways, command line.
