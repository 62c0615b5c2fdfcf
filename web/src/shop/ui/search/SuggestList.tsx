import type { ReactNode } from "react";
import type { SuggestItem } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";

/** Answers of one kind under their heading. */
export interface Group {
  key: string;
  label: string;
  icon: IconName;
  items: SuggestItem[];
  count?: (homes: number) => string;
}

/** What has been heard about what is typed now. */
export type Answer = "none_yet" | "some" | "nothing" | "failed";

interface SuggestListProps {
  id: string;
  groups: Group[];
  /** The marked option, −1 for none. */
  at: number;
  text: string;
  answer: Answer;
  onPick: (item: SuggestItem) => void;
}

/** What the place search found, in groups; names are never cut. */
export function SuggestList({ id, groups, at, text, answer, onPick }: SuggestListProps) {
  const { t } = useI18n();
  let index = -1;
  return (
    <div className="combo">
      <div role="listbox" id={`${id}-list`} aria-label={t("shell.places")}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, and a fieldset is none
          <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
            <p className="combo-h" id={`${id}-${group.key}`}>
              {group.label}
            </p>
            {group.items.map((item) => {
              index += 1;
              return (
                <Option
                  key={`${item.href}`}
                  {...{ item, group, text, onPick }}
                  id={`${id}-option-${index}`}
                  on={index === at}
                />
              );
            })}
          </div>
        ))}
      </div>
      {answer === "nothing" || answer === "failed" ? (
        <p className="combo-none soft" role="status">
          {answer === "nothing" ? t("shell.nothing", { text: text.trim() }) : t("shell.places_failed")}
        </p>
      ) : null}
      <div className="combo-foot" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t("shell.to_move")}
        </span>
        <span>
          <kbd>Enter</kbd> {t("shell.to_choose")}
        </span>
        <span>
          <kbd>Esc</kbd> {t("shell.to_close")}
        </span>
      </div>
    </div>
  );
}

function Option({
  id,
  item,
  group,
  text,
  on,
  onPick,
}: {
  id: string;
  item: SuggestItem;
  group: Group;
  text: string;
  on: boolean;
  onPick: (item: SuggestItem) => void;
}) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox input handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, which names the marked option
    <div id={id} className="copt" role="option" aria-selected={on} onClick={() => onPick(item)}>
      <span className="tile">
        <Icon name={group.icon} size={20} />
      </span>
      <span className="grow">
        <span className="ttl">
          <Marked name={item.name} text={text.trim()} />
        </span>
        <span className="sub">{item.context}</span>
      </span>
      {item.homes !== null && group.count ? <span className="cnt">{group.count(item.homes)}</span> : null}
    </div>
  );
}

function Marked({ name, text }: { name: string; text: string }): ReactNode {
  const from = text ? name.toLowerCase().indexOf(text.toLowerCase()) : -1;
  if (from < 0) return name;
  return (
    <>
      {name.slice(0, from)}
      <mark>{name.slice(from, from + text.length)}</mark>
      {name.slice(from + text.length)}
    </>
  );
}
