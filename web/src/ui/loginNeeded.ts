/** An enquiry that was open to its link belongs to an account by now (decision 0026): its login is needed to change it. */
export const isLoginNeeded = (failure: unknown): boolean =>
  typeof failure === "object" && failure !== null && "code" in failure && failure.code === "log_in_first";
