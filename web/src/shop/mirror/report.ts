/** What support is told of a machine: names of its state, its conditions and its fields, never a value. */
import type { StateValue } from "xstate";
import type { MirrorGuard, MirrorReport, MirrorState } from "../../contract/wire.ts";
import { isOver } from "../ui/linkOver.ts";
import type { Mirrored, MirroredContext } from "../ui/mirrored.ts";

/** `{ filling: "saving" }` as `filling.saving`; that each state of the machines is in the server's list, a test says. */
export function stateName(value: StateValue): MirrorState;
export function stateName(value: StateValue): string {
  return typeof value === "string"
    ? value
    : Object.entries(value)
        .map(([outer, inner]) => `${outer}.${inner}`)
        .join();
}

/** A field's or code's name as the server takes it: its last part, in small letters; null where it is no name. */
export function plainName(name: string): string | null {
  const last =
    name
      .split("/")
      .at(-1)
      ?.replace(/^(field|lead|booker)-/, "")
      .replace(/[-[\]]/g, "_")
      .toLowerCase() ?? "";
  return /^[a-z0-9_.]{1,40}$/.test(last) && last.replace(/\D/g, "").length <= 1 ? last : null;
}

function faultsOf(mirrored: Mirrored, { refusals = [] }: MirroredContext): MirrorReport["faults"] {
  const named = [...mirrored.faults, ...refusals.map(({ field, code }) => [field, code] as const)];
  const faults = named.flatMap(([field, code]) => {
    const [fieldName, codeName] = [plainName(field), plainName(code)];
    return fieldName === null || codeName === null ? [] : [{ field: fieldName, code: codeName }];
  });
  return [...new Map(faults.map((fault) => [fault.field, fault])).values()].slice(0, 60);
}

const GUARDS: readonly MirrorGuard[] = [
  "answers_complete",
  "no_clash",
  "form_up_to_date",
  "link_open",
  "payment_known",
  "room_free",
];

/** Conditions that hold the page up. */
function guardsOf(state: string, context: MirroredContext, hasFaults: boolean): MirrorGuard[] {
  const { clashes = [], stayClashes = [], refusals = [], payment } = context;
  const failing: Record<MirrorGuard, boolean> = {
    answers_complete: hasFaults,
    no_clash: clashes.length + stayClashes.length > 0,
    form_up_to_date: refusals.some(({ code }) => code === "incomplete" || code === "already_submitted"),
    link_open: payment ? isOver(payment) : false,
    payment_known: state === "missing",
    room_free: state === "sold_out",
  };
  return GUARDS.filter((guard) => failing[guard]);
}

/** The report of the machine on top. `retries`: how often the network failed since the mirror began. */
export function reportOf(mirrored: Mirrored, fields: readonly string[], retries: number): MirrorReport {
  const { value, context } = mirrored.actor.getSnapshot();
  const state = stateName(value);
  const faults = faultsOf(mirrored, context);
  return {
    page: mirrored.page,
    state,
    guards: guardsOf(state, context, faults.length > 0),
    faults,
    fields: [...new Set(fields.flatMap((field) => plainName(field) ?? []))].slice(0, 60),
    retries,
    declined: context.payment?.decline?.code ?? null,
  };
}

/** States in which the network, or the server behind it, did not answer. */
const CUT_OFF: ReadonlySet<string> = new Set(["failure", "filling.kept", "unreachable", "init_failure"]);

/** Whether going from one state to another is another failure of the network. */
export function isRetry(before: string | null, state: string): boolean {
  return before !== state && CUT_OFF.has(state);
}
