import { screen } from "@testing-library/react";
import { beforeAll, beforeEach, test, vi } from "vitest";
import { loadAreas } from "../../i18n/catalogue.ts";
import type { Answers } from "../../testing/answers.ts";
import { screensOf } from "../../testing/machineScreens.ts";
import {
  beginWalk,
  expectAllWalked,
  isAt,
  isHeadline,
  press,
  showDialog,
  submit,
  type,
} from "../../testing/screenWalk.tsx";
import LoginModal from "./LoginModal.tsx";
import { loginMachine } from "./loginMachine.ts";
import { loginShown } from "./loginScreens.ts";

vi.mock("../../ui/arrival.ts", async (original) =>
  (await import("../../testing/arrivals.ts")).recordArrivals(await original()),
);

beforeAll(() => loadAreas("en", ["login", "ui", "shell"]));

let server: Answers;

beforeEach(() => {
  server = beginWalk();
});

test("login: each step and what it refuses has the focus", async () => {
  showDialog(<LoginModal next={null} onClose={() => undefined} />);
  type("[name=email]", "marta@uni.example");
  server.set("POST /api/v0/users/generate_email_otp", { status: 429, code: "too_many_codes" });
  submit();
  await isAt("[name=email]");
  const sent = { session_uuid: "s-1", resend_after_s: 30, expires_in_s: 600 };
  server.set("POST /api/v0/users/generate_email_otp", { status: 200, data: sent });
  submit();
  await isAt("#login-code");
  server.set("POST /api/v0/users/login_email_otp", { status: 422, code: "wrong_code" });
  type("#login-code", "123456");
  await screen.findByText("refused: wrong_code");
  await isAt("#login-code");
  press("Back");
  await isHeadline(/Login to/);
});

test("every screen of the login was walked to", () => {
  const plain = { generationError: null, verificationError: null };
  const variants = [plain, { generationError: {}, verificationError: {} }];
  expectAllWalked(
    "login",
    screensOf(loginMachine, () => variants, loginShown),
  );
});
