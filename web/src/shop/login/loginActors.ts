import { fromPromise } from "xstate";
import { post } from "../../api.ts";
import type { OtpSent, User } from "../../contract/wire.ts";
import { postAsPerson } from "../proof.ts";
import { type Handle, loginMachine } from "./loginMachine.ts";

/** The login machine with the server behind it (Spec §7: generate and login by e-mail or phone OTP). */
export const connectedLogin = loginMachine.provide({
  actors: {
    generateCode: fromPromise<OtpSent, Handle>(({ input }) =>
      input.method === "email"
        ? postAsPerson<OtpSent>("/api/v0/users/generate_email_otp", "email_login", { user: { email: input.value } })
        : postAsPerson<OtpSent>("/api/v0/users/generate_phone_otp", "phone_login", { user: { phone: input.value } }),
    ),
    verifyCode: fromPromise<User, { handle: Handle; code: string; session: string }>(({ input }) => {
      const { handle, code, session } = input;
      return handle.method === "email"
        ? post<User>("/api/v0/users/login_email_otp", {
            user: { email: handle.value, otp: code, session_uuid: session },
          })
        : post<User>("/api/v0/users/login_phone_otp", {
            user: { phone: handle.value, otp: code, session_uuid: session },
          });
    }),
  },
});
