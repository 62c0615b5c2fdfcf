# syntax=docker/dockerfile:1
# A small image of the server: docker build --tag latchkey .
# It listens on every address of its container, so the developers' tools and the demo catalogue are off (docs/operations.md).

FROM node:22-trixie-slim AS web
WORKDIR /src
COPY web/package.json web/package-lock.json web/
RUN --mount=type=cache,target=/root/.npm \
    cd web && npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
# The build reads the texts, and the cities of the demo catalogue whose pictures it paints.
COPY i18n i18n
COPY catalogue/facts catalogue/facts
COPY artwork artwork
COPY web web
RUN cd web && npm run --silent build

FROM rust:1.95-trixie AS server
WORKDIR /src
# The image's own compiler, without the components that only checks need.
ENV RUSTUP_TOOLCHAIN=1.95.0
COPY . .
COPY --from=web /src/web/dist web/dist
COPY --from=web /src/web/dist-server web/dist-server
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked --package api --bin latchkey --features jemalloc \
    && cp target/release/latchkey /latchkey

FROM debian:trixie-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin latchkey \
    && install --directory --owner=latchkey --mode=0700 /data
COPY --from=server /latchkey /usr/local/bin/latchkey
COPY LICENSE-MIT LICENSE-APACHE NOTICE /usr/share/doc/latchkey/
USER latchkey
ENV LATCHKEY_LISTEN=0.0.0.0:8080 LATCHKEY_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
# bash speaks TCP itself, so the image needs no HTTP client.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["latchkey"]
CMD ["serve"]
