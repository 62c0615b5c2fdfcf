import { type FormEvent, useEffect, useState } from "react";
import { ApiError, get, newKey, post } from "../../api.ts";
import type { Lead, PaymentEntryPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { focusFirstFault, useArrival } from "../../ui/arrival.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { LeadClashNotice } from "../../ui/LeadClashNotice.tsx";
import { changeLead, LeadClashed, stayChange } from "../../ui/leadChange.ts";
import { isLoginNeeded } from "../../ui/loginNeeded.ts";
import { ClaimNotice, useLoginToGoOn } from "../ui/claim.tsx";
import { type Contact, ContactFields, contactFaults } from "../ui/contactFields.tsx";
import { firstPhoneCode, internationalPhone } from "../ui/dialCodes.ts";
import { FlowFrame, RoomLine } from "../ui/flowFrame.tsx";
import { type Found, findOption, RoomChoice, stayNamed, wishOf } from "../ui/roomChoice.tsx";
import { keepUsedContact } from "../ui/usedContact.ts";
import type { PaymentOpening } from "./paymentMachine.ts";
import "./payment.css";

interface AccommodationFormProps {
  page: PaymentEntryPage;
  inventoryId: string | null;
  onReady: (opening: PaymentOpening) => void;
}

type Progress = "idle" | "sending" | "failed" | "claimed";

/** The accommodation card: room and stay, and for strangers how to reach them; then the payment opens. */
export function AccommodationForm({ page, inventoryId, onReady }: AccommodationFormProps) {
  const { t } = useI18n();
  const [room, setRoom] = useState(inventoryId);
  const [contact, setContact] = useState(() => emptyContact(page.property.region.country_key));
  const [checked, setChecked] = useState(false);
  const [progress, setProgress] = useState<Progress>("idle");
  const [seen, setSeen] = useSeenLead(page.lead_uuid);
  const [clash, setClash] = useState<LeadClashed | null>(null);
  const faults = page.lead_uuid !== null ? [] : Object.values(contactFaults(contact)).filter((fault) => fault !== null);
  const option = findOption(page.room_types, room);
  const send = async (lead: Lead | null) => {
    setChecked(true);
    if (!option || faults.length > 0 || progress === "sending") return;
    setProgress("sending");
    try {
      const lead_uuid = await leadFor(page.lead_uuid, lead, option, contact);
      onReady({ token: null, lead_uuid, inventory_id: option.option.inventory_id, form_uuid: null });
    } catch (failure) {
      const clashed = failure instanceof LeadClashed ? failure : null;
      setClash(clashed);
      setProgress(clashed ? "idle" : isLoginNeeded(failure) ? "claimed" : "failed");
    }
  };
  const settle = (clashed: LeadClashed) => {
    setClash(null);
    setSeen(clashed.newer);
    return clashed.newer;
  };
  const takeTheirs = (clashed: LeadClashed) => {
    const { data } = settle(clashed);
    if (option) setRoom(stayNamed(page.room_types, option.option.inventory_id, data));
  };
  useArrival(progress === "sending" ? "choice_busy" : `choice_${progress}`);
  useLoginToGoOn(progress === "claimed", () => void send(null));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (clash === null) void send(seen);
    focusFirstFault(event.currentTarget);
  };
  return (
    <FlowFrame at={1}>
      <main id="main" className="wrap flow pay">
        <form className="stack g24" noValidate onSubmit={submit} data-step="PAYMENT_FORM_DETAILS">
          <Heading />
          <Stopped progress={progress} />
          {clash ? (
            <LeadClashNotice
              clashes={clash.clashes}
              onHere={() => void send(settle(clash))}
              onThere={() => takeTheirs(clash)}
            />
          ) : null}
          <RoomChoice
            rooms={page.room_types}
            chosen={room}
            error={checked && !option ? t("payment.fault_choice") : null}
            onChoose={setRoom}
          />
          {page.lead_uuid ? null : <PayerFields contact={contact} checked={checked} onChange={setContact} />}
          <Button type="submit" look="primary" size="large" busy={progress === "sending"}>
            {t("payment.choose_go")}
          </Button>
        </form>
        <ChosenRoom page={page} option={option} />
      </main>
    </FlowFrame>
  );
}

