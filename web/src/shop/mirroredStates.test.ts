import { expect, test } from "vitest";
import document from "../contract/openapi.json";
import { bookingMachine } from "./booking/bookingMachine.ts";
import { leadFormMachine } from "./lead/leadFormMachine.ts";
import { stateName } from "./mirror/report.ts";
import { paymentMachine } from "./payment/paymentMachine.ts";

interface Node {
  states: Record<string, Node>;
}

/** Every state of a machine, as it is told. */
function statesOf(machine: Node): string[] {
  return Object.entries(machine.states).flatMap(([outer, { states }]) => {
    const inner = Object.keys(states);
    return inner.length === 0 ? [outer] : inner.map((name) => stateName({ [outer]: name }));
  });
}

test("every state of the machines is in the server's list", () => {
  const known: readonly string[] = document.components.schemas.MirrorState.enum;
  const states = [leadFormMachine, bookingMachine, paymentMachine].flatMap((machine) => statesOf(machine));
  expect(states.filter((state) => !known.includes(state))).toEqual([]);
});
