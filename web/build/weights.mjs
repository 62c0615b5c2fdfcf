// Prints what each page's first load weighs (brotli kB: entry, page, styles and English texts) and fails above its budget.
import { existsSync, readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

// WEB.md, "Consequence": budgets per page, brotli kB.
const budgets = {
  home: 80,
  search: 115,
  property: 105,
  booking_form: 115,
  payment: 125,
  workspace: 180,
  support: 180,
  finance: 180,
};
const fallbackBudget = 115;

if (!existsSync("dist/pages.json")) throw new Error("dist/pages.json is missing: run `npm run build` first");
const { font, pages } = JSON.parse(readFileSync("dist/pages.json", "utf8"));
const weigh = (file) => brotliCompressSync(readFileSync(`dist/${file}`)).length / 1000;
let heavy = false;
for (const [route, files] of Object.entries(pages)) {
  const total = [...files.scripts, ...files.styles, ...(files.messages.en ?? [])]
    .map(weigh)
    .reduce((sum, kb) => sum + kb, 0);
  const budget = budgets[route] ?? fallbackBudget;
  if (total > budget) heavy = true;
  console.log(
    `${route.padEnd(18)} ${total.toFixed(1).padStart(6)} kB of ${budget}${total > budget ? "  TOO HEAVY" : ""}`,
  );
}
if (font)
  console.log(`${"font, cached".padEnd(18)} ${(readFileSync(`dist/${font}`).length / 1000).toFixed(1).padStart(6)} kB`);
if (heavy) process.exitCode = 1;
