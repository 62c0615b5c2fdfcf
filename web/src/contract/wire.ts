/**
 * The shapes that travel between the server and the browser, made from the document the server serves (`make contract`): to
 * change one, change the server. Amounts named `…_minor` are whole minor units; prices of v0 answers are decimal numbers (X5);
 * times are RFC 3339 in UTC.
 */
export type * from "./served.ts";
