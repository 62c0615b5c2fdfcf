import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { Icon } from "../../icon.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import type { BrandColours } from "../brandCalls.ts";
import { readColour } from "../brandEdit.ts";
import type { BrandDesk } from "../useBrandDesk.ts";

const TINTS = ["brand-0", "brand-1", "brand-2", "brand-3"] as const;

/** Contrast that a text needs. */
export const READABLE = 4.5;

/** The three colours that are chosen, the tints made of them, and how well texts on them can be read. */
export function ColourFields({ desk, colours }: { desk: BrandDesk; colours: BrandColours }) {
  const { t } = useI18n();
  const { tokens, contrasts } = colours;
  return (
    <>
      <ColourField desk={desk} name="main_colour" fallback={tokens["brand"]} />
      {tokens["brand-0"] === undefined ? null : (
        <div className="brand-tints" role="img" aria-label={t("brand.tints")}>
          {TINTS.map((name) => (
            <i key={name} style={{ background: tokens[name] }} />
          ))}
        </div>
      )}
      <div className="brand-two">
        <ColourField desk={desk} name="button_colour" fallback={tokens["brand"]} placeholder={t("brand.as_main")} />
        <ColourField desk={desk} name="footer_colour" fallback={tokens["foot"]} placeholder={t("brand.as_shipped")} />
      </div>
      {contrasts.map((contrast) => (
        <Corrected key={contrast.place} contrast={contrast} />
      ))}
      <ul className="brand-contrast" aria-label={t("brand.contrast")}>
        {contrasts.map((contrast) => (
          <ContrastLine key={contrast.place} contrast={contrast} />
        ))}
      </ul>
    </>
  );
}

interface ColourFieldProps {
  desk: BrandDesk;
  name: "main_colour" | "button_colour" | "footer_colour";
  /** Shown where none is chosen. */
  fallback: string | undefined;
  placeholder?: string;
}

/** A colour by picker or code: typed text that is none yet changes nothing. */
function ColourField({ desk, name, fallback, placeholder }: ColourFieldProps) {
  const { t } = useI18n();
  const typed = desk.shown[name] ?? "";
  const isUnread = typed.trim() !== "" && readColour(typed) === null;
  const fault = desk.faults.get(name) ?? (isUnread ? t("brand.colour_fault") : undefined);
  const label = t(`brand.value_${name}`);
  return (
    <div>
      <LabelledField label={label} fault={fault}>
        {(its) => (
          <div className="brand-colour">
            <input
              type="color"
              aria-label={t("brand.pick_colour", { value: label })}
              disabled={desk.isPast}
              value={(readColour(typed) ?? fallback ?? "#FFFFFF").toLowerCase()}
              onChange={(event) => desk.change({ [name]: event.target.value.toUpperCase() })}
            />
            <input
              {...its}
              className="field mono"
              spellCheck={false}
              placeholder={placeholder}
              disabled={desk.isPast}
              value={typed}
              onChange={(event) => desk.change({ [name]: event.target.value })}
            />
          </div>
        )}
      </LabelledField>
    </div>
  );
}

type Contrast = BrandColours["contrasts"][number];

/** A chosen colour that nobody could read a text on, beside the nearest that takes its place. */
function Corrected({ contrast }: { contrast: Contrast }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { chosen, chosen_ratio: ratio, ground, text, place } = contrast;
  if (!chosen) return null;
  return (
    <div className="note bad brand-corrected" role="status">
      <div>
        <p>{t("brand.unreadable", { colour: chosen, ratio: number(ratio ?? 1), needed: number(READABLE) })}</p>
        <p>{t("brand.corrected", { colour: ground, ratio: number(contrast.ratio) })}</p>
        <p className="row">
          {t("brand.yours")}
          <i className="brand-swatch" style={{ background: chosen }} />
          <Icon name="arrow" size="s" />
          <span className="brand-sample" style={{ background: ground, color: text }}>
            {t(`brand.sample_${place}`)}
          </span>
        </p>
      </div>
    </div>
  );
}

function ContrastLine({ contrast: { place, text, ground, ratio, chosen } }: { contrast: Contrast }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const isRead = ratio >= READABLE && !chosen;
  return (
    <li>
      <span className="brand-sample" style={{ background: ground, color: text }}>
        {t(`brand.sample_${place}`)}
      </span>
      <span className="grow">
        {t(`brand.contrast_${place}`)}
        {chosen ? <span className="sub"> {t("brand.is_corrected")}</span> : null}
      </span>
      <span className={isRead ? "ok" : "warn"}>
        <Icon name={isRead ? "check" : "alert"} size="xs" />
        {t("brand.ratio", { ratio: number(ratio) })}
      </span>
    </li>
  );
}
