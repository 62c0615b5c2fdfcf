import type { Plugin } from "vite";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

interface PageFiles {
  /** Modules the page needs before it can hydrate, entry first. */
  scripts: string[];
  styles: string[];
  /** Catalogue chunks per language. */
  messages: Record<string, string[]>;
}

/**
 * Writes `dist/pages.json`: for every route the scripts, styles and catalogues of its first load, for the server's
 * preloads and for the weights. Routes are read from `src/routes.tsx`.
 */
export function pageAssets(): Plugin {
  return {
    name: "latchkey-page-assets",
    apply: "build",
    async closeBundle() {
      const { readFile, writeFile } = await import("node:fs/promises");
      const manifest: Record<string, Chunk> = JSON.parse(await readFile("dist/.vite/manifest.json", "utf8"));
      const routes = routesIn(await readFile("src/routes.tsx", "utf8"));
      const pages: Record<string, PageFiles> = {};
      for (const { route, file, areas } of routes) pages[route] = filesOf(manifest, file, areas);
      const font = Object.values(manifest).find((chunk) => chunk.file.endsWith(".woff2"))?.file;
      const entry = manifest["src/entry-client.tsx"]?.file;
      await writeFile("dist/pages.json", JSON.stringify({ entry, font, pages }, null, 1));
    },
  };
}

/** The table in `routes.tsx` is plain enough to read: `page("name", () => import("./x"), ["area"], …)`. */
function routesIn(source: string): { route: string; file: string; areas: string[] }[] {
  const line = /page\(\s*"(\w+)",\s*\(\) => import\("\.\/([^"]+)"\),\s*\[([^\]]*)\]/g;
  return [...source.matchAll(line)].map(([, route = "", path = "", areas = ""]) => ({
    route,
    file: `src/${path}`,
    areas: ["ui", "shell", ...[...areas.matchAll(/"(\w+)"/g)].map(([, area = ""]) => area)],
  }));
}

function moduleOf(manifest: Record<string, Chunk>, file: string): string {
  if (!(file in manifest)) throw new Error(`route chunk \`${file}\` is not in the manifest`);
  return file;
}

function filesOf(manifest: Record<string, Chunk>, file: string, areas: string[]): PageFiles {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const walk = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) walk(imported);
  };
  walk("src/entry-client.tsx");
  walk(moduleOf(manifest, file));
  const messages: Record<string, string[]> = {};
  for (const key of Object.keys(manifest)) {
    const [, lang, area] = /i18n\/(\w+)\/(\w+)\.json$/.exec(key) ?? [];
    const chunk = manifest[key];
    if (lang && area && chunk && areas.includes(area)) messages[lang] = [...(messages[lang] ?? []), chunk.file];
  }
  return { scripts: [...scripts], styles: [...styles], messages };
}
