import { join } from "node:path";
import type { Plugin } from "vite";
import type { Area } from "../src/i18n/keys.ts";
import { workspaceAreas } from "../src/workspace/areas.ts";
import { completeOf, readTable } from "./languageTable.ts";
import { I18N } from "./texts.ts";

/** The areas of texts that each application's pages show; the server's own are no part of them. */
export const AREAS = {
  shop: [
    ...["start", "ui", "shell", "home", "errors", "legal", "login", "mirror"],
    ...["search", "inventory", "numbers", "property", "lead", "change", "stay"],
    ...["booking", "missing_answers", "form_sync", "payment", "rating", "receipt", "verify"],
    ...["profile", "messages", "cases", "looks", "content"],
  ],
  workspace: [
    ...workspaceAreas,
    ...[
      "start",
      "acts",
      "admin",
      "approvals",
      "bank_file",
      "booking",
      "books",
      "brand",
      "desk",
      "export",
      "finance_history",
      "home",
      "homes",
      "house_texts",
      "imports",
      "inventory",
    ],
    ...[
      "lead_form",
      "looks",
      "messages",
      "mirror_desk",
      "past",
      "person_search",
      "places",
      "queues",
      "reconciliation",
      "report",
    ],
    ...["second_step", "what_if", "why"],
  ],
} as const satisfies Record<string, readonly Area[]>;

const MODULE = /^\0virtual:texts\/(shop|workspace)(?:\/(\w+))?$/;

/**
 * Gives an application one map of files per language, each a chunk of its own: a page loads its language's alone, and a further
 * language adds no path to any first load but its own line.
 */
export function pageTexts(): Plugin {
  const { fallback, ...table } = readTable();
  const tags = completeOf({ fallback, ...table }).map(([tag]) => tag);
  return {
    name: "latchkey-page-texts",
    resolveId: (id) => (MODULE.test(`\0${id}`) ? `\0${id}` : null),
    load(id) {
      const [, application, tag] = MODULE.exec(id) ?? [];
      if (application !== "shop" && application !== "workspace") return null;
      return tag === undefined ? writeLanguages(application, tags) : writeMap(application, tag, fallback);
    },
  };
}

function writeLanguages(application: keyof typeof AREAS, tags: readonly string[]): string {
  const lines = tags.map((tag) => `${JSON.stringify(tag)}: () => import("virtual:texts/${application}/${tag}")`);
  return `export const languages = {\n${lines.join(",\n")}\n};\n`;
}

/** The map of one language. */
export function writeMap(application: keyof typeof AREAS, tag: string, fallback: string): string {
  const load = (area: string) =>
    `() => import(${JSON.stringify(join(I18N, tag, `${area}.json`))}).then((file) => file.default)`;
  const lines = AREAS[application].map((area) => `${JSON.stringify(area)}: ${load(area)}`);
  // The forms that all fall back to are in every first load already.
  const forms = tag === fallback ? "null" : load("forms");
  return `export const areas = {\n${lines.join(",\n")}\n};\nexport const forms = ${forms};\n`;
}
