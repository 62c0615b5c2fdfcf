import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { OwnDataRead } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ListComing } from "../ui/skeleton.tsx";

type Loaded = { state: "loading" } | { state: "failed" } | { state: "there"; reads: OwnDataRead[] };

/** Who looked at my data: what, when and in which role, in plain words (row I6). */
export function DataReads() {
  const { t } = useI18n();
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const leaving = new AbortController();
    get("/api/v0/users/data_reads", { signal: leaving.signal, fresh: true }).then(
      (reads) => setLoaded({ state: "there", reads }),
      () => {
        if (!leaving.signal.aborted) setLoaded({ state: "failed" });
      },
    );
    return () => leaving.abort();
  }, [round]);
  return (
    <section className="card pad account" aria-labelledby="reads-title">
      <h2 className="t-18" id="reads-title">
        {t("looks.title")}
      </h2>
      <p className="soft erase-text">{t("looks.text")}</p>
      {loaded.state === "loading" ? <ListComing words={t("looks.loading")} none={t("looks.none")} /> : null}
      {loaded.state === "failed" ? (
        <div className="stack g16">
          <Banner kind="error">{t("looks.failed")}</Banner>
          <Button onClick={() => setRound((last) => last + 1)}>{t("looks.try_again")}</Button>
        </div>
      ) : null}
      {loaded.state === "there" ? <Reads reads={loaded.reads} /> : null}
    </section>
  );
}

function Reads({ reads }: { reads: OwnDataRead[] }) {
  const { t } = useI18n();
  const own = useOwnTime();
  if (reads.length === 0) return <p className="soft">{t("looks.none")}</p>;
  return (
    <ul className="stack g16 data-reads">
      {reads.map((read) => (
        <li key={`${read.looked_at}${read.reference}${read.what ?? ""}`}>
          <p className="m">
            {t("looks.line", {
              who: t(`looks.role_${read.role ?? "former"}`),
              what: t(`looks.what_${read.what ?? "unsaid"}`),
            })}
          </p>
          <p className="t-14 muted">
            {own.moment(read.looked_at)}
            {read.reference === "" ? null : ` · ${t("looks.about", { reference: read.reference })}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
