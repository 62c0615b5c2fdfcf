import type { FeedHealth, SystemHealth } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { Check } from "./Check.tsx";
import { sayWhen } from "./sayWhen.ts";

/** Feeds that are fetched on a schedule; nothing where there are none, and a word where it is not known. */
export function Feeds({ health }: { health: Pick<SystemHealth, "checked_at" | "feeds"> }) {
  const { t } = useI18n();
  const { feeds = null } = health;
  if (feeds?.length === 0) return null;
  return (
    <section className="card" aria-labelledby="feeds">
      <header>
        <h2 id="feeds">{t("admin.feeds")}</h2>
        {feeds === null ? <span className="sub">{t("admin.unknown")}</span> : null}
      </header>
      {feeds === null ? null : <FeedTable feeds={feeds} now={health.checked_at} />}
    </section>
  );
}

function FeedTable({ feeds, now }: { feeds: FeedHealth[]; now: string }) {
  const { t } = useI18n();
  return (
    <table className="tbl hl">
      <thead>
        <tr>
          <th scope="col">{t("admin.feed")}</th>
          <th scope="col" className="c-wide">
            {t("admin.feed_last")}
          </th>
          <th scope="col" className="c-wide">
            {t("admin.feed_next")}
          </th>
          <th scope="col">{t("admin.state")}</th>
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => (
          <FeedRow key={feed.name} feed={feed} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function FeedRow({ feed, now }: { feed: FeedHealth; now: string }) {
  const { t, lang } = useI18n();
  return (
    <tr className={feed.is_failing ? "att" : undefined}>
      <td>
        {feed.name}
        {feed.failure === null ? null : <span className="sub feed-why">{feed.failure}</span>}
      </td>
      <td className="c-wide">
        <LastImport feed={feed} now={now} />
      </td>
      <td className="c-wide">{feed.due_at === null ? t("admin.unknown") : sayWhen(feed.due_at, now, lang)}</td>
      <td>
        <Check ok={feed.ended !== "failed"}>{stateOf(feed, t)}</Check>
      </td>
    </tr>
  );
}

function LastImport({ feed, now }: { feed: FeedHealth; now: string }) {
  const { t, lang } = useI18n();
  const { number } = useFormat();
  const last = feed.last_import;
  if (last === null) return t("admin.feed_no_import");
  return (
    <>
      {sayWhen(last.at, now, lang)}
      <span className="sub feed-why">
        {t("admin.feed_counts", {
          added: number(last.added),
          changed: number(last.changed),
          rejected: number(last.rejected),
        })}
      </span>
    </>
  );
}

function stateOf(feed: FeedHealth, t: ReturnType<typeof useI18n>["t"]): string {
  if (feed.is_running) return t("admin.feed_running");
  return feed.ended === null ? t("admin.feed_waiting") : t(`admin.feed_${feed.ended}`);
}
