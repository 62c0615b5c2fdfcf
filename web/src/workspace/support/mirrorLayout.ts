/** The machines of the student's pages on paper, for the view of their steps; a payment's is the replay's own. */
import leadSteps from "../../contract/steps.lead.json";
import paymentSteps from "../../contract/steps.payment.json";
import type { MirrorPage } from "../../contract/wire.ts";
import { type DrawnMachine, draw, LAYOUTS, type MachineLayout, type StepTable } from "./machineLayout.ts";

const LEAD_FORM: MachineLayout = {
  width: 332,
  height: 346,
  start: "closed",
  jumps: "drawn",
  boxes: {
    closed: { x: 113, y: 3, width: 106 },
    form: { x: 113, y: 75, width: 106 },
    submitting: { x: 113, y: 147, width: 106 },
    failure: { x: 1, y: 147, width: 92 },
    continuation: { x: 107, y: 219, width: 118 },
    saving: { x: 245, y: 219, width: 86 },
    confirmation: { x: 107, y: 307, width: 118 },
    requesting_viewing: { x: 1, y: 263, width: 100 },
  },
  routes: {
    "closed>form": { path: "M166 37V73" },
    "form>submitting": { path: "M166 109V145" },
    "submitting>failure": { path: "M113 164H95" },
    "submitting>form": { path: "M219 160C262 154 262 100 221 96" },
    "failure>submitting": { path: "M80 181C84 200 128 200 140 183" },
    "submitting>continuation": { path: "M166 181V217" },
    "continuation>saving": { path: "M225 236H243" },
    "saving>confirmation": { path: "M288 253C288 300 262 322 227 324" },
    "continuation>confirmation": { path: "M166 253V305" },
    "confirmation>requesting_viewing": { path: "M107 324C70 324 50 318 48 299" },
  },
};

const BOOKING_FORM: MachineLayout = {
  width: 332,
  height: 418,
  start: "finding",
  jumps: "drawn",
  boxes: {
    finding: { x: 113, y: 3, width: 106 },
    unreachable: { x: 1, y: 3, width: 92 },
    room: { x: 113, y: 75, width: 106 },
    starting: { x: 113, y: 147, width: 106 },
    filling: { x: 113, y: 219, width: 106 },
    completing: { x: 241, y: 219, width: 90 },
    submitting: { x: 113, y: 309, width: 106 },
    submitted: { x: 113, y: 381, width: 106 },
  },
  routes: {
    "finding>unreachable": { path: "M113 20H95" },
    "finding>room": { path: "M166 37V73" },
    "finding>filling": { path: "M219 24C284 40 284 200 221 230" },
    "room>starting": { path: "M166 109V145" },
    "starting>filling": { path: "M166 181V217" },
    "filling>completing": { path: "M219 236H239" },
    "completing>filling": { path: "M276 253C264 268 230 266 214 255" },
    "completing>submitting": { path: "M288 253C288 300 262 324 221 326" },
    "submitting>submitted": { path: "M166 343V379" },
    "filling>room": { path: "M113 232C76 210 76 110 111 94" },
  },
};

/** The booking form's steps, as its machine takes them. */
const BOOKING_STEPS: StepTable = {
  finding: { begin: "room", resume: "filling", fail: "unreachable" },
  unreachable: { retry: "finding" },
  room: { choose: "starting" },
  starting: { start: "filling", refuse: "room" },
  filling: { continue: "completing", change_room: "room" },
  completing: { next: "filling", finish: "submitting" },
  submitting: { sent: "submitted", refuse: "filling" },
  submitted: {},
};

const MACHINES: Readonly<Record<MirrorPage, [MachineLayout, StepTable]>> = {
  lead_form: [LEAD_FORM, leadSteps],
  booking_form: [BOOKING_FORM, BOOKING_STEPS],
  payment: [LAYOUTS.payment, paymentSteps],
};

/** The way of a page on paper: substates stand for their state, and what only the browser passes is left out. */
export function drawnWay(page: MirrorPage, way: readonly string[]): DrawnMachine {
  const [layout, table] = MACHINES[page];
  const outer = way.map((state) => state.split(".")[0] ?? state);
  return draw(
    layout,
    table,
    outer.filter((state) => layout.boxes[state] !== undefined),
  );
}
