// Writes i18n/<language>/forms.json and i18n/forms.sums.json from CLDR's JSON packages, unpacked below one folder:
// `node build/languages.mjs FOLDER` (`make languages` fetches them). Their results are checked in: four packages of 170 MB are no
// part of a build. What the house writes otherwise than CLDR stands in languages.overrides.json, each with its reason.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const CLDR_VERSION = "48.2.0";
const I18N = new URL("../../i18n/", import.meta.url);
const readJson = (url) => JSON.parse(readFileSync(url, "utf8"));

/** The languages of i18n/languages.json, by tag. */
export const languages = () => readJson(new URL("languages.json", I18N)).languages;
/** What is written otherwise than in CLDR, by language and key. */
export const overrides = () => readJson(new URL("languages.overrides.json", import.meta.url));
/** The checked-in file of a language, as text. */
export const formsText = (tag) => readFileSync(new URL(`${tag}/forms.json`, I18N), "utf8");
/** The checked-in sums, by language. */
export const writtenSums = () => readJson(new URL("forms.sums.json", I18N));

/** Ties a file to the version of CLDR and the overrides that it was written from: an edit by hand has another sum. */
export function sumOf(tag, text) {
  const own = JSON.stringify(overrides()[tag] ?? {});
  return createHash("sha256").update(`cldr ${CLDR_VERSION}\n${own}\n${text}`).digest("hex");
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1));

/** Forms of CLDR for whole millions, such as `un millón de alojamientos`: no count here is that large (GLOSSARY.md §4). */
const UNREACHED = /\b[ec] (!=|=)|% 1000000\b/;

/** The counts that take the form `one`: `i = 1 and v = 0` is [1], `i = 0,1` is [0, 1]. All others take `other`. */
function countsOfOne(rules) {
  let counts = [];
  for (const [form, text] of Object.entries(rules)) {
    const rule = text.split("@")[0].trim();
    if (rule === "" || UNREACHED.test(rule)) continue;
    const [, plain] = /^[ni] = ([\d,]+)(?: and v = 0)?$/.exec(rule) ?? [];
    if (form !== "pluralRule-count-one" || plain === undefined)
      throw new Error(`${form}, \`${rule}\`: messages have the forms one and other, chosen by a list of counts`);
    counts = plain.split(",").map(Number);
  }
  return counts;
}

