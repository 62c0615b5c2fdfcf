import { type FormEvent, type ReactNode, useState } from "react";
import { newKey } from "../../api.ts";
import type { BookingFormPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { useSession } from "../session.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { emailFault, type Fault, nameFault, phoneFault } from "../ui/contact.ts";
import { dialOf, firstPhoneCode, internationalPhone, phoneCodeOfDial } from "../ui/dialCodes.ts";
import { TextField } from "../ui/field.tsx";
import { PhoneField } from "../ui/phoneField.tsx";
import { findOption, RoomChoice, wishOf } from "../ui/roomChoice.tsx";
import { Trap } from "../ui/trap.tsx";
import type { Beginning } from "./bookingMachine.ts";
import { useEarlierPhone } from "./earlierAnswers.ts";
import type { Prefill } from "./prefill.ts";

interface RoomStepProps {
  formId: string;
  page: BookingFormPage;
  /** The key of the stay that is chosen. */
  room: string | null;
  /** The lead is known: its contact is not asked again. */
  known: boolean;
  failed: boolean;
  /** Another tab gave the lead another stay meanwhile; the reader chooses above the rooms. */
  clash: ReactNode;
  onRoom: (stay: string) => void;
  onChosen: (beginning: Beginning) => void;
}

interface Contact {
  name: string;
  /** The trap: a person leaves it empty. */
  website: string;
  email: string;
  phoneCode: string;
  number: string;
}

/** Step 1: the room and the stay, and for somebody new how to reach them. */
export function RoomStep({ formId, page, room, known, failed, clash, onRoom, onChosen }: RoomStepProps) {
  const { t } = useI18n();
  const { property } = page;
  const [contact, setContact] = useContact(page.prefill, property.region.country_key);
  const [checked, setChecked] = useState(false);
  const option = findOption(page.room_types, room);
  const faults = known ? [] : Object.values(faultsOf(contact)).filter((fault) => fault !== null);
  const choose = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!option || faults.length > 0) return;
    const phone = internationalPhone(contact.phoneCode, contact.number);
    const person = known
      ? null
      : { name: contact.name.trim(), email: contact.email.trim(), phone, website: contact.website };
    const inventoryId = option.option.inventory_id;
    onChosen({ inventoryId, wish: wishOf(option), contact: person, key: newKey() });
  };
  if (!property.available || !property.bookable) return <Unavailable canonicalName={property.canonical_name} />;
  return (
    <form id={formId} className="stack g24" noValidate onSubmit={choose}>
      <div>
        <h1>{t("booking.room_title")}</h1>
        <p className="soft flow-lead">
          {t(property.flow === "apply" ? "booking.room_text_apply" : "booking.room_text")}
        </p>
      </div>
      {failed ? <Banner kind="error">{t("booking.start_failed")}</Banner> : null}
      {clash}
      <RoomChoice
        rooms={page.room_types}
        chosen={room}
        error={checked && !option ? t("booking.room_missing") : null}
        onChoose={onRoom}
      />
      {known ? null : <ContactFields contact={contact} checked={checked} onChange={setContact} />}
    </form>
  );
}

/** D79: the link first, then the profile, then what the person answered in an earlier form. */
function useContact(prefill: Prefill, countryKey: string) {
  const session = useSession();
  const user = session.state === "user" ? session.user : null;
  const earlierPhone = useEarlierPhone(user !== null && user.phone === null);
  const [typed, setTyped] = useState<Contact | null>(null);
  const code = prefill.phone_code ? phoneCodeOfDial(dialOf(prefill.phone_code)) : firstPhoneCode(countryKey);
  const known: Contact = {
    name: [prefill.first_name, prefill.last_name].filter(Boolean).join(" ") || (user?.name ?? ""),
    email: prefill.email ?? user?.email ?? "",
    phoneCode: code,
    number: prefill.phone ?? user?.phone ?? earlierPhone,
    website: "",
  };
  return [typed ?? known, setTyped] as const;
}

function faultsOf(contact: Contact): { name: Fault | null; email: Fault | null; phone: Fault | null } {
  return {
    name: nameFault(contact.name),
    email: emailFault(contact.email),
    phone: phoneFault(contact.phoneCode, contact.number),
  };
}

interface ContactFieldsProps {
  contact: Contact;
  checked: boolean;
  onChange: (contact: Contact) => void;
}

function ContactFields({ contact, checked, onChange }: ContactFieldsProps) {
  const { t } = useI18n();
  const faults = faultsOf(contact);
  const said = (fault: Fault | null) => (checked && fault ? t(fault) : null);
  return (
    <section className="fset" aria-labelledby="booker-title">
      <h2 id="booker-title">{t("booking.contact_title")}</h2>
      <div className="fgrid">
        <TextField
          className="span2"
          label={t("booking.name")}
          autoComplete="name"
          value={contact.name}
          error={said(faults.name)}
          onChange={(event) => onChange({ ...contact, name: event.target.value })}
        />
        <TextField
          label={t("booking.email")}
          type="email"
          autoComplete="email"
          value={contact.email}
          error={said(faults.email)}
          onChange={(event) => onChange({ ...contact, email: event.target.value })}
        />
        <PhoneField
          id="booker-phone"
          label={t("booking.phone")}
          phoneCode={contact.phoneCode}
          number={contact.number}
          error={said(faults.phone)}
          onPhoneCode={(phoneCode) => onChange({ ...contact, phoneCode })}
          onNumber={(number) => onChange({ ...contact, number })}
        />
        <Trap value={contact.website} onChange={(website) => onChange({ ...contact, website })} />
      </div>
    </section>
  );
}

function Unavailable({ canonicalName }: { canonicalName: string }) {
  const { t } = useI18n();
  return (
    <div className="stack g24">
      <h1>{t("booking.room_title")}</h1>
      <Banner kind="warning">{t("booking.unavailable")}</Banner>
      <div>
        <ButtonLink look="primary" href={paths.property(canonicalName)}>
          {t("booking.to_home")}
        </ButtonLink>
      </div>
    </div>
  );
}
