import "./errors.css";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Lost } from "./Lost.tsx";

/** 500: something of ours is broken; the search and the way home still work. */
export default function ServerErrorPage({ page }: { page: PageOf<"server_error"> }) {
  const { t } = useI18n();
  return (
    <main id="main">
      <Lost code="500" title={t("errors.server_error")} email={page.data?.support_email ?? null}>
        {t("errors.server_error_words")}
      </Lost>
    </main>
  );
}
