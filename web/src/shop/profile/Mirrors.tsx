import { useEffect, useState } from "react";
import { get } from "../../api.ts";
import type { OwnMirror } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ListComing } from "../ui/skeleton.tsx";

type Loaded = { state: "loading" } | { state: "failed" } | { state: "there"; mirrors: OwnMirror[] };

/** When support saw the steps of my pages: where, and for how many seconds (row N11). */
export function Mirrors() {
  const { t } = useI18n();
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const leaving = new AbortController();
    get("/api/v0/users/mirrors", { signal: leaving.signal, fresh: true }).then(
      (mirrors) => setLoaded({ state: "there", mirrors }),
      () => {
        if (!leaving.signal.aborted) setLoaded({ state: "failed" });
      },
    );
    return () => leaving.abort();
  }, [round]);
  return (
    <section className="card pad account" aria-labelledby="mirrors-title">
      <h2 className="t-18" id="mirrors-title">
        {t("mirror.list_title")}
      </h2>
      <p className="soft erase-text">{t("mirror.list_text")}</p>
      {loaded.state === "loading" ? <ListComing words={t("mirror.list_loading")} none={t("mirror.list_none")} /> : null}
      {loaded.state === "failed" ? (
        <div className="stack g16">
          <Banner kind="error">{t("mirror.list_failed")}</Banner>
          <Button onClick={() => setRound((last) => last + 1)}>{t("mirror.try_again")}</Button>
        </div>
      ) : null}
      {loaded.state === "there" ? <List mirrors={loaded.mirrors} /> : null}
    </section>
  );
}

function List({ mirrors }: { mirrors: OwnMirror[] }) {
  const { t } = useI18n();
  const own = useOwnTime();
  if (mirrors.length === 0) return <p className="soft">{t("mirror.list_none")}</p>;
  return (
    <ul className="stack g16 data-reads">
      {mirrors.map((mirror) => (
        <li key={mirror.began_at}>
          <p className="m">
            {t("mirror.list_line", {
              who: t(`looks.role_${mirror.role ?? "former"}`),
              page: t(`mirror.page_${mirror.page}`),
            })}
          </p>
          <p className="t-14 muted">
            {own.moment(mirror.began_at)} ·{" "}
            {mirror.seconds === null ? t("mirror.list_now") : t("mirror.list_seconds", { n: mirror.seconds })}
          </p>
        </li>
      ))}
    </ul>
  );
}
