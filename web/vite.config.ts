import react from "@vitejs/plugin-react";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { pageAssets } from "./build/pageAssets.ts";
import { backendPages } from "./dev/backend.ts";

/** Two bundles from one source: what the browser loads, and the one file the server runs to print public pages. */
export default defineConfig(({ mode }) => ({
  plugins: [react(), ...(mode === "server" ? [] : [pageAssets()]), ...(mode === "development" ? [backendPages()] : [])],
  build: mode === "server" ? serverBundle : clientBundle,
  ...(mode === "server" ? { ssr: { target: "webworker", noExternal: true } } : {}),
  define: mode === "server" ? { "process.env.NODE_ENV": '"production"' } : {},
  // Texts and facts lie beside the web folder.
  server: { fs: { allow: [".."] } },
  test: tests,
}));

// One window and one module graph for all files of a worker: setting them up per file was nine tenths of the run. What the
// files share, `src/testing/cleanup.ts` resets after each test.
const tests: NonNullable<ViteUserConfig["test"]> = {
  environment: "happy-dom",
  include: ["src/**/*.test.{ts,tsx}"],
  setupFiles: ["src/testing/cleanup.ts"],
  pool: "threads",
  isolate: false,
  reporters: ["minimal"],
};

const clientBundle = {
  outDir: "dist",
  emptyOutDir: true,
  target: "es2022",
  manifest: true,
  modulePreload: {
    polyfill: false,
    resolveDependencies: (_file: string, deps: string[]) => deps.filter((dep) => dep.endsWith(".css")),
  },
  assetsInlineLimit: 0,
  rollupOptions: { input: "src/entry-client.tsx" },
} as const;

// QuickJS has no modules from outside, no Node and no chunks: one script that leaves `render` on the global object.
const serverBundle = {
  outDir: "dist-server",
  emptyOutDir: true,
  target: "es2022",
  ssr: "src/entry-server.tsx",
  minify: true,
  rolldownOptions: { output: { format: "iife", codeSplitting: false, entryFileNames: "server.js" } },
} as const;
