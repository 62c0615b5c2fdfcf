import "./errors.css";
import { useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import type { PageOf } from "../../page.ts";
import { RecentlyViewed } from "../ui/card/RecentlyViewed.tsx";
import { Lost } from "./Lost.tsx";

/** 404, or an address that is refused: what is missing, a search to go on from, and what was viewed before. */
export default function NotFoundPage({ page }: { page: PageOf<"not_found"> }) {
  const { t } = useI18n();
  const message = page.data?.message ?? null;
  return (
    <main id="main">
      <Lost code={String(page.status)} title={t("errors.not_found")} email={page.data?.support_email ?? null}>
        {joinSentences(
          t("errors.not_found_words"),
          message === "token not found" ? t("errors.token_not_found") : (message ?? t("errors.not_found_more")),
        )}
      </Lost>
      <RecentlyViewed />
    </main>
  );
}
