import { useI18n } from "../../i18n/i18n.tsx";
import type { LoginTrouble } from "./loginMachine.ts";

/** The server's own sentence where it sent one, else ours (Spec §8: falls back to 'Something went wrong'). */
export function useTroubleText(trouble: LoginTrouble | null): string | null {
  const { t } = useI18n();
  if (!trouble) return null;
  if (trouble.code === "offline" || trouble.code === "timeout") return t("login.offline");
  if (trouble.code === "replaced") return t("start.new_version");
  // A limit is told with its seconds by the server's own sentence.
  const isServersWord = trouble.code !== "unreadable" && trouble.code !== "unreachable" && trouble.message !== "";
  return isServersWord ? trouble.message : t("login.failed");
}
