import { expect, test } from "vitest";
import { router } from "./router.tsx";

/** The route an address leads to, with what it reads from the address. */
function at(address: string) {
  const { pathname, search } = new URL(address, "http://desk");
  const matches = router.matchRoutes(pathname, router.options.parseSearch(search));
  const last = matches.at(-1);
  const isMissing = matches.some((match) => match._notFound === true);
  return { route: isMissing ? null : last?.fullPath, params: last?.params, search: last?.search };
}

test("addresses lead to their page, anything else to none", () => {
  const known = ["", "/leads", "/finance", "/read_models", "/grants"].map((rest) => `/workspace${rest}`);
  expect(known.map((address) => at(address).route)).toEqual(known);
  expect(at("/workspace/leads/48%2F213")).toMatchObject({
    route: "/workspace/leads/$leadId",
    params: { leadId: "48/213" },
  });
  for (const unknown of ["/workspace/health", "/workspace/leads/1/2"]) expect(at(unknown).route).toBeNull();
});

test("parameters are typed, unreadable ones count as absent", () => {
  expect(at("/workspace/leads?q=mei&p=2").search).toMatchObject({ q: "mei", status: null, p: 2 });
  expect(at("/workspace/leads/48213?v=17").search).toMatchObject({ v: 17 });
  expect(at("/workspace/leads/48213?v=soon").search).toMatchObject({ v: null });
  expect(at("/workspace/finance?payment=7&kind=stolen").search).toMatchObject({ payment: "7", kind: null });
});
