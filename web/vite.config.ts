import react from "@vitejs/plugin-react";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { constantsOf, languageGlobs, readTable } from "./build/languageTable.ts";
import { type Application, pageAssets } from "./build/pageAssets.ts";
import { pageTexts } from "./build/pageTexts.ts";
import { checkedTexts } from "./build/texts.ts";
import { backendPages } from "./dev/backend.ts";

/**
 * Four bundles from one source: what the browser loads of the shop, of the workspace and of the API reference, and the one file the
 * server runs to print public pages. Applications share no file: none is heavier for the other's sake.
 */
export default defineConfig(({ mode }) => ({
  plugins: [
    checkedTexts(),
    languageGlobs(),
    pageTexts(),
    react(),
    ...(mode === "server" ? [] : [pageAssets(applicationOf(mode))]),
    ...(mode === "development" ? [backendPages()] : []),
  ],
  build: mode === "server" ? serverBundle : clientBundle(applicationOf(mode)),
  ...(mode === "server" ? { ssr: { target: "webworker", noExternal: true } } : {}),
  define: { ...constantsOf(readTable()), ...(mode === "server" ? { "process.env.NODE_ENV": '"production"' } : {}) },
  // Texts and facts lie beside the web folder.
  server: { fs: { allow: [".."] } },
  test: tests,
}));

/** Files that replace a module of the pages (`vi.mock`): one that another file of their worker has read cannot be replaced any more. */
const replacing = "src/**/screens.test.tsx";
const files = ["src/**/*.test.{ts,tsx}", "build/*.test.ts"];

// One window and one module graph for all files of a worker: setting them up per file was nine tenths of the run. What the
// files share, `src/testing/cleanup.ts` resets after each test.
const tests: NonNullable<ViteUserConfig["test"]> = {
  environment: "happy-dom",
  setupFiles: ["src/testing/cleanup.ts"],
  pool: "threads",
  projects: [
    { extends: true, test: { name: "shared", include: files, exclude: [replacing], isolate: false } },
    { extends: true, test: { name: "apart", include: [replacing], isolate: true } },
  ],
  reporters: ["minimal"],
};

function applicationOf(mode: string): Application {
  return mode === "workspace" || mode === "reference" ? mode : "shop";
}

/** What every page loads, and a few small parts that most do: one file weighs less than several. */
const alwaysThere = new RegExp(
  [
    "/node_modules/(react|react-dom|scheduler)/",
    "/src/i18n/",
    "vite/preload-helper",
    "/src/(api|deviceStorage|page|pageContext|paths|serverClock|translated)\\.tsx?$",
    "/src/ui/(button|composing|errorBoundary|icon|initials|lazyPart|loadTrouble|reloadOnce|startFailure|styleSheets|toast|toastFailure|topDialog)\\.tsx?$",
    "/src/shop/(App|Link|PageTree|navigation|pictures|routes|session|storedList)\\.tsx?$",
    "/src/shop/login/nextPath\\.ts$",
    "/src/shop/shell/(Footer|Header|LanguageToggle|Logo|OnTheWay|Overlays|SiteFrame)\\.tsx$",
    "/src/shop/ui/(dialogEntry|overlays|period|priceText|tabs|card/[rR]ecentlyViewed|search/Ticker)\\.tsx?$",
  ].join("|"),
);

const ground = { name: "ground", test: alwaysThere, priority: 2 };
/** What every form of the shop is made of; pages that only search need its fields alone. */
const field = {
  name: "field",
  test: /\/src\/shop\/(styles\/dialog\.css|ui\/(fee|field|knownLead|lease|pasted)\.tsx?)$/,
  priority: 1,
};
const flow = {
  name: "flow",
  test: /\/src\/(ui\/leadChange|shop\/(proof|ui\/(flowFrame|phoneField|priceLock)))\.tsx?$/,
};
/**
 * What two pages of the workspace need comes with its first load: a page opened later is one file. What dialogs are drawn with comes after,
 * and what the pages of homes share comes with the first of them: most staff open none.
 */
const usedTwice = {
  name: "desk",
  minShareCount: 2,
  test: (id: string) => !/@base-ui|@floating-ui|DialogLayer|\/workspace\/homes\//.test(id),
};

// The shop is built first: it begins the folder that the others add to.
const clientBundle = (application: Application) => ({
  outDir: "dist",
  emptyOutDir: application === "shop",
  copyPublicDir: application === "shop",
  target: "es2022",
  manifest: `.vite/${application}.json`,
  modulePreload: {
    polyfill: false,
    resolveDependencies: (_file: string, deps: string[]) => deps.filter((dep) => dep.endsWith(".css")),
  },
  assetsInlineLimit: 0,
  rolldownOptions: {
    input: { [application]: `src/${application}/entry.tsx` },
    output: { codeSplitting: { groups: application === "workspace" ? [usedTwice] : [ground, field, flow] } },
  },
});

// QuickJS has no modules from outside, no Node and no chunks: one script that leaves `render` on the global object.
const serverBundle = {
  outDir: "dist-server",
  emptyOutDir: true,
  target: "es2022",
  ssr: "src/shop/entry-server.tsx",
  minify: true,
  rolldownOptions: { output: { format: "iife", codeSplitting: false, entryFileNames: "server.js" } },
} as const;
