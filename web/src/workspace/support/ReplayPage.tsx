import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { useMachine } from "@xstate/react";
import { Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "../../api.ts";
import type { LeadTimeline } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { spaceAfter } from "../../i18n/sentences.ts";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { toast } from "../../ui/toast.tsx";
import { PlaceNotice } from "../AccessPage.tsx";
import type { IconName } from "../icon.tsx";
import { useKeys } from "../keys.ts";
import { timelineQuery } from "../queries.ts";
import { useMe, usePageActions } from "../session.ts";
import { Bone, Stopped, useSlow } from "../TableStates.tsx";
import { useStaying } from "../useStaying.ts";
import { withTexts } from "../withTexts.ts";
import { LabelKeys } from "./fieldText.ts";
import { LeadHead, PastBand } from "./LeadHead.tsx";
import { useTaking } from "./OwnerButton.tsx";
import type { History } from "./refold.ts";
import { sameStream, toCause } from "./replayKeys.ts";
import { type ReplayEvent, replayMachine } from "./replayMachine.ts";
import { placeAsked } from "./replayPlace.ts";
import { Scrubber } from "./Scrubber.tsx";
import { StatePane } from "./StatePane.tsx";
import { TimelinePane } from "./TimelinePane.tsx";
import { useLiveHistory } from "./useLiveHistory.ts";

const DoubleBand = lazyPart(async () => (await withTexts(import("./DoubleBand.tsx"), "acts")).DoubleBand);
const LeadBeside = lazyPart(async () => (await withTexts(import("./LeadBeside.tsx"), "queues")).LeadBeside);
const FinanceBand = lazyPart(async () => (await withTexts(import("./FinanceBand.tsx"), "finance_history")).FinanceBand);
const PathPane = lazyPart(async () => (await import("./PathPane.tsx")).PathPane);
const RawDrawer = lazyPart(async () => (await import("./RawDrawer.tsx")).RawDrawer);
const RevealDialog = lazyPart(async () => (await import("./RevealDialog.tsx")).RevealDialog);

const route = getRouteApi("/workspace/leads/$leadId");

/** One lead, replayed to any event of its history: `/workspace/leads/{id}?v=17`. */
export function ReplayPage() {
  const { leadId } = route.useParams();
  const timeline = useQuery({ ...timelineQuery(leadId), staleTime: 60_000, structuralSharing: false });
  const slow = useSlow(timeline.isPending);
  if (timeline.data !== undefined) {
    // With all that stands above the history: nothing is pushed down by a part that comes after it.
    return (
      <Suspense fallback={<ReplayComing />}>
        <Replay leadId={leadId} timeline={timeline.data} />
      </Suspense>
    );
  }
  if (timeline.error instanceof ApiError && timeline.error.status === 404) return <NoSuchLead />;
  return (
    <main className="main" id="work" aria-busy={timeline.isPending}>
      {timeline.error === null ? null : (
        <Stopped error={timeline.error} fetchedAt={0} onRetry={() => void timeline.refetch()} />
      )}
      {slow ? <LoadingReplay /> : null}
    </main>
  );
}

/** Looking is free; what is looked at is in the address. */
function Replay({ leadId, timeline }: { leadId: string; timeline: LeadTimeline }) {
  const { t } = useI18n();
  const { can } = useMe();
  const { history, live } = useLiveHistory(leadId, timeline);
  const { n, past, playing, speed, send } = usePlace(history.last);
  const [raw, setRaw] = useState<number | null>(null);
  const openRaw = useOpenRaw(history, setRaw);
  const [why, setWhy] = useState<string | null>(null);
  const [revealing, setRevealing] = useState(false);
  const [tab, setTab] = useState<PhoneTab>("timeline");
  const copy = useCopyLink(leadId);
  // While the play head is dragged it moves at once; the panes follow as fast as they can be drawn.
  const told = useDeferredValue(n);
  const changed = useMemo(() => history.changedSince(told), [history, told]);
  const reveal = useCallback(() => setRevealing(true), []);
  const kept = history.valueAt("lead", "double_of", history.last).value;
  const take = useTakeHere(leadId, history, past);
  useReplayKeys({ history, n, playing, why, send, onWhy: setWhy, onRaw: openRaw, onTake: take, onReveal: reveal });
  useReplayActions({ n, send, onRaw: openRaw, onCopy: copy, onReveal: reveal });
  useEffect(() => {
    document.title = `${timeline.lead.reference} · ${t("workspace.title")}`;
  }, [t, timeline.lead.reference]);
  const labels = useMemo(() => labelKeys(timeline), [timeline]);
  return (
    <LabelKeys value={labels}>
      <main className={past ? "main replay is-past" : "main replay is-now"} id="work">
        <LeadHead lead={timeline.lead} history={history} n={told} live={live} past={past} onReveal={reveal} />
        {can.leads ? <LeadBeside lead={timeline.lead} events={history.last} past={past} /> : <FinanceBand />}
        {kept === null ? null : (
          <Suspense>
            <DoubleBand leadId={leadId} kept={kept} />
          </Suspense>
        )}
        {past ? <PastBand history={history} n={n} onNow={() => send({ type: "replay.now" })} /> : null}
        <Scrubber {...{ history, n, past, playing, speed, send }} />
        <PhoneTabs tab={tab} changed={past ? changed : 0} onChoose={setTab} />
        <div className={`panes tab-${tab}`}>
          <TimelinePane {...{ history, past, send }} n={told} onRaw={openRaw} onCopy={copy} />
          <StatePane
            {...{ history, past, changed, why, send }}
            n={told}
            lead={timeline.lead}
            onWhy={setWhy}
            onReveal={reveal}
          />
          <Suspense>
            <PathPane history={history} n={told} />
          </Suspense>
        </div>
        <ReplayKeys leadId={leadId} n={past ? n : null} />
        {raw === null ? null : (
          <Suspense>
            <RawDrawer history={history} n={raw} onMove={setRaw} onClose={() => setRaw(null)} />
          </Suspense>
        )}
        {revealing ? (
          <Suspense>
            <RevealDialog leadId={leadId} reference={timeline.lead.reference} onClose={() => setRevealing(false)} />
          </Suspense>
        ) : null}
      </main>
    </LabelKeys>
  );
}

interface KeyHands {
  history: History;
  n: number;
  playing: boolean;
  why: string | null;
  send: (event: ReplayEvent) => void;
  onWhy: (why: string | null) => void;
  onRaw: (n: number) => void;
  onTake: () => void;
  onReveal: () => void;
}

function useReplayKeys({ history, n, playing, why, send, onWhy, onRaw, onTake, onReveal }: KeyHands): void {
  const { can } = useMe();
  const sendIf = (event: ReplayEvent | null) => event !== null && send(event);
  useKeys({
    arrowleft: () => send({ type: "replay.step", by: -1 }),
    arrowright: () => send({ type: "replay.step", by: 1 }),
    pageup: () => send({ type: "replay.step", by: -10 }),
    pagedown: () => send({ type: "replay.step", by: 10 }),
    home: () => send({ type: "replay.first" }),
    end: () => send({ type: "replay.now" }),
    escape: () => (why === null ? send({ type: "replay.now" }) : onWhy(null)),
    " ": () => send({ type: playing ? "replay.pause" : "replay.play" }),
    "[": () => sendIf(sameStream(history, n, "before")),
    "]": () => sendIf(sameStream(history, n, "after")),
    c: () => sendIf(toCause(history, n)),
    w: () => onWhy(why === null ? whyOf(history.event(n)) : null),
    r: () => onRaw(n),
    a: () => can.leads && onTake(),
    e: () => can.unmask && onReveal(),
  });
}

/** Takes the lead by a key; the past is for looking. */
function useTakeHere(leadId: string, history: History, past: boolean): () => void {
  const taking = useTaking();
  const owner = history.valueAt("lead", "owner", history.last).value;
  return () => {
    if (!past) taking.send({ leadId, owner });
  };
}

interface ActionHands {
  n: number;
  send: (event: ReplayEvent) => void;
  onRaw: (n: number) => void;
  onCopy: (n: number) => void;
  onReveal: () => void;
}

/** Opens an event as it is stored, for those whose business it is: finance reads a payment's. */
function useOpenRaw(history: History, open: (n: number) => void): (n: number) => void {
  const { t } = useI18n();
  const { can } = useMe();
  return useCallback(
    (n) =>
      can.leads || history.streamOf(n) === "payment" ? open(n) : toast(t("finance_history.raw_payments_only"), "error"),
    [can.leads, history, open, t],
  );
}

/** The same in the palette, by name. */
function useReplayActions({ n, send, onRaw, onCopy, onReveal }: ActionHands): void {
  const { t } = useI18n();
  const { can } = useMe();
  const action = (id: string, icon: IconName, name: MessageKey, keys: string[], run: () => void) => ({
    id,
    icon,
    name: t(name),
    keys,
    run,
  });
  usePageActions([
    action("raw", "code", "support.raw_event", ["R"], () => onRaw(n)),
    action("copy", "link", "support.copy_link", [], () => onCopy(n)),
    ...(can.unmask ? [action("reveal", "eye", "support.show_with_reason", [], onReveal)] : []),
    action("first", "first", "support.first_event", ["Home"], () => send({ type: "replay.first" })),
    action("now", "last", "support.back_to_now", ["Esc"], () => send({ type: "replay.now" })),
  ]);
}

function labelKeys({ fields }: LeadTimeline): ReadonlyMap<string, string> {
  return new Map(fields.map(({ stream, field, label_key }) => [`${stream}/${field}`, label_key]));
}

/** The first value event `n` set: the one `W` asks about. */
function whyOf(event: LeadTimeline["events"][number] | undefined): string | null {
  const change = event?.changes[0];
  return event === undefined || change === undefined ? null : `${event.stream}/${change.field}`;
}

/** The place in the history, kept in step with `?v=` of the address. */
function usePlace(last: number) {
  const router = useRouter();
  const isStaying = useStaying();
  const { v: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const [state, send] = useMachine(replayMachine, { input: { last, start: asked } });
  const past = state.hasTag("past");
  const n = Math.min(state.context.n, last);
  const shown = past ? n : null;
  const written = useRef(asked);
  useEffect(() => {
    send({ type: "replay.arrived", last });
  }, [send, last]);
  // A link or the Back button names another moment of the same lead. A place written here may arrive after the next one was
  // written: only the newest address counts.
  useEffect(() => {
    if (asked === written.current || asked !== placeAsked(router.latestLocation.search.v)) return;
    written.current = asked;
    send(asked === null ? { type: "replay.now" } : { type: "replay.seek", n: asked });
  }, [router, asked, send]);
  // Browsers allow only so many address changes a second: a drag writes the place where it rests.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      if (!isStaying()) return;
      written.current = shown;
      void navigate({ search: { v: shown }, replace: true, resetScroll: false });
    }, 150);
    return () => window.clearTimeout(timer);
  }, [navigate, isStaying, shown]);
  return { n, past, playing: state.hasTag("playing"), speed: state.context.speed, send };
}

