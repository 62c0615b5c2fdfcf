import type { Lang } from "../../contract/wire.ts";
import { countryName } from "../../ui/countryName.ts";
import { plainText } from "./pasted.ts";

/** A country and its dialling code. */
export interface DialCode {
  /** ISO 3166 code: `ES`. */
  country: string;
  /** With its plus: `+34`. */
  code: string;
}

// Every country and territory with a dialling code of its own (ITU E.164), `ES34`, in ISO order. Facts, kept compact.
const TABLE =
  "AC247 AD376 AE971 AF93 AG1268 AI1264 AL355 AM374 AO244 AR54 AS1684 AT43 AU61 AW297 AX358 AZ994 BA387 BB1246 BD880 " +
  "BE32 BF226 BG359 BH973 BI257 BJ229 BL590 BM1441 BN673 BO591 BQ599 BR55 BS1242 BT975 BW267 BY375 BZ501 CA1 CC61 " +
  "CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 " +
  "DM1767 DO1809 DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1473 " +
  "GE995 GF594 GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GS500 GT502 GU1671 GW245 GY592 HK852 HN504 HR385 " +
  "HT509 HU36 ID62 IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1876 JO962 JP81 KE254 KG996 KH855 KI686 " +
  "KM269 KN1869 KP850 KR82 KW965 KY1345 KZ7 LA856 LB961 LC1758 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 " +
  "MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1670 MQ596 MR222 MS1664 MT356 MU230 MV960 " +
  "MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 " +
  "PG675 PH63 PK92 PL48 PM508 PN64 PR1787 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 " +
  "SD249 SE46 SG65 SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1721 SY963 SZ268 TA290 " +
  "TC1649 TD235 TF262 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 TR90 TT1868 TV688 TW886 TZ255 UA380 UG256 UM1 US1 " +
  "UY598 UZ998 VA39 VC1784 VE58 VG1284 VI1340 VN84 VU678 WF681 WS685 XK383 YE967 YT262 ZA27 ZM260 ZW263";

/** About 250 entries (Spec §2 "phone country-code picker"). */
export const DIAL_CODES: readonly DialCode[] = TABLE.split(" ").map((entry) => ({
  country: entry.slice(0, 2),
  code: `+${entry.slice(2)}`,
}));

const BY_COUNTRY = new Map(DIAL_CODES.map((entry) => [entry.country, entry]));

/** All countries by name, as people look for them. */
export function countriesByName(lang: Lang): { country: string; name: string; code: string }[] {
  return DIAL_CODES.map((entry) => ({ ...entry, name: countryName(entry.country, lang) })).toSorted((a, b) =>
    a.name.localeCompare(b.name, lang),
  );
}

/** D67: the picker keeps `ES +34`; Spec §5 takes the code back as the last word of it. */
export function phoneCodeOf(country: string): string {
  const entry = BY_COUNTRY.get(country);
  return entry ? `${entry.country} ${entry.code}` : "";
}

/** `ES +34` → `+34` (Spec §5: the last space-separated token). */
export function dialOf(phoneCode: string): string {
  return phoneCode.trim().split(" ").at(-1) ?? "";
}

/** `ES +34` → `ES`. */
export function countryOf(phoneCode: string): string {
  return phoneCode.trim().split(" ")[0] ?? "";
}

/** The picker's value for a dialling code alone, as in `?phone_code=+44`: the largest country that uses it. */
export function phoneCodeOfDial(dial: string): string {
  const preferred: Record<string, string> = {
    "+1": "US",
    "+7": "RU",
    "+39": "IT",
    "+44": "GB",
    "+47": "NO",
    "+61": "AU",
  };
  const code = dial.startsWith("+") ? dial : `+${dial}`;
  const country = preferred[code] ?? DIAL_CODES.find((entry) => entry.code === code)?.country;
  return country ? phoneCodeOf(country) : "";
}

/** The country of a browser's language such as `es-MX`, for the first choice of the picker. */
export function countryOfLocale(locale: string): string | null {
  const region = locale.split("-").at(-1)?.toUpperCase() ?? "";
  return BY_COUNTRY.has(region) && locale.includes("-") ? region : null;
}

/** Where numbers begin with a zero that is dialled from abroad too. */
const KEEPS_ZERO: ReadonlySet<string> = new Set(["+39", "+378", "+225", "+229", "+241", "+242"]);
/** Fewer digits may be a national number that begins like its country code. */
const WITH_CODE_MIN = 12;

/** A number as it was typed or copied from a link: without what is not seen and `tel:`. */
export const typedPhone = (number: string): string =>
  plainText(number)
    .trim()
    .replace(/^tel: */i, "");

/** `+<code><number>` as the lead payload wants it (D66): digits only, a trunk zero dropped where the country dials one. */
export function internationalPhone(phoneCode: string, number: string): string {
  const plain = typedPhone(number);
  const digits = plain.replace(/\D/g, "");
  if (plain.startsWith("+")) return `+${digits}`;
  if (digits.startsWith("00")) return `+${digits.slice(2)}`;
  const dial = dialOf(phoneCode);
  if (digits.length >= WITH_CODE_MIN && digits.startsWith(dial.slice(1))) return `+${digits}`;
  return `${dial}${KEEPS_ZERO.has(dial) ? digits : digits.replace(/^0+/, "")}`;
}

// Keys of countries that do not begin with their ISO code.
const COUNTRIES: Record<string, string> = {
  uk: "GB",
  ireland: "IE",
  spain: "ES",
  germany: "DE",
  singapore: "SG",
  uae: "AE",
  new_zealand: "NZ",
  korea: "KR",
  denmark: "DK",
};

/** The reader's own country where the browser tells it, else the property's. */
export function firstPhoneCode(countryKey: string | null): string {
  const own = countryOfLocale(navigator.language);
  const key = countryKey ?? "uk";
  return phoneCodeOf(own ?? COUNTRIES[key] ?? key.slice(0, 2).toUpperCase()) || phoneCodeOfDial("+44");
}
