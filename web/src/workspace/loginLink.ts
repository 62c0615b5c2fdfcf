/** The login in a link that `latchkey grant` prints: a one-time code with its address. */
export interface LoginLink {
  email: string;
  session_uuid: string;
  otp: string;
}

/** Reads it from what stands behind the `#` of the address; null where there is none, or a part of it is missing. */
export function readLoginLink(hash: string): LoginLink | null {
  const named = new URLSearchParams(hash.replace(/^#/, ""));
  const [email, session_uuid, otp] = ["email", "session_uuid", "otp"].map((name) => named.get(name) ?? "");
  return email && session_uuid && otp ? { email, session_uuid, otp } : null;
}
