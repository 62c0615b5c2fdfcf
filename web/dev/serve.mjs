// Serves dist/ and dist-server/ with made-up pages, in the place of the real binary.
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
  const { pages, start } = JSON.parse(readFileSync("dist/pages.json", "utf8"));
  const files = pages[payload.route];
  const styles = files.styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join("");
  const json = JSON.stringify(payload).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="${payload.chrome.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${payload.head.title}</title>${styles}<link rel="icon" href="/assets/favicon.svg"><script type="module" src="/${files.entry}"></script></head><body><div id="root">${body}</div><script type="application/json" id="page-payload">${json}</script><script type="application/json" id="start-texts">${start[payload.chrome.lang]}</script></body></html>`;
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

/** Starts the server; answers its port and how to stop it. */
export function serve() {
  const render = renderer();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
    const json = (status, body) => send(status, "application/json", JSON.stringify(body));
    const file = join("dist", pathname);
    if (pathname.startsWith("/pictures/photos/missing/")) return send(404, "text/plain", "");
    if (pathname.startsWith("/pictures/")) return send(200, "image/svg+xml", placeholder);
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
    server.listen(0, "127.0.0.1", () => resolve({ port: server.address().port, stop: () => server.close() }));
  });
}
