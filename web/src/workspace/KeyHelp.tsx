import { useId } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import type { MessageKey } from "../i18n/keys.ts";
import { CloseButton, Overlay } from "./Overlay.tsx";

const groups: readonly { title: MessageKey; keys: readonly (readonly [readonly string[], MessageKey])[] }[] = [
  {
    title: "workspace.keys_everywhere",
    keys: [
      [["Ctrl K"], "workspace.key_find"],
      [["?"], "workspace.key_all"],
      [["H"], "workspace.past_open"],
      [["Esc"], "workspace.key_close"],
    ],
  },
  {
    title: "workspace.keys_lists",
    keys: [
      [["J", "K"], "workspace.key_move"],
      [["↵"], "workspace.key_open"],
      [["/"], "workspace.key_search"],
      [["A"], "support.key_assign"],
      [["N"], "acts.note"],
      [["R"], "acts.write"],
      [["C"], "acts.close"],
      [["X"], "acts.key_choose"],
      [["M"], "acts.menu"],
      [["E"], "support.key_show"],
      [["W"], "support.key_why"],
    ],
  },
  {
    title: "workspace.homes",
    keys: [
      [["J", "K"], "workspace.key_move"],
      [["↵"], "workspace.key_open"],
      [["/"], "workspace.key_search"],
      [["X"], "homes.key_choose"],
      [["P"], "homes.key_pause"],
      [["N"], "homes.add"],
    ],
  },
  {
    title: "workspace.feeds",
    keys: [
      [["J", "K"], "workspace.key_move"],
      [["↵"], "workspace.key_open"],
      [["N"], "imports.new"],
    ],
  },
  {
    title: "workspace.keys_finance",
    keys: [
      [["J", "K"], "workspace.key_move"],
      [["↵"], "finance.key_ledger"],
      [["/"], "workspace.key_search"],
      [["T"], "finance.key_as_of"],
      [["W"], "support.key_why"],
    ],
  },
  {
    title: "workspace.keys_replay",
    keys: [
      [["←", "→"], "support.key_step"],
      [["PgUp", "PgDn"], "support.key_far"],
      [["Home", "End"], "support.key_ends"],
      [["Space"], "support.key_play"],
      [["[", "]"], "support.key_same_stream"],
      [["C"], "support.key_cause"],
      [["W"], "support.key_why"],
      [["R"], "support.key_raw"],
      [["A"], "support.key_assign"],
      [["N"], "acts.note"],
      [["X"], "support.export"],
      [["M"], "acts.menu"],
      [["F"], "what_if.open"],
      [["M", "R"], "acts.write"],
      [["M", "C"], "acts.close"],
      [["M", "V"], "acts.mirror"],
      [["E"], "support.key_show"],
    ],
  },
];

/** Every key of the workspace in one place. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const heading = useId();
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg key-help">
        <header>
          <h2 id={heading}>{t("workspace.keys_title")}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">
          {groups.map(({ title, keys }) => (
            <section key={title}>
              <h3>{t(title)}</h3>
              <dl>
                {keys.map(([caps, name]) => (
                  <div key={name}>
                    <dt>
                      {caps.map((cap) => (
                        <kbd key={cap}>{cap}</kbd>
                      ))}
                    </dt>
                    <dd>{t(name)}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </Overlay>
  );
}
