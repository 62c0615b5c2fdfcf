import type { KeyboardEvent } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { Icon } from "../../icon.tsx";
import { listSections, moveSection, SECTIONS, type Section, toggleSection } from "../brandEdit.ts";
import type { BrandDesk } from "../useBrandDesk.ts";
import { RowsFault } from "./RowsFault.tsx";

/** Sections of the home page: each shown or hidden, and moved by buttons or by arrow keys with Alt. */
export function SectionsField({ desk }: { desk: BrandDesk }) {
  const { t } = useI18n();
  const { shown, faults, isPast, change } = desk;
  const visible: readonly Section[] = shown.sections ?? SECTIONS;
  const move = (name: Section, step: -1 | 1) => change({ sections: moveSection(shown.sections, name, step) });
  const onKeyDown = (name: Section) => (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (step === null || !event.altKey || isPast) return;
    event.preventDefault();
    move(name, step);
  };
  return (
    <fieldset>
      <legend className="label">{t("brand.value_sections")}</legend>
      <ol className="brand-sections">
        {listSections(shown.sections).map((name) => {
          const at = visible.indexOf(name);
          const said = t(`brand.section_${name}`);
          return (
            <li key={name}>
              <label className="grow">
                <input
                  type="checkbox"
                  checked={at >= 0}
                  disabled={isPast}
                  onKeyDown={onKeyDown(name)}
                  onChange={() => change({ sections: toggleSection(shown.sections, name) })}
                />
                {said}
              </label>
              <button
                type="button"
                className="btn sm sq quiet"
                aria-label={t("brand.move_up", { what: said })}
                disabled={isPast || at <= 0}
                onClick={() => move(name, -1)}
              >
                <Icon name="up" size="s" />
              </button>
              <button
                type="button"
                className="btn sm sq quiet"
                aria-label={t("brand.move_down", { what: said })}
                disabled={isPast || at < 0 || at === visible.length - 1}
                onClick={() => move(name, 1)}
              >
                <Icon name="down" size="s" />
              </button>
            </li>
          );
        })}
      </ol>
      <p className="sub">{t("brand.sections_hint")}</p>
      <RowsFault fault={faults.get("sections")} />
    </fieldset>
  );
}
