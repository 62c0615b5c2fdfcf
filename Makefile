# Two commands: `make run` and `make test`. Both set up what is missing.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# Where everything is compiled: outside the checkout, so that locked dependencies are compiled once a machine. What is to be
# run is put into target/ of the checkout.
LATCHKEY_TARGET_DIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/latchkey/target
export LATCHKEY_TARGET_DIR
export CARGO_BUILD_BUILD_DIR := $(abspath $(LATCHKEY_TARGET_DIR))
BUILT := $(or $(CARGO_TARGET_DIR),target)

# `make story NAME` and `make try CRATE`: the word after them is theirs, no goal of its own.
LOOPS := story try
ifneq (,$(filter $(LOOPS),$(firstword $(MAKECMDGOALS))))
NAME ?= $(wordlist 2,99,$(MAKECMDGOALS))
%: ; @:
endif

.PHONY: help
help: ## Show the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

.PHONY: run
run: web-build claim ## Build everything and serve http://127.0.0.1:8080
	@echo "latchkey: compiling the server; the first time this takes minutes, later seconds"
	cargo build --profile serve --locked --package api --bin latchkey --no-default-features --features jemalloc
	$(BUILT)/serve/latchkey serve

.PHONY: test
test: ## The gate: check and test everything, browser included
	@scripts/gate

.PHONY: unsteady
unsteady: ## Say which browser tests failed beside others and passed alone, and how often
	@python3 scripts/testqueue unsteady

.PHONY: laws
laws: claim ## Check what holds for all files: lengths, names, papers, texts; seconds
	cargo test --package laws --locked --quiet

.PHONY: dev
dev: web-install setup-build claim ## Serve a debug build at :8080 and its pages with hot reload at http://127.0.0.1:5173
	cargo build --workspace --bin latchkey --locked
	@scripts/dev $(BUILT)/debug/latchkey

.PHONY: story
story: setup claim web-built ## make story NAME: build what it needs and run the stories of that name
	cargo build --workspace --bin latchkey --test it --locked
	cargo test --workspace --test it --locked -- $(or $(NAME),$(error which story? `make story NAME`)) --nocapture

.PHONY: try
try: setup-build claim ## make try CRATE: format, lint and unit tests of one crate
	cargo fmt --package $(or $(NAME),$(error which crate? `make try CRATE`)) --check
	cargo clippy --package $(NAME) --all-targets --locked -- --deny warnings
	cargo test --package $(NAME) --lib --locked --config profile.dev.package.$(NAME).opt-level=0 -- --skip control_

.PHONY: release
release: web-build claim ## Build target/release/latchkey as it is shipped
	cargo build --release --locked --package api --bin latchkey --features jemalloc
	@ls -l $(BUILT)/release/latchkey

# The build folder serves one checkout at a time.
.PHONY: claim
claim:
	@scripts/claim-build-folder "$$CARGO_BUILD_BUILD_DIR"

# The hook is installed for those alone who ask for the set-up.
.PHONY: setup
setup: ## Install what building and testing need, and a hook that checks the form of commit messages
	@scripts/setup
	@$(if $(filter setup,$(MAKECMDGOALS)),scripts/commit-form --install)

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

# Pages carry what the browser loads, so a server needs a built web part; an older one does for most stories.
.PHONY: web-built
web-built:
	@[ -e web/dist/pages.json ] && [ -e web/dist-server/server.js ] || $(MAKE) --no-print-directory web-build

.PHONY: web-browser
web-browser: web-install
	cd web && npm run --silent browser

# The gate takes a share of what each promise asks for. Here are the whole numbers (LATCHKEY_TEST_WHOLE), and those of a release
# where there are any. Each may be another one, `PAYMENT_KILLS=100 make promises`; docs/reference/testing.md says which is whose.
promises: export LATCHKEY_TEST_WHOLE ?= 1
promises: export EVENTLOG_KILLS ?= 1000
promises: export PAYMENT_KILLS ?= 1000
promises: export LATCHKEY_TEST_KILLS ?= 1000
promises: export SIMULATED_WORLDS ?= 100000
promises: export LATCHKEY_TEST_FILE_FAULTS ?= 200
.PHONY: promises
promises: setup web-build claim ## Run what is promised with the numbers of a release, one story after the other; a night
	cargo build --workspace --bins --lib --tests --locked
	cargo test --workspace --lib --locked --no-fail-fast -- --nocapture conformance control_ shape sample
	cargo test --workspace --locked --no-fail-fast --test it -- --test-threads=1 --nocapture
	cd web && npm run --silent browser
	$(MAKE) made-up
	$(MAKE) alerts
	$(MAKE) schedules
	$(MAKE) fuzz
	$(MAKE) mutants
	cargo test --package simulation --locked -- --nocapture

