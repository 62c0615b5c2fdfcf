import { deviceStorage } from "../../deviceStorage.ts";
import "./booking.css";
import { useActor } from "@xstate/react";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { get } from "../../api.ts";
import type { BookingForm, FieldError } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import * as paths from "../../paths.ts";
import { useArrival } from "../../ui/arrival.ts";
import { Arriving } from "../../ui/arriving.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { cameByLink, navigate, rewrite } from "../navigation.ts";
import { ClaimNotice, useLoginToGoOn } from "../ui/claim.tsx";
import { FlowFrame } from "../ui/flowFrame.tsx";
import { useMirrored } from "../ui/mirrored.ts";
import { openLead } from "../ui/overlays.ts";
import { stayNamed } from "../ui/roomChoice.tsx";
import { BookingSummary } from "./BookingSummary.tsx";
import { bookedOf, chosenOf, preselectedStay } from "./booked.ts";
import { connectedBooking, removeDocument, sendDocument } from "./bookingActors.ts";
import { askedSections, type Section } from "./bookingContext.ts";
import { bookingShown, sectionShown } from "./bookingScreens.ts";
import { ContinueElsewhere } from "./ContinueElsewhere.tsx";
import { type Documents, DocumentsContext } from "./documents.ts";
import { FormComing, RoomComing } from "./FormComing.tsx";
import { shownAnswers, type Told } from "./fieldMerge.ts";
import { keepAnswers } from "./keptAnswers.ts";
import { mergePrefill, prefillAnswers, withoutPersonal } from "./prefill.ts";
import { SectionForm } from "./SectionForm.tsx";
import { SavedState, Substeps } from "./SectionHead.tsx";
import { useOtherDevices } from "./useOtherDevices.ts";
import { ROOM_STEP, useStepsInHistory } from "./useStepsInHistory.ts";

// What some forms show, or forms at some times.
const Sent = lazyPart(async () => (await import("./SentForm.tsx")).Sent);
const RoomStep = lazyPart(async () => (await fetchRoomStep()).RoomStep);
const Conflicts = lazyPart(async () => (await import("./Conflicts.tsx")).Conflicts);
const ToldNotice = lazyPart(async () => (await import("./ToldNotice.tsx")).ToldNotice);
const LeadClashNotice = lazyPart(async () => (await import("../../ui/LeadClashNotice.tsx")).LeadClashNotice);

const fetchRoomStep = () => import("./RoomStep.tsx");

type FormPage = PageOf<"booking_form"> | PageOf<"application">;

/** `/places/{canonical name}/form` and `/places/{id}/application`: one engine, two flows (D88). */
export default function BookingFormPage({ page }: { page: FormPage }) {
  const booking = useBooking(page);
  const { snapshot } = booking;
  useArrival(bookingShown(snapshot), {
    region: () => document.querySelector(".booking"),
    atFirst: cameByLink() && snapshot.context.resume === null,
  });
  useConfirmation(page);
  useRoomStepAhead(page);
  return (
    <FlowFrame at={isPaid(snapshot) ? 5 : snapshot.hasTag("section") || snapshot.hasTag("sent") ? 2 : 1}>
      <div className="booking" data-booking={snapshot.value} data-step="BOOK_FORM">
        <Part page={page} booking={booking} />
      </div>
    </FlowFrame>
  );
}

function useBooking(page: FormPage) {
  const { data } = page;
  const [chosen, setRoom] = useState<string | null>(null);
  const [fromLink] = useState(() => prefillAnswers(data.prefill));
  const machine = useMemo(() => connectedBooking(data, data.prefill.inventory_id), [data]);
  const [snapshot, send, actor] = useActor(machine);
  useMirrored("booking_form", actor);
  const { form, unsaved, seen } = snapshot.context;
  const room = chosen ?? preselectedStay(form, data);
  useEffect(() => {
    // Names, addresses and numbers do not stay in the address bar, nor in the browser's history.
    const clean = withoutPersonal(page.url);
    if (clean !== page.url) rewrite(clean);
  }, [page.url]);
  useEffect(() => {
    if (form) keepAnswers(deviceStorage(), form.form_uuid, { unsaved, seen });
  }, [form, unsaved, seen]);
  useOtherDevices(form?.form_uuid ?? null, send);
  useLoginToGoOn(snapshot.context.isClaimed, () => send({ type: "form.reopen" }));
  const at = snapshot.hasTag("room") ? ROOM_STEP : snapshot.hasTag("section") ? snapshot.context.index : null;
  const stepBack = useStepsInHistory(at, (to) =>
    send(to === ROOM_STEP ? { type: "room.change" } : { type: "section.go", index: to }),
  );
  return { snapshot, send, room, setRoom, fromLink, stepBack };
}

