import "./support.css";
import { get, post } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";
import { type Answering, Thread, ThreadComing } from "./Thread.tsx";
import { useAsked } from "./useAsked.ts";

/** `/support/{token}`: the link of a mail opens one conversation, to read and to answer, without a login. */
export default function SupportLinkPage({ page }: { page: PageOf<"support_link"> }) {
  const { t } = useI18n();
  const { token } = page.data;
  const { asked, again, put } = useAsked(token, (options) =>
    get("/api/v0/support/links/{token}", { path: { token }, ...options }),
  );
  const answer: Answering = (words, idempotencyKey) =>
    post("/api/v0/support/links/{token}/messages", { path: { token }, body: { words }, idempotencyKey });
  return (
    <main id="main" className="wrap chat-page">
      {asked.at === "loading" ? <ThreadComing /> : null}
      {asked.at === "failed" && asked.status === 404 ? (
        <div className="stack g16">
          <h1 className="t-28">{t("cases.link_over_title")}</h1>
          <p>{t("cases.link_over")}</p>
          <p>
            <Link href={paths.support()}>{t("cases.title")}</Link>
          </p>
        </div>
      ) : null}
      {asked.at === "failed" && asked.status !== 404 ? (
        <div className="stack g16">
          <Banner kind="error">{t("cases.failed")}</Banner>
          <div>
            <Button onClick={again}>{t("cases.try_again")}</Button>
          </div>
        </div>
      ) : null}
      {asked.at === "there" ? <Thread thread={asked.answer} answer={answer} onAnswered={put} /> : null}
    </main>
  );
}