/** The address of a moment of the lead, or of now. */
function useHrefOf(leadId: string): (n: number | null) => string {
  const router = useRouter();
  return useCallback(
    (v) => router.buildLocation({ to: "/workspace/leads/$leadId", params: { leadId }, search: { v } }).href,
    [router, leadId],
  );
}

function useCopyLink(leadId: string): (n: number) => void {
  const { t } = useI18n();
  const hrefOf = useHrefOf(leadId);
  return useCallback(
    (n) => {
      const link = new URL(hrefOf(n), location.origin).href;
      navigator.clipboard.writeText(link).then(
        () => toast(t("support.link_copied")),
        () => toast(t("support.link_not_copied"), "error", { detail: link }),
      );
    },
    [hrefOf, t],
  );
}

type PhoneTab = "timeline" | "state" | "path";

/** On a phone the three panes take turns under the scrubber. */
function PhoneTabs({ tab, changed, onChoose }: { tab: PhoneTab; changed: number; onChoose: (tab: PhoneTab) => void }) {
  const { t } = useI18n();
  const names: Record<PhoneTab, string> = {
    timeline: t("support.timeline"),
    state: changed > 0 ? t("support.state_changed", { n: changed }) : t("support.state"),
    path: t("support.path"),
  };
  return (
    <fieldset className="mtabs seg" aria-label={t("support.panes")}>
      {(["timeline", "state", "path"] as const).map((one) => (
        <button key={one} type="button" aria-pressed={one === tab} onClick={() => onChoose(one)}>
          {names[one]}
        </button>
      ))}
    </fieldset>
  );
}

