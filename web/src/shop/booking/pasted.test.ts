import { expect, test } from "vitest";
import { emailFault, nameFault, phoneFault } from "../ui/contact.ts";
import { internationalPhone } from "../ui/dialCodes.ts";
import { oneTimeCode } from "../ui/pasted.ts";
import { typedDate } from "./checkAnswers.ts";

test("a pasted code keeps its six digits", () => {
  for (const pasted of ["123456", " 123 456 ", "123-456", "123\u2011456", "１２３４５６", "١٢٣٤٥٦"]) {
    expect(oneTimeCode(pasted), pasted).toBe("123456");
  }
  expect(oneTimeCode("Your code is 123 456. It is good for 10 minutes")).toBe("123456");
  expect(oneTimeCode("12a34")).toBe("1234");
});

test("a pasted phone is read with what comes along", () => {
  for (const pasted of [
    "0044 7700 900123",
    "447700900123",
    "\u202a+44 7700\u2011900123\u202c",
    "０７７００９００１２３",
  ]) {
    expect(internationalPhone("GB +44", pasted), pasted).toBe("+447700900123");
    expect(phoneFault("GB +44", pasted), pasted).toBeNull();
  }
});

test("a leading zero stays where it is no trunk zero", () => {
  expect(internationalPhone("CI +225", "07 07 12 34 56")).toBe("+2250707123456");
  expect(internationalPhone("BJ +229", "01 95 12 34 56")).toBe("+2290195123456");
  expect(internationalPhone("CG +242", "06 123 4567")).toBe("+242061234567");
  expect(internationalPhone("SM +378", "0549 886377")).toBe("+3780549886377");
});

test("a pasted date is read by its own order", () => {
  for (const yearFirst of [false, true]) {
    expect(typedDate("2004-05-06", yearFirst)).toBe("2004-05-06");
    expect(typedDate("2004/5/6", yearFirst)).toBe("2004-05-06");
    expect(typedDate("6/5/2004", yearFirst)).toBe("2004-05-06");
  }
});

// Names as passports write them and addresses of every script pass.
test("passport names and addresses of every script pass", () => {
  for (const name of ["Siva a/l Kumar", "Raj S/O Mohan", "Tan @ Lim Mei"]) expect(nameFault(name), name).toBeNull();
  for (const address of ["mei＠ｕｎｉ．example", "mei@उदाहरण.भारत", "mei@ตัวอย่าง.ไทย"]) {
    expect(emailFault(address), address).toBeNull();
  }
});