type Booking = ReturnType<typeof useBooking>;

const isPaid = ({ context }: Booking["snapshot"]) => context.opened?.afterPayment === true;

/** Who comes without an enquiry chooses a room first: its code comes while the server looks for the form. */
function useRoomStepAhead({ data: { prefill } }: FormPage): void {
  useEffect(() => {
    // What did not come is asked for again when the step is drawn.
    if (prefill.lead_uuid === null) fetchRoomStep().catch(() => undefined);
  }, [prefill]);
}

/** D23: `showSubmitConfirmation` shows the enquiry's confirmation when there is a lead. */
function useConfirmation({ data }: FormPage): void {
  const { prefill, property } = data;
  useEffect(() => {
    if (!prefill.show_submit_confirmation || prefill.lead_uuid === null) return;
    const inventory = {
      ...property,
      region: { ...property.region, id: property.region.canonical_name },
      price: data.room_types[0]?.from ?? null,
      room_inventory_id: prefill.inventory_id,
      configuration: prefill.configuration,
      move_in_date: prefill.move_in_date,
      lease_duration: prefill.lease_duration,
    };
    get("/api/v0/leads/{id}", {
      path: { id: prefill.lead_uuid },
      query: { methods: "forms_present,inventory_root" },
      fresh: true,
    }).then(
      (lead) => openLead(inventory, lead.meta.variant ?? "enquire", lead),
      // Spec §8: a lead that cannot be fetched is ignored; the form is there anyway.
      () => undefined,
    );
  }, [prefill, property, data.room_types]);
}

function Part({ page, booking }: { page: FormPage; booking: Booking }) {
  const { snapshot } = booking;
  if (snapshot.hasTag("loading")) return <FormComing page={page.data} />;
  if (snapshot.hasTag("cut_off")) return <Unreachable booking={booking} />;
  if (snapshot.hasTag("room") && snapshot.context.isClaimed) return <Claimed booking={booking} />;
  if (snapshot.hasTag("room")) return <RoomPart page={page} booking={booking} />;
  if (snapshot.hasTag("sent")) return <SentPart page={page} booking={booking} />;
  return <SectionPart page={page} booking={booking} />;
}