function ReplayKeys({ leadId, n }: { leadId: string; n: number | null }) {
  const { t } = useI18n();
  const hrefOf = useHrefOf(leadId);
  const keys: [string[], string][] = [
    [["←", "→"], t("support.key_step")],
    [["Space"], t("support.key_play")],
    [["[", "]"], t("support.key_same_stream")],
    [["C"], t("support.key_cause")],
    [["W"], t("support.key_why")],
    [["R"], t("support.key_raw")],
  ];
  return (
    <div className="keys">
      {keys.map(([caps, name]) => (
        <span key={name}>
          {caps.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
          {name}
        </span>
      ))}
      <span className="end c-wide">
        {t("support.link_here")}
        {spaceAfter(t("support.link_here"))}
        <span className="mono cut">{hrefOf(n).replace("/workspace/", "")}</span>
      </span>
    </div>
  );
}

function NoSuchLead() {
  const { t } = useI18n();
  return (
    <PlaceNotice icon="search" title={t("support.no_lead_title")} text={t("support.no_lead_text")}>
      <Link className="btn" to="/workspace/leads">
        {t("support.to_leads")}
      </Link>
    </PlaceNotice>
  );
}

const PANES = [
  { pane: "timeline", lines: [40, 78, 64, 84, 58, 72, 66] },
  { pane: "state", lines: [30, 88, 88, 88, 88, 88, 88] },
  { pane: "path", lines: [36, 60, 60, 60] },
];

/** The head, the scrubber and the panes, grey. */
function ReplayComing() {
  return (
    <main className="main" id="work" aria-busy="true">
      <LoadingReplay />
    </main>
  );
}

function LoadingReplay() {
  const { t } = useI18n();
  return (
    <div className="loading-replay" aria-busy="true">
      <div className="vh" role="status">
        <h1>{t("support.loading_history")}</h1>
      </div>
      <header>
        <Bone width={180} />
        <Bone width={320} look="s" />
      </header>
      <span className="sk scrubbed" />
      <div className="panes">
        {PANES.map(({ pane, lines }) => (
          <div key={pane} className="pane">
            {lines.map((width, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines that never change
              <span key={line} className="sk line" style={{ width: `${width}%`, opacity: 1 - line * 0.12 }} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
