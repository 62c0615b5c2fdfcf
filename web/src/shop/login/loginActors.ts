import { fromPromise } from "xstate";
import { newKey, post } from "../../api.ts";
import type { OtpSent, User } from "../../contract/wire.ts";
import { postAsPerson } from "../proof.ts";
import { type Handle, loginMachine } from "./loginMachine.ts";

/** The login machine with the server behind it (Spec §7: generate and login by e-mail or phone OTP). */
export const connectedLogin = loginMachine.provide({
  actors: {
    generateCode: fromPromise<OtpSent, Handle>(({ input }) =>
      input.method === "email"
        ? postAsPerson("email_login", newKey(), (proven) =>
            post("/api/v0/users/generate_email_otp", { body: { user: { email: input.value } }, ...proven }),
          )
        : postAsPerson("phone_login", newKey(), (proven) =>
            post("/api/v0/users/generate_phone_otp", { body: { user: { phone: input.value } }, ...proven }),
          ),
    ),
    verifyCode: fromPromise<User, { handle: Handle; code: string; session: string }>(({ input }) => {
      const { handle, code, session } = input;
      return handle.method === "email"
        ? post("/api/v0/users/login_email_otp", {
            body: { user: { email: handle.value, otp: code, session_uuid: session } },
          })
        : post("/api/v0/users/login_phone_otp", {
            body: { user: { phone: handle.value, otp: code, session_uuid: session } },
          });
    }),
  },
});
