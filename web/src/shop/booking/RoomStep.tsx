import { type FormEvent, type ReactNode, useState } from "react";
import { newKey } from "../../api.ts";
import type { BookingFormPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { focusFirstFault } from "../../ui/arrival.ts";
import { Banner } from "../../ui/banner.tsx";
import { useSession } from "../session.ts";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { type Contact, ContactFields, contactFaults } from "../ui/contactFields.tsx";
import { dialOf, firstPhoneCode, internationalPhone, phoneCodeOfDial } from "../ui/dialCodes.ts";
import { findOption, RoomChoice, wishOf } from "../ui/roomChoice.tsx";
import { Trap } from "../ui/trap.tsx";
import { keepUsedContact } from "../ui/usedContact.ts";
import type { Beginning } from "./bookingContext.ts";
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

interface Booker extends Contact {
  /** The trap: a person leaves it empty. */
  website: string;
}

/** Step 1: the room and the stay, and for somebody new how to reach them. */
export function RoomStep({ formId, page, room, known, failed, clash, onRoom, onChosen }: RoomStepProps) {
  const { t } = useI18n();
  const { property } = page;
  const [contact, setContact] = useContact(page.prefill, property.region.country_key);
  const [checked, setChecked] = useState(false);
  const option = findOption(page.room_types, room);
  const faults = known ? [] : Object.values(contactFaults(contact)).filter((fault) => fault !== null);
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (!option || faults.length > 0) return focusFirstFault(event.currentTarget);
    const phone = internationalPhone(contact.phoneCode, contact.number);
    const person = known
      ? null
      : { name: contact.name.trim(), email: contact.email.trim(), phone, website: contact.website };
    // The login that may follow begins with it, as after an enquiry.
    if (person) keepUsedContact(contact);
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
      {failed ? (
        <div data-arrival>
          <Banner kind="error">{t("booking.start_failed")}</Banner>
        </div>
      ) : null}
      {clash}
      <RoomChoice
        rooms={page.room_types}
        chosen={room}
        error={checked && !option ? t("booking.room_missing") : null}
        onChoose={onRoom}
      />
      {known ? null : <BookerFields contact={contact} checked={checked} onChange={setContact} />}
    </form>
  );
}

/** D79: the link first, then the profile, then what the person answered in an earlier form. */
function useContact(prefill: Prefill, countryKey: string) {
  const session = useSession();
  const user = session.state === "user" ? session.user : null;
  const earlierPhone = useEarlierPhone(user !== null && user.phone === null);
  const [typed, setTyped] = useState<Booker | null>(null);
  const code = prefill.phone_code ? phoneCodeOfDial(dialOf(prefill.phone_code)) : firstPhoneCode(countryKey);
  const known: Booker = {
    name: [prefill.first_name, prefill.last_name].filter(Boolean).join(" ") || (user?.name ?? ""),
    email: prefill.email ?? user?.email ?? "",
    phoneCode: code,
    number: prefill.phone ?? user?.phone ?? earlierPhone,
    website: "",
  };
  return [typed ?? known, setTyped] as const;
}

interface BookerFieldsProps {
  contact: Booker;
  checked: boolean;
  onChange: (contact: Booker) => void;
}

function BookerFields({ contact, checked, onChange }: BookerFieldsProps) {
  const { t } = useI18n();
  const labels = { name: t("booking.name"), email: t("booking.email"), phone: t("booking.phone") };
  return (
    <section className="fset" aria-labelledby="booker-title">
      <h2 id="booker-title">{t("booking.contact_title")}</h2>
      <div className="fgrid">
        <ContactFields phoneId="booker-phone" {...{ labels, contact, checked, onChange }} />
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