function emptyContact(country: string): Contact {
  return { name: "", email: "", phoneCode: firstPhoneCode(country), number: "" };
}

/** Why the choice did not go through. */
function Stopped({ progress }: { progress: Progress }) {
  const { t } = useI18n();
  if (progress === "claimed") return <ClaimNotice />;
  if (progress !== "failed") return null;
  return (
    <div data-arrival>
      <Banner kind="error">{t("payment.choose_failed")}</Banner>
    </div>
  );
}

function Heading() {
  const { t } = useI18n();
  return (
    <div>
      <h1>{t("payment.choose_title")}</h1>
      <p className="soft flow-lead">{t("payment.choose_text")}</p>
    </div>
  );
}

function ChosenRoom({ page, option }: { page: PaymentEntryPage; option: Found | null }) {
  const { t } = useI18n();
  return (
    <aside aria-label={t("payment.summary")}>
      <div className="card sumcard">
        <RoomLine
          home={page.property.name}
          image={page.property.image.path}
          room={option?.room.name ?? page.property.region.name}
          lease={option?.option ?? null}
        />
      </div>
    </aside>
  );
}

/** The lead this payment is for: the known one with the stay chosen here, or a new one. */
async function leadFor(known: string | null, seen: Lead | null, found: Found, contact: Contact): Promise<string> {
  if (known === null) {
    keepUsedContact(contact);
    return openLead(await createLead(found, contact));
  }
  await changeLead(seen ?? (await readLead(known)), stayChange(wishOf(found)));
  return known;
}

/** The same words made a lead that has an owner by now: it goes on with their login. */
function openLead({ uuid }: Lead): string {
  if (uuid === "") throw new ApiError("refused", { status: 403, code: "log_in_first" });
  return uuid;
}

const readLead = (uuid: string) => get("/api/v0/leads/{id}", { path: { id: uuid }, fresh: true });

/** The lead as it was when the page opened: what another tab makes of it later is not written over (D82). */
function useSeenLead(uuid: string | null) {
  const [seen, setSeen] = useState<Lead | null>(null);
  useEffect(() => {
    // One that cannot be read now is read when it is changed.
    if (uuid !== null) readLead(uuid).then(setSeen, () => undefined);
  }, [uuid]);
  return [seen, setSeen] as const;
}

function createLead(found: Found, contact: Contact): Promise<Lead> {
  const user_details = {
    name: contact.name.trim(),
    email: contact.email.trim(),
    phone: internationalPhone(contact.phoneCode, contact.number),
  };
  const meta = { payment_before_bookform: true, lead_source: "payment", variant: "book_now" } as const;
  const lead = { state: "created", inventory_id: found.option.inventory_id, user_details, data: wishOf(found), meta };
  return post("/api/v0/leads", { body: { lead }, idempotencyKey: newKey() });
}

interface PayerFieldsProps {
  contact: Contact;
  checked: boolean;
  onChange: (contact: Contact) => void;
}

function PayerFields({ contact, checked, onChange }: PayerFieldsProps) {
  const { t } = useI18n();
  const labels = {
    name: t("payment.choose_name"),
    email: t("payment.choose_email"),
    phone: t("payment.choose_phone"),
  };
  return (
    <fieldset className="stack" style={{ gap: 20 }}>
      <legend className="t-18 m" style={{ marginBottom: 12 }}>
        {t("payment.choose_contact")}
      </legend>
      <ContactFields phoneId="payer-phone" {...{ labels, contact, checked, onChange }} />
    </fieldset>
  );
}