.PHONY: made-up
made-up: setup web-install ## Add a made-up language to a copy, and look for texts that are cut, overlap or are not translated
	@scripts/made-up-language

.PHONY: schedules
schedules: ## Run what threads share in ten thousand orders of its steps
	cargo test --locked -p threads -p eventlog --features threads/schedules,eventlog/schedules --lib schedules::

.PHONY: alerts
alerts: ## Check the rules of docs/operations for Prometheus with its own tool: each rings when it should, and none else
	@scripts/setup alerts
	promtool check rules docs/operations/server-alerts.yml docs/operations/finance-alerts.yml
	promtool test rules tests/alerts.yml

# CASES=2000, SEED=7
.PHONY: fuzz
fuzz: web-build claim ## Send 20,000 generated requests to the server and hold each answer against the served document; an hour
	cargo build --workspace --bins --locked
	test -x $(CARGO_BUILD_BUILD_DIR)/fuzz/bin/schemathesis || python3 -m venv $(CARGO_BUILD_BUILD_DIR)/fuzz
	$(CARGO_BUILD_BUILD_DIR)/fuzz/bin/pip install --quiet --requirement tests/fuzz/requirements.txt
	$(CARGO_BUILD_BUILD_DIR)/fuzz/bin/python tests/fuzz/run.py $(BUILT)/debug/latchkey $(or $(CASES),20000) $(SEED)

.PHONY: mutants
mutants: setup-build claim ## Change the rules of money and stock in 800 ways and count the changes that unit tests notice; two hours
	test -x $(CARGO_BUILD_BUILD_DIR)/mutants/bin/cargo-mutants || cargo install cargo-mutants --version 27.1.0 --locked --root $(CARGO_BUILD_BUILD_DIR)/mutants
	CARGO_MUTANTS=$(CARGO_BUILD_BUILD_DIR)/mutants/bin/cargo-mutants scripts/mutants

.PHONY: contract
contract: web-install claim ## Write what is generated: the OpenAPI document, the browser's types, permissions.md, step tables, twins of migrations, paths of the workspace
	LATCHKEY_WRITE_CONTRACT=1 cargo test --package laws --locked --quiet -- migrations
	cargo build --workspace --bin latchkey --locked
	$(BUILT)/debug/latchkey contract > web/src/contract/openapi.json
	cd web && npx vitest run src/contract/served.test.ts src/workspace/router.test.ts --update
	LATCHKEY_WRITE_CONTRACT=1 cargo test --package domain --package api --lib --locked -- step_table page_of_permissions countries_without_postcodes

# CLDR's packages are 170 MB: they are fetched for this alone, in the version that the generator pins.
.PHONY: languages
languages: ## Write i18n/<language>/forms.json anew from CLDR, after a change of its version, of the table or of the overrides
	folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT \
	  && npm install --prefix "$$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
	    $$(node web/build/languages.mjs --packages) \
	  && node web/build/languages.mjs "$$folder/node_modules"

# ROUNDS, SECONDS, ONLY=G1,G4, EVENTS, ROWS, HOT_LEADS, HISTORY, PAYMENTS, RECORD=1; docs/benchmarks.md explains them.
.PHONY: bench
bench: ## Measure the log against its goals and its rivals; an hour or two on a quiet machine
	@benches/bench $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(EVENTS),--events $(EVENTS)) $(if $(TABLE_EVENTS),--table-events $(TABLE_EVENTS)) $(if $(PAYMENTS),--payments $(PAYMENTS)) $(if $(HISTORY),--history $(HISTORY)) $(if $(ROWS),--rows $(ROWS)) \
	  $(if $(LEADS),--leads $(LEADS)) $(if $(LISTED_LEADS),--listed-leads $(LISTED_LEADS)) $(if $(HOT_LEADS),--hot-leads $(HOT_LEADS)) $(if $(DISK),--disk $(DISK)) \
	  $(if $(PROFILE),--profile $(PROFILE)) $(if $(LATCHKEY),--latchkey $(LATCHKEY)) $(if $(BESIDE),--beside $(BESIDE)) $(if $(RECORD),--record)
