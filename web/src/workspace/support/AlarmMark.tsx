import type { LeadView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../icon.tsx";

/** Marks a segment of one's own that sends a mail when more leads are in it. */
export function AlarmMark({ view }: { view: LeadView }) {
  const { t } = useI18n();
  if (!view.alarm || !view.own) return null;
  const words = t("support.alarm_on");
  return (
    <span title={words}>
      <Icon name="mail" size="xs" />
      <span className="vh">{words}</span>
    </span>
  );
}
