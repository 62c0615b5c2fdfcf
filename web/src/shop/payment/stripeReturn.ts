/** What Stripe adds to the address when it sends a payer back from the page of a bank or wallet. */
const ADDED = ["payment_intent", "payment_intent_client_secret", "redirect_status"] as const;

const TAKEN_ON = ["succeeded", "pending", "processing"];

/** Whether the bank's page has taken the payment on, as the address says; what became of it the server alone knows. */
export function hasReturned(url: string): boolean {
  const asked = new URLSearchParams(url.split("?")[1] ?? "");
  return asked.has("payment_intent_client_secret") && TAKEN_ON.includes(asked.get("redirect_status") ?? "");
}

/** The address without the intent's secret, and without what else Stripe added. */
export function withoutRedirect(url: string): string {
  const [path = "", query] = url.split("?");
  if (query === undefined) return url;
  const asked = new URLSearchParams(query);
  if (!ADDED.some((name) => asked.has(name))) return url;
  for (const name of ADDED) asked.delete(name);
  const rest = asked.toString();
  return rest === "" ? path : `${path}?${rest}`;
}
