import { useI18n } from "../../../i18n/i18n.tsx";
import { countryName } from "../../../ui/countryName.ts";
import { Icon } from "../../icon.tsx";
import { LabelledField } from "../../LabelledField.tsx";
import type { Contact } from "../brandEdit.ts";
import { countryCode, listCountries } from "../countries.ts";
import type { BrandDesk } from "../useBrandDesk.ts";
import { RowsFault } from "./RowsFault.tsx";

const WAYS = ["phone", "email", "chat", "hours"] as const;
const TYPES = { phone: "tel", email: "email", chat: "text", hours: "text" } as const;
const MOST = 20;

/** Ways to reach the house, from a country each or from everywhere else. */
export function ContactFields({ desk }: { desk: BrandDesk }) {
  const { t } = useI18n();
  const { shown, isPast, change } = desk;
  const contacts = shown.support ?? [];
  const set = (at: number, contact: Contact) =>
    change({ support: contacts.map((one, index) => (index === at ? contact : one)) });
  return (
    <>
      {contacts.map((contact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name, and rows keep their order.
        <fieldset key={at} className="brand-row">
          <legend className="vh">{t("brand.contact_n", { n: at + 1 })}</legend>
          <CountryChoice desk={desk} at={at} contact={contact} onSet={(next) => set(at, next)} />
          {WAYS.map((way) => (
            <div key={way}>
              <LabelledField label={t(`brand.contact_${way}`)} fault={undefined}>
                {(its) => (
                  <input
                    {...its}
                    className="field"
                    type={TYPES[way]}
                    disabled={isPast}
                    value={contact[way] ?? ""}
                    onChange={(event) => set(at, { ...contact, [way]: event.target.value })}
                  />
                )}
              </LabelledField>
            </div>
          ))}
          <button
            type="button"
            className="btn sm quiet"
            disabled={isPast}
            onClick={() => change({ support: contacts.filter((_, index) => index !== at) })}
          >
            {t("brand.remove_contact")}
          </button>
        </fieldset>
      ))}
      <RowsFault fault={desk.faults.get("support")} />
      <button
        type="button"
        className="btn"
        disabled={isPast || contacts.length >= MOST}
        onClick={() => change({ support: [...contacts, { country: null, phone: "", email: "", chat: "", hours: "" }] })}
      >
        <Icon name="plus" size="s" />
        {t("brand.add_contact")}
      </button>
    </>
  );
}

interface CountryChoiceProps {
  desk: BrandDesk;
  at: number;
  contact: Contact;
  onSet: (contact: Contact) => void;
}

/** The country of a contact; one that another contact has is not offered. */
function CountryChoice({ desk, at, contact, onSet }: CountryChoiceProps) {
  const { t, lang } = useI18n();
  const chosen = (desk.shown.support ?? []).map(({ country }) => country ?? null);
  const taken = chosen.filter((_, index) => index !== at);
  const free = listCountries(chosen).filter((key) => !taken.includes(key));
  const options = free.map((key) => ({ key, name: countryName(countryCode(key), lang) }));
  return (
    <div>
      <LabelledField label={t("brand.contact_country")} fault={undefined}>
        {(its) => (
          <select
            {...its}
            className="field"
            disabled={desk.isPast}
            value={contact.country ?? ""}
            onChange={(event) => onSet({ ...contact, country: free.find((key) => key === event.target.value) ?? null })}
          >
            <option value="">{t("brand.everywhere_else")}</option>
            {options
              .toSorted((one, other) => one.name.localeCompare(other.name, lang))
              .map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
          </select>
        )}
      </LabelledField>
    </div>
  );
}