/** `¤#,##0.00` as `¤#`: groups and decimals are the number's own. */
const affixes = (pattern) => pattern.split(";")[0].replace(/[#0][#0,.]*/, "#");

function numbersOf(numbers) {
  if (numbers.defaultNumberingSystem !== "latn") throw new Error("digits other than 0 to 9 have no form yet");
  const marks = numbers["symbols-numberSystem-latn"];
  const money = numbers["currencyFormats-numberSystem-latn"];
  return {
    decimal: marks.decimal,
    group: marks.group,
    group_from: 3 + Number(numbers.minimumGroupingDigits),
    percent: affixes(numbers["percentFormats-numberSystem-latn"].standard),
    money: affixes(money.standard),
    // Books are searched and copied as they are typed: with a plain space.
    money_code: affixes(money["standard-alphaNextToNumber"]).replace("\u00a0", " "),
  };
}

/** `EEEE, d. MMMM y` as `EEEE, d. MMMM`, `y年M月d日EEEE` as `M月d日EEEE`. */
function withoutYear(pattern) {
  const rest = pattern.replace(/^y\p{L}|(?: '[^']*')? y$/u, "");
  if (rest.includes("y")) throw new Error(`${pattern}: the year stands in the middle`);
  return rest;
}

function datesOf(gregorian) {
  const { months, days, dateFormats, dateTimeFormats } = gregorian;
  const available = dateTimeFormats.availableFormats;
  return {
    months: MONTHS.map((month) => months.format.wide[month]),
    months_short: MONTHS.map((month) => months.format.abbreviated[month]),
    days: DAYS.map((day) => days.format.wide[day]),
    days_short: DAYS.map((day) => days.format.abbreviated[day]),
    day_one: "1",
    date_long: dateFormats.full,
    date_weekday: available.yMMMEd.replace("EEE,", "E,"),
    date_weekday_long: available.MMMMEEEEd ?? withoutYear(dateFormats.full),
    date_weekday_short: available.MMMEd,
    date_full: dateFormats.long,
    date_day: available.yMMMd,
    date_short: available.MMMd,
    date_month: available.yMMMM,
    date_time: dateTimeFormats.medium.replace("{1}", "").replace("{0}", ""),
  };
}

function listOf(patterns) {
  const between = (pattern) => pattern.replace("{0}", "").replace("{1}", "");
  const { middle, end } = patterns["listPattern-type-standard"];
  const or = patterns["listPattern-type-or"].end;
  return { list_comma: between(middle), list_and: between(end), list_or: between(or), list_and_before: null };
}

/** Miles where the language's country measures roads in them. */
const distanceOf = (region, { measurementSystem }) =>
  (measurementSystem[region] ?? measurementSystem["001"]) === "metric" ? "km" : "mi";

/** The forms of one language; `read` gives a file of a package, `isThere` says whether it has a locale of its own. */
export function formsOf(tag, { locale, script, direction }, read, isThere) {
  // Most data stand under the bare language; England's English is a locale of its own.
  const source = isThere(locale) ? locale : tag;
  const main = (pack, file) => read(pack, `main/${source}/${file}`).main[source];
  const { characterOrder } = main("cldr-misc-full", "layout.json").layout.orientation;
  if ((characterOrder === "right-to-left") !== (direction === "rtl"))
    throw new Error(`${tag}: direction in languages.json`);
  const likely = read("cldr-core", "supplemental/likelySubtags.json").supplemental.likelySubtags[tag] ?? "";
  if (!likely.split("-").includes(script)) throw new Error(`${tag}: CLDR expects the script of ${likely}`);
  const { supplemental } = read("cldr-core", "supplemental/plurals.json");
  const measures = read("cldr-core", "supplemental/measurementData.json").supplemental.measurementData;
  const forms = {
    one: countsOfOne(supplemental["plurals-type-cardinal"][tag]),
    ...numbersOf(main("cldr-numbers-full", "numbers.json").numbers),
    distance: distanceOf(locale.split("-")[1], measures),
    ...datesOf(main("cldr-dates-full", "ca-gregorian.json").dates.calendars.gregorian),
    ...listOf(main("cldr-misc-full", "listPatterns.json").listPatterns),
  };
  for (const [key, { value }] of Object.entries(overrides()[tag] ?? {})) forms[key] = value;
  return forms;
}

/** One key a line: a change of CLDR is read as a diff. */
function lines(forms) {
  const entries = Object.entries(forms).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${entries.join(",\n")}\n}\n`;
}

function write(folder) {
  const read = (pack, file) => {
    const { version } = readJson(`${folder}/${pack}/package.json`);
    if (version !== CLDR_VERSION) throw new Error(`${pack} ${version} is there, ${CLDR_VERSION} is pinned`);
    return readJson(`${folder}/${pack}/${file}`);
  };
  const isThere = (locale) => existsSync(`${folder}/cldr-numbers-full/main/${locale}`);
  const sums = {};
  for (const [tag, language] of Object.entries(languages())) {
    const text = lines(formsOf(tag, language, read, isThere));
    writeFileSync(new URL(`${tag}/forms.json`, I18N), text);
    sums[tag] = sumOf(tag, text);
  }
  writeFileSync(new URL("forms.sums.json", I18N), `${JSON.stringify(sums, null, 2)}\n`);
}

const PACKAGES = ["cldr-core", "cldr-dates-full", "cldr-misc-full", "cldr-numbers-full"];
const [, script = "", folder] = process.argv;
if (script.endsWith("languages.mjs") && folder !== undefined) {
  if (folder === "--packages") console.log(PACKAGES.map((name) => `${name}@${CLDR_VERSION}`).join(" "));
  else write(folder);
}