function RoomPart({ page, booking }: { page: FormPage; booking: Booking }) {
  const { t } = useI18n();
  const { snapshot, send, room, setRoom } = booking;
  const formId = useId();
  const [isThere, setThere] = useState(false);
  const open = page.data.property.available && page.data.property.bookable;
  return (
    <>
      <main id="main" className="wrap flow" aria-busy={!isThere || undefined}>
        <Arriving meanwhile={<RoomComing page={page.data} />}>
          <RoomStep
            formId={formId}
            page={page.data}
            room={room}
            known={snapshot.context.leadUuid !== null}
            failed={snapshot.context.trouble !== null}
            clash={<StayClash page={page} booking={booking} />}
            onRoom={setRoom}
            onChosen={(beginning) => send({ type: "room.chosen", beginning })}
          />
          <Arrived tell={setThere} />
        </Arriving>
        <BookingSummary page={page.data} booked={chosenOf(page.data, room)} />
      </main>
      {open ? (
        <div className="flow-foot">
          <div className="wrap row between">
            <BackButton onBack={() => void navigate(paths.property(page.data.property.canonical_name))} />
            {/* A press before the step has come would send nothing. */}
            <Button type="submit" form={formId} look="primary" size="large" busy={!isThere || snapshot.hasTag("busy")}>
              {/* Both buttons of the foot fit beside each other at 320 px. */}
              <span className="only-narrow">{t("booking.continue")}</span>
              <span className="only-wide">{t("booking.room_go")}</span>
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}

/** Tells when what stands beside it is drawn, and when it goes. */
function Arrived({ tell }: { tell: (isThere: boolean) => void }) {
  useEffect(() => {
    tell(true);
    return () => tell(false);
  }, [tell]);
  return null;
}

/** Another tab gave the lead another stay: theirs is chosen below when it can be had, or this one is sent again. */
function StayClash({ page: { data }, booking: { snapshot, send, setRoom } }: { page: FormPage; booking: Booking }) {
  const { stayClashes, lead } = snapshot.context;
  const takeTheirs = () => {
    const room = snapshot.context.beginning?.inventoryId;
    if (room && lead) setRoom(stayNamed(data.room_types, room, lead.data));
    send({ type: "stay.there" });
  };
  if (stayClashes.length === 0) return null;
  return (
    <Arriving>
      <LeadClashNotice clashes={stayClashes} onHere={() => send({ type: "stay.here" })} onThere={takeTheirs} />
    </Arriving>
  );
}

function BackButton({ onBack }: { onBack: () => void }) {
  const { t } = useI18n();
  return (
    <Button look="plain" onClick={onBack}>
      <Icon name="chev-l" size={20} />
      {t("booking.back")}
    </Button>
  );
}

/** What the current section shows: what is typed here, else the server's draft under the link's values. */
function useSection({ snapshot, fromLink }: Booking) {
  const { form, index, unsaved, opened } = snapshot.context;
  const sections = askedSections(form, opened?.afterPayment ?? false);
  const section = sectionShown(snapshot);
  if (!form || !section) return null;
  const isFirst = section.key === "personal_form" && !form.completed_sections.includes(section.key);
  const stored = shownAnswers(snapshot.context, section.key);
  const earlier = form.sections[section.key] ? undefined : snapshot.context.earlier[section.key];
  const draft = { ...earlier, ...(isFirst ? snapshot.context.contact : {}), ...stored };
  // What was typed here since counts more than the link.
  const typed = unsaved[section.key] ?? {};
  const link = Object.fromEntries(Object.entries(isFirst ? fromLink : {}).filter(([field]) => !(field in typed)));
  const merged = mergePrefill(draft, link);
  const filled = Object.entries(merged.answers).filter(([field, answer]) => stored[field] !== answer);
  const conflicts = merged.conflicts.filter(({ field }) => !(field in typed));
  return {
    form,
    sections,
    section,
    answers: merged.answers,
    filled: Object.fromEntries(filled),
    conflicts,
    index,
    isFilledIn: earlier !== undefined,
  };
}

function SectionPart({ page, booking }: { page: FormPage; booking: Booking }) {
  const { t } = useI18n();
  const formId = useId();
  const shown = useSection(booking);
  const { snapshot, send } = booking;
  if (!shown) return <FormComing page={page.data} />;
  const { section, sections, answers, index } = shown;
  const { refusals, trouble } = snapshot.context;
  const paid = isPaid(snapshot);
  const before = () => {
    if (index > 0) send({ type: "section.go", index: index - 1 });
    else if (paid) void navigate(paths.bookings());
    else send({ type: "room.change" });
  };
  const title = paid ? "title_after" : page.data.property.flow === "apply" ? "title_apply" : "title";
  return (
    <>
      <main id="main" className="wrap flow">
        <div>
          <div className="row between wrapx" style={{ gap: "8px 16px" }}>
            <h1>{t(`booking.${title}`)}</h1>
            <SavedState snapshot={snapshot} />
          </div>
          <p className="soft" style={{ marginTop: 8 }}>
            {t("booking.text")}
          </p>
          <Substeps
            sections={sections}
            at={index}
            done={shown.form.completed_sections}
            onGo={(to) => send({ type: "section.go", index: to })}
          />
          <ContinueElsewhere form={shown.form} />
          <Arriving>{shown.conflicts.length > 0 ? <Conflicts conflicts={shown.conflicts} /> : null}</Arriving>
          <FilledIn shown={shown.isFilledIn} />
          <AsksMore refusals={refusals} />
          <OtherDevices sections={sections} booking={booking} />
          <DocumentsContext value={documentsOf(shown.form)}>
            <SectionForm
              key={section.key}
              {...{ formId, section, answers, refusals, trouble }}
              countryKey={page.data.property.region.country_key}
              startAt={snapshot.context.resume?.section === section.key ? snapshot.context.resume.field : null}
              onEntered={(field) => send({ type: "field.entered", section: section.key, field })}
              onLeft={() => send({ type: "field.left" })}
              onTyped={(typed) =>
                send({ type: "answers.typed", section: section.key, answers: { ...shown.filled, ...typed } })
              }
              onContinue={(whole) => send({ type: "section.continue", section: section.key, answers: whole })}
            />
          </DocumentsContext>
        </div>
        <BookingSummary
          page={page.data}
          booked={bookedOf(shown.form, page.data)}
          paid={paid}
          lock={shown.form?.price_lock ?? null}
          onChange={() => send({ type: "room.change" })}
        />
      </main>
      <Foot isClaimed={snapshot.context.isClaimed} onBack={booking.stepBack ?? before}>
        <Button type="submit" form={formId} look="primary" size="large" busy={snapshot.hasTag("busy")}>
          <ContinueWords next={sections[index + 1]} afterPayment={paid} />
        </Button>
      </Foot>
    </>
  );
}

interface FootProps {
  isClaimed: boolean;
  onBack: () => void;
  children: ReactNode;
}

/** The way back and the way on, in view wherever the reader is in the form. */
function Foot({ isClaimed, onBack, children }: FootProps) {
  return (
    <div className="flow-foot">
      {isClaimed ? (
        <div className="wrap fnotice">
          <ClaimNotice />
        </div>
      ) : null}
      <div className="wrap row between">
        <BackButton onBack={onBack} />
        {children}
      </div>
    </div>
  );
}

function OtherDevices({ sections, booking: { snapshot, send } }: { sections: readonly Section[]; booking: Booking }) {
  const takeOther = (told: Told) => {
    const answer = told.kept === "here" ? told.there : told.here;
    send({ type: "told.done", told });
    send({ type: "answers.typed", section: told.section, answers: { [told.field]: answer } });
  };
  const onDone = (told: Told) => send({ type: "told.done", told });
  const { told } = snapshot.context;
  return (
    <div role="status">
      {told.length === 0 ? null : (
        <Arriving>
          <ToldNotice sections={sections} told={told} onOther={takeOther} onDone={onDone} />
        </Arriving>
      )}
    </div>
  );
}

/** The answers are those of an earlier form. */
function FilledIn({ shown }: { shown: boolean }) {
  const { t } = useI18n();
  if (!shown) return null;
  return (
    <div className="fnotice">
      <Banner kind="info">{t("booking.filled_in")}</Banner>
    </div>
  );
}

/** The provider changed the form meanwhile (D89). */
function AsksMore({ refusals }: { refusals: readonly FieldError[] }) {
  const { t } = useI18n();
  if (!refusals.some(({ code }) => code === "incomplete")) return null;
  return (
    <div className="fnotice" data-arrival>
      <Banner kind="info">{t("form_sync.asks_more")}</Banner>
    </div>
  );
}

function documentsOf(form: BookingForm): Documents {
  return {
    known: form.documents,
    send: (file, onSent) => sendDocument(form.form_uuid, file, onSent),
    remove: (id) => removeDocument(form.form_uuid, id),
  };
}

/** "Continue to emergency contact" where there is room, "Continue" on a phone. */
function ContinueWords({ next, afterPayment }: { next: Section | undefined; afterPayment: boolean }) {
  const { t } = useI18n();
  if (!next) return <span>{t(afterPayment ? "booking.finish" : "booking.continue_pay")}</span>;
  const name = t(`booking.section_${next.key}`);
  return (
    <>
      <span className="only-narrow">{t("booking.continue")}</span>
      <span className="only-wide">
        {t("booking.continue_to", { next: name.charAt(0).toLowerCase() + name.slice(1) })}
      </span>
    </>
  );
}

function SentPart({ page, booking }: { page: FormPage; booking: Booking }) {
  const { form, beginning, opened } = booking.snapshot.context;
  const cameThrough = opened?.form?.status !== "completed" && (beginning !== null || opened?.form !== null);
  return (
    <Arriving meanwhile={<main id="main" className="wrap flow" aria-busy="true" />}>
      <Sent {...{ page, form, cameThrough }} paid={isPaid(booking.snapshot)} />
    </Arriving>
  );
}

/** The enquiry is an account's by now: its login opens the form, and what was typed here comes back with it. */
function Claimed({ booking }: { booking: Booking }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap flow">
      <div className="stack g24">
        <h1>{t("change.claimed_title")}</h1>
        <ClaimNotice />
        <div>
          <Button look="plain" onClick={() => booking.send({ type: "claim.leave" })}>
            {t("form_sync.begin_anew")}
          </Button>
        </div>
      </div>
    </main>
  );
}

function Unreachable({ booking }: { booking: Booking }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap flow">
      <div className="stack g24">
        <h1>{t("booking.unreachable_title")}</h1>
        <Banner kind="warning">{t("booking.unreachable_text")}</Banner>
        <div>
          <Button look="primary" onClick={() => booking.send({ type: "form.reopen" })}>
            {t("booking.try_again")}
          </Button>
        </div>
      </div>
    </main>
  );
}
