import { useI18n } from "../../i18n/i18n.tsx";
import type { LoginTrouble } from "./loginMachine.ts";

/** The server's own sentence where it sent one, else ours (Spec §8: falls back to 'Something went wrong'). */
export function useTroubleText(trouble: LoginTrouble | null): string | null {
  const { t } = useI18n();
  if (!trouble) return null;
  if (trouble.code === "offline" || trouble.code === "timeout") return t("login.offline");
  // A limit is told with its seconds by the server's own sentence.
  return trouble.code === "unreadable" || trouble.message === "" ? t("login.failed") : trouble.message;
}
