import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../../../i18n/en/house_texts.json";
import workspace from "../../../../../i18n/en/workspace.json";
import { addTexts } from "../../../i18n/catalogue.ts";
import { LanguageProvider } from "../../../i18n/i18n.tsx";
import type { HouseText } from "../contentCalls.ts";
import { TextForm } from "./TextForm.tsx";
import type { Typed } from "./textEdit.ts";

addTexts("en", { ...workspace, ...en });

afterEach(cleanup);

const text: HouseText = {
  page: "terms",
  language: "en",
  revision: 3,
  shipped: { title: "Terms of use", description: "What holds.", lead: "", act: "", body: "## What we do\n\nWe let." },
  draft: null,
  versions: [],
  is_shown: false,
  names: ["brand", "support_email"],
};

type Send = (asked: unknown) => void;

function Holder({ revision, send }: { revision: number; send: Send }) {
  const [typed, setTyped] = useState<Typed | null>(null);
  const press = { isPending: false, error: null, send };
  return (
    <LanguageProvider lang="en">
      <TextForm text={{ ...text, revision }} typed={typed} press={press} isPast={false} onType={setTyped} />
    </LanguageProvider>
  );
}

/** Draws the form; the answer draws it over a later revision. */
function show(send: Send): (revision: number) => void {
  const { rerender } = render(<Holder revision={3} send={send} />);
  return (revision) => rerender(<Holder revision={revision} send={send} />);
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const write = (name: string, said: string) => fireEvent.change(field(name), { target: { value: said } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

test("a draft is sent whole over the revision that was read", () => {
  const send = vi.fn();
  show(send);
  expect(button(en["house_texts.save"]).disabled).toBe(true);
  write(en["house_texts.field_title"], "Terms of Leeds Rooms");
  fireEvent.keyDown(field(en["house_texts.field_title"]), { key: "s", ctrlKey: true });
  const { shipped } = text;
  expect(send.mock.calls).toEqual([[{ revision: 3, text: { ...shipped, title: "Terms of Leeds Rooms" } }]]);
});

test("an unknown name is refused with its line", () => {
  const send = vi.fn();
  show(send);
  write(en["house_texts.field_body"], "## Us\n\nWrite to {support_mail}.");
  const said = screen.getByRole("alert").textContent ?? "";
  for (const part of ["3", "{support_mail}", "{support_email}"]) expect(said).toContain(part);
  fireEvent.click(button(en["house_texts.save"]));
  fireEvent.keyDown(field(en["house_texts.field_body"]), { key: "s", ctrlKey: true });
  expect(send).not.toHaveBeenCalled();
  write(en["house_texts.field_body"], "## Us\n\nWrite to {support_email}.");
  fireEvent.click(button(en["house_texts.save"]));
  expect(send).toHaveBeenCalledOnce();
});

test("words over a text that changed are kept to choose from", () => {
  const send = vi.fn();
  const change = show(send);
  write(en["house_texts.field_title"], "Ours");
  change(4);
  expect(screen.getByText(en["house_texts.overtaken"])).toBeTruthy();
  expect(button(en["house_texts.save"]).disabled).toBe(true);
  fireEvent.click(button(en["house_texts.keep_mine"]));
  fireEvent.click(button(en["house_texts.save"]));
  expect(send.mock.calls).toEqual([[{ revision: 4, text: { ...text.shipped, title: "Ours" } }]]);
});

test("a press puts a name into the text", () => {
  show(vi.fn());
  const body = field(en["house_texts.field_body"]);
  fireEvent.click(button("{brand}"));
  expect(body.value).toContain("{brand}");
});
