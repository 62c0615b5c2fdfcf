import { beforeEach, expect, test } from "vitest";
import { afterVisit, rememberVisit, sourceDetails } from "./attribution.ts";

const site = "https://homes.example";

beforeEach(() => localStorage.clear());

test("the first referrer stays, the last one follows", () => {
  const first = afterVisit({}, { url: `${site}/`, referrer: "https://search.example/?q=rooms" });
  const later = afterVisit(first, { url: `${site}/places/x`, referrer: "https://news.example/a" });
  expect(later.initial_referrer).toBe("https://search.example/?q=rooms");
  expect(later.referrer).toBe("https://news.example/a");
  expect(later.initial_referring_domain).toBe("search.example");
});

// Moving about the site does not replace where the visitor came from.
test("moving about the site keeps where the visitor came from", () => {
  const first = afterVisit({}, { url: `${site}/?utm_source=campus`, referrer: "https://search.example/" });
  const later = afterVisit(first, { url: `${site}/places/x`, referrer: `${site}/` });
  expect(later.referring_domain).toBe("search.example");
  expect(later.utm_source).toBe("campus");
  expect(later.final_url).toBe(`${site}/places/x`);
});

test("addresses are cut at 300 characters and carry no secrets", () => {
  const long = afterVisit({}, { url: `${site}/`, referrer: `https://a.example/${"é".repeat(500)}` });
  expect([...(long.referrer ?? "")].length).toBe(300);
  const secret = afterVisit({}, { url: `${site}/f?email=a%40b.c&phone%5Bfirst%5D=+34&utm_medium=agent`, referrer: "" });
  expect(secret.final_url).toBe(`${site}/f?utm_medium=agent`);
  const returned = afterVisit(
    {},
    { url: `${site}/payments/t?payment_intent_client_secret=pi_1_secret_2`, referrer: "" },
  );
  expect(returned.final_url).toBe(`${site}/payments/t`);
});

test("an unreadable memory is cleared and begins anew", () => {
  localStorage.setItem("latchkey.source", "{not json");
  rememberVisit({ url: `${site}/?gclid=g1`, referrer: "" });
  expect(sourceDetails({ url: `${site}/b`, referrer: "" }).gclid).toBe("g1");
});
