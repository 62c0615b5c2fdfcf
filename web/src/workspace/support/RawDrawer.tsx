import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import type { RawEvent } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { Icon } from "../icon.tsx";
import { Json } from "../Json.tsx";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { rawEventQuery } from "../queries.ts";
import { Scrolling } from "../Scrolling.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { useActorName } from "./actorName.ts";
import { useSpan } from "./LeadTable.tsx";
import type { History } from "./refold.ts";
import { StreamMark } from "./StreamMark.tsx";
import { useSentence } from "./sentence.ts";

interface RawDrawerProps {
  history: History;
  n: number;
  onMove: (n: number) => void;
  onClose: () => void;
}

/** The machine behind the sentence: one event exactly as stored. */
export function RawDrawer({ history, n, onMove, onClose }: RawDrawerProps) {
  const { t } = useI18n();
  const { number } = useFormat();
  const heading = useId();
  const event = history.event(n);
  const raw = useQuery({ ...rawEventQuery(event?.position ?? 0), enabled: event !== undefined });
  const stored = raw.data;
  return (
    <Overlay kind="side" labelledBy={heading} onClose={onClose}>
      <div className="w-drawer">
        <header>
          <div className="grow">
            <h2 id={heading}>{t("support.raw_title", { n })}</h2>
            <p className="sub">
              {event?.type}
              {stored === undefined ? "" : ` · ${t("support.raw_version", { n: stored.schema_version })}`} ·{" "}
              {t("support.raw_position", { n: number(event?.position ?? 0) })}
            </p>
          </div>
          {stored === undefined ? null : <CopyButton stored={stored} />}
          <CloseButton onClose={onClose} />
        </header>
        <Scrolling className="body">
          {raw.error === null ? null : (
            <Stopped error={raw.error} fetchedAt={raw.dataUpdatedAt} onRetry={() => void raw.refetch()} />
          )}
          {stored === undefined ? <Waiting /> : <Stored stored={stored} history={history} n={n} onMove={onMove} />}
        </Scrolling>
        <footer>
          <button type="button" className="btn" disabled={n <= 1} onClick={() => onMove(n - 1)}>
            <Icon name="left" size="s" />
            {t("support.event_n", { n: Math.max(1, n - 1) })}
          </button>
          <button type="button" className="btn" disabled={n >= history.last} onClick={() => onMove(n + 1)}>
            {t("support.event_n", { n: Math.min(history.last, n + 1) })}
            <Icon name="right" size="s" />
          </button>
        </footer>
      </div>
    </Overlay>
  );
}

function Waiting() {
  return (
    <div className="col gap12" aria-hidden="true">
      {[320, 280, 300, 200].map((width) => (
        <Bone key={width} width={width} />
      ))}
    </div>
  );
}

function CopyButton({ stored }: { stored: RawEvent }) {
  const { t } = useI18n();
  const copy = () =>
    void navigator.clipboard.writeText(JSON.stringify(stored, null, 2)).then(
      () => toast(t("support.raw_copied")),
      () => toast(t("support.raw_not_copied"), "error"),
    );
  return (
    <button type="button" className="btn sm" onClick={copy}>
      <Icon name="copy" size="s" />
      {t("support.copy")}
    </button>
  );
}

interface StoredProps {
  stored: RawEvent;
  history: History;
  n: number;
  onMove: (n: number) => void;
}

function Stored({ stored, history, n, onMove }: StoredProps) {
  const { t } = useI18n();
  return (
    <>
      <Facts stored={stored} history={history} n={n} onMove={onMove} />
      <div>
        <h3>{t("support.payload")}</h3>
        <Json value={stored.payload} />
        {stored.sealed ? (
          <p className="sub row sealed">
            <Icon name="lock" size="xs" />
            {t("support.sealed")}
          </p>
        ) : null}
      </div>
      <Followed history={history} n={n} onMove={onMove} />
      <div>
        <h3>{t("support.chain_place")}</h3>
        <div className="hashes w-two">
          <Hash name={t("support.chain_this")} value={stored.leaf} />
          <Icon name="arrow" size="s" />
          <Hash name={t("support.chain_after")} value={stored.chain} />
        </div>
      </div>
    </>
  );
}

function Facts({ stored, history, n, onMove }: StoredProps) {
  const { t } = useI18n();
  const sentence = useSentence();
  const actorName = useActorName();
  const because = history.event(history.event(n)?.because_of ?? 0);
  const actor = history.event(n)?.actor;
  return (
    <dl className="w-facts">
      <Fact name={t("support.recorded")} look="num" value={moment(stored.recorded_at)} />
      <Fact name={t("support.happened")} look="num" value={moment(stored.occurred_at)} />
      <Fact
        name={t("support.stream")}
        look="mono"
        value={stored.stream + t("workspace.comma") + t("support.revision", { n: stored.revision })}
      />
      <Fact name={t("support.actor")} look="" value={actor === undefined ? stored.actor_kind : actorName(actor)} />
      <Fact
        name={t("support.because")}
        look=""
        value={
          because === undefined ? (
            t("support.no_cause")
          ) : (
            <button type="button" className="link" onClick={() => onMove(because.n)}>
              {because.n} {sentence(because)}
            </button>
          )
        }
      />
      <Fact name={t("support.correlation")} look="mono" value={stored.correlation_id} />
      <Fact name={t("support.event_id")} look="mono" value={stored.event_id} />
      <Fact name={t("support.command")} look="mono" value={stored.command_id ?? "—"} />
    </dl>
  );
}

/** 2026-11-13 10:41:07.218904 UTC, as precisely as it was stored. */
function moment(iso: string): string {
  return `${iso.replace("T", " ").replace(/(Z|\+00:00)$/, "")} UTC`;
}

function Fact({ name, look, value }: { name: string; look: "" | "num" | "mono"; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={look}>{value}</dd>
    </div>
  );
}

function Followed({ history, n, onMove }: Pick<StoredProps, "history" | "n" | "onMove">) {
  const { t } = useI18n();
  const sentence = useSentence();
  const span = useSpan();
  const at = Date.parse(history.event(n)?.recorded_at ?? "");
  const effects = history.effects(n);
  if (effects.length === 0) return null;
  return (
    <div>
      <h3>{t("support.followed")}</h3>
      <ul className="follow">
        {effects.slice(0, 8).map((event) => {
          const after = Date.parse(event.recorded_at) - at;
          return (
            <li key={event.n}>
              <StreamMark stream={event.stream} failed={event.failed} />
              <button type="button" onClick={() => onMove(event.n)}>
                {event.n} {sentence(event)}
              </button>
              <span className="sub num">
                {after < 1000 ? t("support.same_second") : t("support.after", { span: span(after) })}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** `c3f8 12aa … 4e07`, whole in the title. */
function Hash({ name, value }: { name: string; value: string }) {
  const short = value.length <= 16 ? value : `${value.slice(0, 4)} ${value.slice(4, 8)} … ${value.slice(-4)}`;
  return (
    <div>
      <span className="sub">{name}</span>
      <code title={value}>{short}</code>
    </div>
  );
}
