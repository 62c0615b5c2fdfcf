# Two commands: `make run` and `make test`. Both set up what is missing.
.DEFAULT_GOAL := help
SHELL := /bin/bash

.PHONY: help
help: ## Show the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: run
run: web-build ## Build everything and serve http://127.0.0.1:8080
	cargo run --release --package api --bin latchkey -- serve

.PHONY: test
test: setup rust-lint web-check web-build rust-test web-browser ## Check and test everything, browser included
	@echo "all checks passed"

.PHONY: setup
setup:
	@scripts/setup

.PHONY: web-install
web-install: web/node_modules/.installed

# Not `npm ci`: some registries do not carry every optional package of another platform, which `ci` insists on.
web/node_modules/.installed: web/package-lock.json
	cd web && npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

.PHONY: web-build
web-build: setup-build web-install
	cd web && npm run --silent build

.PHONY: setup-build
setup-build:
	@scripts/setup build

.PHONY: web-check
web-check: web-install
	cd web && npm run --silent check && npm run --silent lint && npm test --silent

.PHONY: web-browser
web-browser: web-install
	cd web && npm run --silent browser

.PHONY: rust-lint
rust-lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings

# The stories drive the real binary, so it is built first; optimised, because they ask it a million times.
.PHONY: rust-test
rust-test:
	CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo build --workspace --bins --locked
	cargo test --workspace --locked --no-fail-fast
	$(MAKE) schedules

# Every run takes the numbers of a change; these are the numbers of a release (RELIABILITY's N). Each may be another one,
# `PAYMENT_KILLS=100 make promises`; the README says which is whose.
promises: export EVENTLOG_KILLS ?= 1000
promises: export PAYMENT_KILLS ?= 1000
promises: export LATCHKEY_TEST_KILLS ?= 1000
promises: export SIMULATED_WORLDS ?= 100000
promises: export LATCHKEY_TEST_FILE_FAULTS ?= 200
.PHONY: promises
promises: setup ## Run what is promised with the numbers of a release, one story after the other; a night
	CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo build --workspace --bins --locked
	cargo test --locked -p eventlog --lib --no-fail-fast -- --nocapture killing power twenty_crashes twenty_cuts tampering the_last_day
	cargo test --locked -p simulation
	cargo test --locked -p domain --lib -- shape sample
	cargo test --workspace --locked --no-fail-fast --test it -- --test-threads=1 --nocapture payment_kill log_kill io_faults file_faults \
	  full_disk lost_database storms notices mail_kill clock backup forgetting read_models proof:: an_event_of_before
	$(MAKE) schedules

.PHONY: schedules
schedules: ## Run what threads share in ten thousand orders of its steps
	cargo test --locked -p threads -p eventlog --features threads/schedules,eventlog/schedules --lib schedules::

.PHONY: contract
contract: web-install ## Write the OpenAPI document and the browser's types from it
	cargo build --workspace --bins
	$${CARGO_TARGET_DIR:-target}/debug/latchkey contract > web/src/contract/openapi.json
	cd web && npx vitest run src/contract/served.test.ts --update

# ROUNDS, SECONDS, ONLY=G1,G4, EVENTS, ROWS, HOT_LEADS, HISTORY, PAYMENTS, RECORD=1; docs/benchmarks.md explains them.
.PHONY: bench
bench: ## Measure the log against its goals and its rivals; an hour or two on a quiet machine
	@benches/bench $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(EVENTS),--events $(EVENTS)) $(if $(TABLE_EVENTS),--table-events $(TABLE_EVENTS)) $(if $(PAYMENTS),--payments $(PAYMENTS)) $(if $(HISTORY),--history $(HISTORY)) $(if $(ROWS),--rows $(ROWS)) \
	  $(if $(LEADS),--leads $(LEADS)) $(if $(HOT_LEADS),--hot-leads $(HOT_LEADS)) $(if $(DISK),--disk $(DISK)) \
	  $(if $(PROFILE),--profile $(PROFILE)) $(if $(LATCHKEY),--latchkey $(LATCHKEY)) $(if $(RECORD),--record)
