import { useI18n } from "../../../i18n/i18n.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import type { BrandDesk } from "../useBrandDesk.ts";

interface TextFieldProps {
  desk: BrandDesk;
  name: "name" | "currency" | "region";
  hint?: string;
  placeholder?: string;
}

/** A value of one line; one that file or environment give is shown as set there. */
export function TextField({ desk, name, hint, placeholder }: TextFieldProps) {
  const { t } = useI18n();
  const given = desk.brand.given.find((one) => one.name === name);
  const setThere = given && t(given.source === "environment" ? "brand.given_environment" : "brand.given_file");
  return (
    <div>
      <LabelledField label={t(`brand.value_${name}`)} hint={setThere ?? hint} fault={desk.faults.get(name)}>
        {(its) => (
          <input
            {...its}
            className="field"
            placeholder={placeholder}
            disabled={desk.isPast || given !== undefined}
            value={given?.value ?? desk.shown[name] ?? ""}
            onChange={(event) => desk.change({ [name]: event.target.value })}
          />
        )}
      </LabelledField>
    </div>
  );
}

interface LinesFieldProps {
  desk: BrandDesk;
  name: "mail_small_print" | "letterhead";
  hint: string;
}

/** A value of several lines. */
export function LinesField({ desk, name, hint }: LinesFieldProps) {
  const { t } = useI18n();
  return (
    <div>
      <LabelledField label={t(`brand.value_${name}`)} hint={hint} fault={desk.faults.get(name)}>
        {(its) => (
          <textarea
            {...its}
            className="area"
            rows={4}
            disabled={desk.isPast}
            value={desk.shown[name]?.join("\n") ?? ""}
            onChange={(event) => desk.change({ [name]: event.target.value.split("\n") })}
          />
        )}
      </LabelledField>
    </div>
  );
}
