// Serves dist/ and dist-server/ with made-up pages, in the place of the real binary: `node dev/serve.mjs [port]`.
// PICTURES may name folders with pictures, separated by colons. With BACKEND=http://… pages and calls come from a running
// server and only the bundles are ours.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import vm from "node:vm";
import * as fixtures from "./fixtures.mjs";
import { propertyPage } from "./propertyFixture.mjs";

const types = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".json": "application/json",
};
const backend = process.env.BACKEND ?? "";
const pictures = (process.env.PICTURES ?? "").split(":").filter(Boolean);
const placeholder =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#C9E4E2"/></svg>';

// As bare as QuickJS: what the bundle needs it must bring.
function renderer() {
  const context = vm.createContext(Object.create(null));
  vm.runInContext("delete globalThis.Intl; delete globalThis.console", context);
  vm.runInContext(readFileSync("dist-server/server.js", "utf8"), context);
  return (payload) => {
    context.payload = JSON.stringify(payload);
    try {
      return vm.runInContext("render(payload)", context);
    } catch (error) {
      console.error("not rendered on the server:", String(error));
      return "";
    }
  };
}

function payloadFor(url) {
  const { pathname, searchParams } = new URL(url, "http://x");
  const lang = searchParams.get("lang") === "zh" ? "zh" : "en";
  if (pathname === "/") return fixtures.homePage(url, lang);
  if (pathname.startsWith("/places/search/")) return fixtures.searchPage(url, lang);
  if (/^\/places\/[^/]+$/.test(pathname)) return propertyPage(url, lang);
  return fixtures.notFoundPage(url, lang);
}

function html(payload, body) {
  const { entry } = JSON.parse(readFileSync("dist/pages.json", "utf8"));
  const { pages } = JSON.parse(readFileSync("dist/pages.json", "utf8"));
  const files = pages[payload.route];
  const styles = files.styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join("");
  const json = JSON.stringify(payload).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="${payload.chrome.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${payload.head.title}</title>${styles}<link rel="icon" href="/assets/favicon.svg"><script type="module" src="/${entry}"></script></head><body><div id="root">${body}</div><script type="application/json" id="page-payload">${json}</script></body></html>`;
}

function api(url) {
  const { pathname, searchParams } = new URL(url, "http://x");
  if (pathname.endsWith("/search/suggest")) return fixtures.suggest(searchParams.get("q") ?? "");
  if (pathname.endsWith("/user_history"))
    return {
      enquired: false,
      waitlisted: false,
      contacted: false,
      book_form_initiated: false,
      book_form_completed: false,
      payment_initiated: false,
      payment_completed: false,
      shortlisted: false,
      lead_uuid: null,
      form_uuid: null,
      payment_token: null,
    };
  return null;
}

async function textOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Hands a request on to the running server: pages as payloads, everything else as it is. */
async function handOn(request) {
  const { pathname } = new URL(request.url, "http://x");
  const isPage = request.method === "GET" && !/^\/(assets|api|_page|pictures|dev)\b/.test(pathname);
  const wanted = isPage ? `${backend}/_page?url=${encodeURIComponent(request.url)}` : backend + request.url;
  const body = request.method === "GET" ? undefined : await textOf(request);
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const answer = await fetch(wanted, {
    method: request.method,
    headers: { ...headers, "accept-encoding": "identity" },
    body,
    redirect: "manual",
  });
  if (!isPage) return { answer };
  const payload = await answer.json();
  return { payload: payload.data ?? payload };
}

/** Starts the server; answers its port and how to stop it. */
export function serve(port = 0) {
  const render = renderer();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
    const json = (status, body) => send(status, "application/json", JSON.stringify(body));
    const file = join("dist", pathname);
    if (backend && !(pathname.startsWith("/assets/") && existsSync(file))) {
      const { answer, payload } = await handOn(request);
      if (!answer)
        return payload.redirect
          ? response.writeHead(302, { location: payload.redirect }).end()
          : send(payload.status, "text/html; charset=utf-8", html(payload, render(payload)));
      const cookies = answer.headers.getSetCookie();
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "text/plain",
        ...(cookies.length > 0 ? { "set-cookie": cookies } : {}),
      });
      return response.end(Buffer.from(await answer.arrayBuffer()));
    }
    if (pathname.startsWith("/pictures/")) {
      const found = pictures.map((folder) => join(folder, pathname.slice(10))).find(existsSync);
      return send(200, "image/svg+xml", found ? readFileSync(found) : placeholder);
    }
    if (pathname.startsWith("/assets/") && existsSync(file))
      return send(200, types[extname(file)] ?? "text/plain", readFileSync(file));
    if (pathname === "/_page")
      return json(200, { message: "success", data: payloadFor(searchParams.get("url") ?? "/") });
    if (pathname.startsWith("/api/")) {
      const data = api(request.url);
      if (data) return json(200, { message: "success", data });
      return json(401, {
        message: { user_friendly_message: "Log in first", code: "unauthorized" },
        errors: [],
        request_id: "dev",
      });
    }
    const payload = payloadFor(request.url);
    return send(payload.status, "text/html; charset=utf-8", html(payload, render(payload)));
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve({ port: server.address().port, stop: () => server.close() }));
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { port } = await serve(Number(process.argv[2] ?? 5173));
  console.log(`http://127.0.0.1:${port}`);
}
