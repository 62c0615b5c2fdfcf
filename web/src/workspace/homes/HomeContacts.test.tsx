import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import en from "../../../../i18n/en/homes.json";
import { addTexts } from "../../i18n/catalogue.ts";
import { LanguageProvider } from "../../i18n/i18n.tsx";
import { HomeContacts } from "./HomeContacts.tsx";

addTexts("en", en);

afterEach(cleanup);

const none = { phones: [], email: null, source_link: null };

function show(part: Partial<Parameters<typeof HomeContacts>[0]["home"]>) {
  render(
    <LanguageProvider lang="en">
      <HomeContacts home={{ ...none, ...part }} />
    </LanguageProvider>,
  );
}

test("numbers, mail and the source's page each lead there", () => {
  const source_link = "https://acorn.example/17";
  show({ phones: ["+441132000000", "+441132000001"], email: "office@acorn.example", source_link });
  const [first, second, mail, page] = screen.getAllByRole("link");
  expect(first?.getAttribute("href")).toBe("tel:+441132000000");
  expect(second?.textContent).toBe("+441132000001");
  expect(mail?.getAttribute("href")).toBe("mailto:office@acorn.example");
  expect(page?.getAttribute("href")).toBe(source_link);
  expect(page?.getAttribute("target")).toBe("_blank");
  expect(page?.getAttribute("rel")).toBe("noreferrer");
});

test("what nobody said is not shown", () => {
  show({});
  expect(screen.queryByRole("list")).toBeNull();
  show({ email: "office@acorn.example" });
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
});
