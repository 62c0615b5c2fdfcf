import { existsSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream";
import type { Plugin, ViteDevServer } from "vite";

const backend = new URL(process.env["LATCHKEY_BACKEND"] ?? "http://127.0.0.1:8080");

/** What Vite serves itself: its client, the sources and the packages. */
const ofVite = /^\/(@|src\/|node_modules\/)/;

/**
 * The pages of a running `latchkey serve`, with scripts and styles from their sources: documents come from the backend and
 * load the entry of the shop or of the workspace in place of the bundles; calls, pictures and everything else are proxied.
 */
export function backendPages(): Plugin {
  return {
    name: "latchkey-backend-pages",
    apply: "serve",
    config: () => ({
      appType: "custom",
      // Found at the start, so that the first page does not reload when Vite discovers them one by one.
      optimizeDeps: { entries: ["src/shop/entry.tsx", "src/workspace/entry.tsx"] },
      server: { host: "127.0.0.1", port: 5173, strictPort: true, cors: false },
    }),
    configureServer(server) {
      const pages = new Backend(server);
      server.middlewares.use((incoming, outgoing, next) => {
        const path = (incoming.url ?? "/").replace(/\?.*$/, "");
        const isFile = path !== "/" && existsSync(join(server.config.publicDir, path));
        if (ofVite.test(path) || isFile) next();
        else pages.handle(incoming, outgoing, next);
      });
    },
  };
}

class Backend {
  private readonly server: ViteDevServer;
  private isAway = false;

  constructor(server: ViteDevServer) {
    this.server = server;
  }

  /**
   * Host and Origin stay as the browser sent them: the backend compares the one with the other (or Origin with its public
   * URL) and so refuses writes of foreign pages here as it does on its own port.
   */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, next: (error: unknown) => void): void {
    const wantsPage = incoming.method === "GET" && (incoming.headers.accept ?? "").includes("text/html");
    const headers = { ...incoming.headers, ...(wantsPage ? { "accept-encoding": "identity" } : {}) };
    const { method, url: path } = incoming;
    // A connection each: a kept one would fail the first request after the backend was started anew.
    const onward = request(backend, { method, path, headers, agent: false }, (answer) => {
      this.isAway = false;
      const isHtml = (answer.headers["content-type"] ?? "").startsWith("text/html");
      if (wantsPage && isHtml) return void this.sendPage(path ?? "/", answer, outgoing).catch(next);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // An event stream that the backend breaks off breaks off here too, so that the page connects again.
      pipeline(answer, outgoing, () => undefined);
    });
    onward.on("error", () => {
      if (!outgoing.destroyed) this.sayAway(wantsPage, outgoing);
    });
    // A closed event stream ends at the backend too.
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  private async sendPage(path: string, answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of answer) parts.push(part);
    } catch {
      return this.sayAway(true, outgoing);
    }
    const html = Buffer.concat(parts).toString();
    const isOurs = html.includes('<div id="root">');
    const page = isOurs ? await this.server.transformIndexHtml(path, withSources(html)) : html;
    // Vite's client is partly inline, which the policy of the bundled page forbids.
    const { "content-security-policy": policy, ...headers } = answer.headers;
    if (!isOurs && policy !== undefined) outgoing.setHeader("content-security-policy", policy);
    outgoing.writeHead(answer.statusCode ?? 502, { ...headers, "content-length": Buffer.byteLength(page) }).end(page);
  }

  private sayAway(wantsPage: boolean, outgoing: ServerResponse): void {
    const sentence = `The backend at ${backend.origin} does not answer yet; pages load once it does.`;
    if (!this.isAway) this.server.config.logger.warn(sentence, { timestamp: true });
    this.isAway = true;
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(503, { "content-type": `text/${wantsPage ? "html" : "plain"}; charset=utf-8` });
    outgoing.end(wantsPage ? `<!doctype html><meta http-equiv="refresh" content="1"><p>${sentence}</p>` : sentence);
  }
}

/**
 * The document without the bundles and without its printed body: the body is of the bundle the backend was built with, so
 * the browser renders it anew instead of hydrating it.
 */
export function withSources(html: string): string {
  const application = html.includes('<main id="reference">')
    ? "reference"
    : html.includes('type="application/json">{"route":"workspace"')
      ? "workspace"
      : "shop";
  return html
    .replace(/<link rel="(stylesheet|modulepreload)" href="\/assets\/[^>]*>/g, "")
    .replace(/<link rel="preload" href="\/assets\/[^>]* as="font"[^>]*>/g, "")
    .replace(/<script type="module" src="\/assets\/[^>]*><\/script>/g, "")
    .replace(/<div id="root">.*<\/div><script id="page-payload"/s, '<div id="root"></div><script id="page-payload"')
    .replace("</head>", `<script type="module" src="/src/${application}/entry.tsx"></script></head>`);
}
