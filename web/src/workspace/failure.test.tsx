import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import en from "../../../i18n/en/workspace.json";
import { ApiError } from "../api.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { faultsOf, useFailureText } from "./failure.ts";

addTexts("en", en);

// The server's own sentence is shown as it is, and what cannot be read is said to be so.
test("server sentences are shown, unreadable answers named", () => {
  const text = renderHook(() => useFailureText()).result.current;
  expect(text(new ApiError("refused", { status: 409, message: "Somebody was faster" }))).toBe("Somebody was faster");
  expect(text(new ApiError("timeout"))).toBe(en["workspace.stopped_timeout"]);
  expect(text(new TypeError("x is undefined"))).toBe(en["workspace.stopped_unreadable"]);
});

// Each bad field is told beside itself; a refusal of the whole names none.
test("faults stand under the names of their fields", () => {
  const fields = [
    { field: "email", code: "pattern", message: "Write the whole e-mail address" },
    { field: "phone", code: "number", message: "This number does not exist" },
  ];
  const faults = faultsOf(new ApiError("refused", { status: 422, fields }));
  expect([...faults]).toEqual([
    ["email", "Write the whole e-mail address"],
    ["phone", "This number does not exist"],
  ]);
  expect(faultsOf(new ApiError("timeout")).size).toBe(0);
  expect(faultsOf(null).size).toBe(0);
});
