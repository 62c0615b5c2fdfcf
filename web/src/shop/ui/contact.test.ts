import { expect, test, vi } from "vitest";
import { emailFault, nameFault, phoneFault } from "./contact.ts";
import {
  countriesByName,
  countryOfLocale,
  DIAL_CODES,
  dialOf,
  firstPhoneCode,
  internationalPhone,
  phoneCodeOf,
  phoneCodeOfDial,
} from "./dialCodes.ts";

test("addresses that mail can reach pass", () => {
  for (const address of ["mei@leeds.ac.uk", " Mei.Lin+1@Example.com ", "o'hara@example.ie", "学生@例子.中国"]) {
    expect(emailFault(address), address).toBeNull();
  }
});

test("an address says what is wrong with it", () => {
  expect(emailFault("")).toBe("ui.fault_email_required");
  for (const address of ["mei", "mei@", "@leeds.ac.uk", "mei@leeds", "a b@leeds.ac.uk", "mei@leeds..uk", "a@b@c.uk"]) {
    expect(emailFault(address), address).toBe("ui.fault_email_pattern");
  }
  expect(emailFault("20458871@ucl.ac.uk")).toBe("ui.fault_email_digits");
});

test("a name needs a letter of any script", () => {
  expect(nameFault("李雷")).toBeNull();
  expect(nameFault("  ")).toBe("ui.fault_name_required");
  expect(nameFault("12345")).toBe("ui.fault_name_letters");
});

test("a phone number is sent in +code+number form", () => {
  expect(internationalPhone("ES +34", "612 345 678")).toBe("+34612345678");
  expect(internationalPhone("GB +44", "07700 900123")).toBe("+447700900123");
  expect(internationalPhone("IT +39", "06 6982 1234")).toBe("+390669821234");
  expect(internationalPhone("ES +34", "+44 7700 900123")).toBe("+447700900123");
  expect(internationalPhone("GB +44", "tel:+44-7700-900123")).toBe("+447700900123");
  expect(internationalPhone("DE +49", "030/901820")).toBe("+4930901820");
});

test("a phone number says what is wrong with it", () => {
  expect(phoneFault("ES +34", "612 345 678")).toBeNull();
  for (const typed of ["tel:+44-7700-900123", "030/901820", "8 912 345 67 89", "1 55 1234 5678"]) {
    expect(phoneFault("DE +49", typed), typed).toBeNull();
  }
  expect(phoneFault("ES +34", "")).toBe("ui.fault_phone_required");
  expect(phoneFault("", "612345678")).toBe("ui.fault_phone_code");
  expect(phoneFault("ES +34", "12")).toBe("ui.fault_phone_number");
  expect(phoneFault("ES +34", "call me")).toBe("ui.fault_phone_number");
});

// The picker has about 250 countries, each once, and gives its code back.
test("the picker has about 250 countries, each once, with its code", () => {
  expect(DIAL_CODES.length).toBeGreaterThan(240);
  expect(new Set(DIAL_CODES.map((entry) => entry.country)).size).toBe(DIAL_CODES.length);
  for (const entry of DIAL_CODES) expect(dialOf(phoneCodeOf(entry.country))).toBe(entry.code);
  expect(phoneCodeOfDial("44")).toBe("GB +44");
  expect(countriesByName("en").find((entry) => entry.country === "ES")?.name).toBe("Spain");
});

test("the picker begins with the home's country", () => {
  vi.stubGlobal("navigator", { language: "en" });
  const first = [null, "uk", "us", "canada", "new_zealand", "india", "pt", "jp", "xx"].map(firstPhoneCode);
  expect(first).toEqual(["GB +44", "GB +44", "US +1", "CA +1", "NZ +64", "IN +91", "PT +351", "JP +81", "GB +44"]);
  vi.unstubAllGlobals();
});

// A browser's language names a first country only where it has one.
test("a browser language names a first country where it has one", () => {
  expect(countryOfLocale("es-MX")).toBe("MX");
  expect(countryOfLocale("zh-Hans-CN")).toBe("CN");
  expect(countryOfLocale("es")).toBeNull();
});
