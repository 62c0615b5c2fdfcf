import { join } from "node:path";
import type { Plugin } from "vite";
import { workspaceAreas } from "../src/workspace/areas.ts";
import { completeOf, readTable } from "./languageTable.ts";
import { I18N } from "./texts.ts";

/** What is built from an entry of its own. */
export type Application = "shop" | "workspace" | "reference";

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

interface PageFiles {
  /** The application the page belongs to. */
  entry: string;
  /** Modules the page needs before it can hydrate, entry first. */
  scripts: string[];
  styles: string[];
  /** Catalogue chunks per language, with the map that names them. */
  messages: Record<string, string[]>;
  /** Scripts that come on top where the address names a page of the application, per page; for the weights. */
  parts: Record<string, string[]>;
}

/**
 * Writes `dist/pages.json`: for every route the scripts, styles and catalogues of its first load, for the server's
 * preloads and for the weights; and the texts that the server writes into every document. Routes of the shop are read from `src/shop/routes.tsx`; the workspace and the API reference are one
 * each and come after.
 */
export function pageAssets(application: Application): Plugin {
  return {
    name: "latchkey-page-assets",
    apply: "build",
    async closeBundle() {
      const { readFile, writeFile } = await import("node:fs/promises");
      const manifest: Record<string, Chunk> = JSON.parse(await readFile(`dist/.vite/${application}.json`, "utf8"));
      const routes =
        application === "shop" ? routesIn(await readFile("src/shop/routes.tsx", "utf8")) : [single[application]];
      const start = await startTexts();
      const earlier: { font?: string; pages: Record<string, PageFiles> } =
        application === "shop" ? { pages: {} } : JSON.parse(await readFile("dist/pages.json", "utf8"));
      const { pages } = earlier;
      for (const { name, ...route } of routes) pages[name] = filesOf(manifest, route);
      if (application === "workspace") {
        const { scripts = [], parts = {} } = pages["workspace"] ?? {};
        for (const [name, file] of lazyPagesIn(await readFile("src/workspace/pages.ts", "utf8"))) {
          const whole = filesOf(manifest, { ...single.workspace, file });
          parts[name] = whole.scripts.filter((script) => !scripts.includes(script));
        }
      }
      const font = Object.values(manifest).find((chunk) => chunk.file.endsWith(".woff2"))?.file ?? earlier.font;
      await writeFile("dist/pages.json", JSON.stringify({ font, start, pages }, null, 1));
    },
  };
}

/** By language, as JSON: what is said where nothing more can be loaded. The server writes its language's into the document. */
async function startTexts(): Promise<Record<string, string>> {
  const { readFile } = await import("node:fs/promises");
  const read = async (tag: string): Promise<[string, string]> => {
    const texts: unknown = JSON.parse(await readFile(join(I18N, tag, "start.json"), "utf8"));
    return [tag, JSON.stringify(texts)];
  };
  return Object.fromEntries(await Promise.all(completeOf(readTable()).map(([tag]) => read(tag))));
}

interface Route {
  name: string;
  entry: string;
  file: string;
  areas: readonly string[];
}

/** Applications of one page. */
const single: Record<Exclude<Application, "shop">, Route> = {
  workspace: {
    name: "workspace",
    entry: "src/workspace/entry.tsx",
    file: "src/workspace/WorkspacePage.tsx",
    areas: workspaceAreas,
  },
  reference: {
    name: "reference",
    entry: "src/reference/entry.tsx",
    file: "src/reference/entry.tsx",
    areas: [],
  },
};

/** The table in `routes.tsx` is plain enough to read: `page("name", () => import("./x"), ["area"], …)`. */
function routesIn(source: string): Route[] {
  const line = /page\(\s*"(\w+)",\s*\(\) => import\("\.\/([^"]+)"\),\s*\[([^\]]*)\]/g;
  return [...source.matchAll(line)].map(([, name = "", path = "", areas = ""]) => ({
    name,
    entry: "src/shop/entry.tsx",
    file: `src/shop/${path}`,
    areas: ["ui", "shell", ...[...areas.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area)],
  }));
}

/** Name and file of each page that the workspace's router loads when its address is opened. */
function lazyPagesIn(source: string): [name: string, file: string][] {
  const page = /import\("\.\/((?:\w+\/)*(\w+)Page\.tsx)"\)/g;
  return [...source.matchAll(page)].map(([, path = "", name = ""]) => [name, `src/workspace/${path}`]);
}

function moduleOf(manifest: Record<string, Chunk>, file: string): string {
  if (!(file in manifest)) throw new Error(`route chunk \`${file}\` is not in the manifest`);
  return file;
}

function filesOf(manifest: Record<string, Chunk>, { entry, file, areas }: Omit<Route, "name">): PageFiles {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const walk = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) walk(imported);
  };
  walk(moduleOf(manifest, entry));
  walk(moduleOf(manifest, file));
  const messages: Record<string, string[]> = {};
  for (const key of Object.keys(manifest)) {
    const [, lang, area] = /i18n\/(\w+)\/(\w+)\.json$/.exec(key) ?? [];
    const chunk = manifest[key];
    if (!lang || !area || !chunk || (area !== "forms" && !areas.includes(area))) continue;
    // The map that names an area's file is loaded before it, and is preloaded with it.
    const maps = Object.values(manifest).filter(({ dynamicImports }) => dynamicImports?.includes(key));
    for (const { file: written } of [...maps, chunk])
      if (!scripts.has(written) && !messages[lang]?.includes(written))
        messages[lang] = [...(messages[lang] ?? []), written];
  }
  const [first = ""] = scripts;
  return { entry: first, scripts: [...scripts], styles: [...styles], messages, parts: {} };
}
