import { deviceStorage } from "../../deviceStorage.ts";
import "../styles/dialog.css";
import "./lead.css";
import { useActor } from "@xstate/react";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { newKey } from "../../api.ts";
import { sourceDetails } from "../../attribution.ts";
import type { Lead, LeadVariant } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { useArrival } from "../../ui/arrival.ts";
import { IconButton } from "../../ui/button.tsx";
import type { LeadChanges } from "../../ui/leadChange.ts";
import { referralCode } from "../ui/cameBy.ts";
import { ClaimNotice, useLoginToGoOn } from "../ui/claim.tsx";
import { useModal } from "../ui/dialog.tsx";
import { rememberedLead, rememberLead } from "../ui/knownLead.ts";
import { MirrorAsk, MirrorPart } from "../ui/MirrorAsk.tsx";
import { useMirrored } from "../ui/mirrored.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { LeadConfirmationPage } from "./LeadConfirmationPage.tsx";
import { LeadContinuationPage } from "./LeadContinuationPage.tsx";
import { LeadFormPage } from "./LeadFormPage.tsx";
import { LeadModalFoot } from "./LeadModalFoot.tsx";
import { connectedLeadForm } from "./leadActors.ts";
import { confirmationTitle, deckTexts } from "./leadDeck.ts";
import { isBooking, pagesOf } from "./leadFormMachine.ts";
import { editedDetails, type LeadAnswers, leadPayload, NO_ANSWERS } from "./leadPayload.ts";
import { leadShown } from "./leadScreens.ts";
import { isKnownRepeat, rememberEnquiry } from "./repeat.ts";
import { useGoOn } from "./useGoOn.ts";
import { type LeadDraft, useLeadDraft } from "./useLeadDraft.ts";

export interface LeadModalProps {
  inventory: LeadInventory | null;
  variant: LeadVariant;
  onClose: () => void;
  /** A lead whose details are changed (`edit_details`), as it was when the dialog opened. */
  edited?: Lead | null;
  /** That lead was changed. */
  onChanged?: () => void;
  /** Opens on page 3 (D23 `showSubmitConfirmation`). */
  confirmed?: Lead | null;
}

/** D26, D41: page 2 and the way to the booking form need a home that is free and can be booked online. */
export function takesBookings(inventory: LeadInventory | null): boolean {
  return inventory ? inventory.available && inventory.bookable : false;
}

function useLeadForm({ inventory, variant, edited = null, onChanged, confirmed, onClose }: LeadModalProps) {
  const draft = useLeadDraft(inventory, edited);
  const [answers, setAnswers] = useState<LeadAnswers>(() => ({
    ...NO_ANSWERS,
    referralCode: referralCode(location.search),
  }));
  const [snapshot, send, actor] = useActor(connectedLeadForm, {
    input: {
      variant,
      bookable: takesBookings(inventory),
      edited,
    },
  });
  useEffect(() => {
    send(confirmed ? { type: "lead.open_confirmation", lead: confirmed } : { type: "lead.open" });
  }, [send, confirmed]);
  useMirrored("lead_form", actor);
  // The last page stays in view while the dialog moves away.
  const lastOpen = useRef(snapshot);
  if (!snapshot.hasTag("closed")) lastOpen.current = snapshot;
  const mayClose = useCallback(() => {
    send({ type: "lead.close" });
    return actor.getSnapshot().hasTag("closed");
  }, [send, actor]);
  const modal = useModal({ onClose, mayClose });
  const submit = () => {
    const source = sourceDetails({ url: location.href, referrer: document.referrer });
    const earlier = inventory && rememberedLead(inventory.id);
    const payload = leadPayload({ variant, inventory, values: draft.values, answers, source, earlier });
    send({ type: "lead.submit", payload, key: newKey(), changes: edited ? editedDetails(draft.values) : {} });
  };
  const shown = lastOpen.current;
  const { lead } = shown.context;
  useTheirWord(draft, edited, shown.context);
  useLoginToGoOn(shown.context.isClaimed, () => {
    if (shown.hasTag("failed")) send({ type: "lead.retry" });
    else if (shown.hasTag("page2")) send({ type: "lead.save", continuation: shown.context.continuation });
    else if (shown.context.wanted) send({ type: "lead.request_viewing", slot: shown.context.wanted, key: newKey() });
  });
  const [repeatedHere] = useState(() => inventory !== null && isKnownRepeat(deviceStorage(), inventory.id, variant));
  const { viewing } = shown.context;
  useEffect(() => {
    if (!lead || !inventory) return;
    rememberEnquiry(deviceStorage(), inventory.id, variant);
    if (viewing) rememberEnquiry(deviceStorage(), inventory.id, "virtual_tour_enquiry");
    rememberLead(inventory.id, lead.uuid);
  }, [lead, inventory, variant, viewing]);
  const changed = useRef(onChanged);
  changed.current = onChanged;
  useEffect(() => {
    if (lead) changed.current?.();
  }, [lead]);
  const isOver = snapshot.hasTag("closed") && lastOpen.current.hasTag("page2");
  return { draft, answers, setAnswers, shown, send, modal, submit, isOver, repeatedHere };
}

/** What another tab made of the lead while it was edited here stands in the fields that were not touched here. */
function useTheirWord(
  { take }: LeadDraft,
  opened: Lead | null,
  { edited, changes }: { edited: Lead | null; changes: LeadChanges },
): void {
  const mine = useRef(changes);
  mine.current = changes;
  useEffect(() => {
    if (edited && edited !== opened) take(edited, mine.current);
  }, [edited, opened, take]);
}

export type LeadForm = ReturnType<typeof useLeadForm>;

/** The enquiry dialog (Spec §2 "Lead form pages"). */
export default function LeadModal(props: LeadModalProps) {
  const form = useLeadForm(props);
  const { shown, modal } = form;
  const page = shown.hasTag("page3") ? 3 : shown.hasTag("page2") ? 2 : 1;
  const goOn = useGoOn({ ...props, form });
  const goOnNow = useRef(goOn);
  goOnNow.current = goOn;
  const savedToBook = form.isOver && form.shown.hasTag("busy");
  useEffect(() => {
    if (savedToBook) goOnNow.current();
  }, [savedToBook]);
  useArrival(leadShown(form.shown), { region: () => modal.element.current, atFirst: page === 3 });
  const formId = useId();
  const titleId = useId();
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === modal.element.current) modal.close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, the browser handles it
    <dialog
      ref={modal.element}
      className={`modal modal-dialog${modal.closing ? " closing" : ""}`}
      aria-labelledby={titleId}
      data-enquiry={String(typeof shown.value === "string" ? shown.value : Object.keys(shown.value)[0])}
      onClick={onBackdrop}
    >
      <div className="dialog">
        <Head {...props} page={page} titleId={titleId} onClose={modal.close} />
        <div className="dialog-body" key={page}>
          {page > 1 && form.shown.context.isClaimed ? <ClaimNotice /> : null}
          <MirrorPart inDialog="above" />
          <Page page={page} form={form} formId={formId} {...props} />
          <MirrorPart inDialog="below" />
          <MirrorAsk />
        </div>
        <div className="dialog-foot">
          <LeadModalFoot page={page} form={form} formId={formId} {...props} />
        </div>
      </div>
    </dialog>
  );
}

interface HeadProps extends LeadModalProps {
  page: 1 | 2 | 3;
  titleId: string;
}

/** The heading, and how far it is; a confirmation that is opened alone is no step. */
function Head({ page, titleId, ...props }: HeadProps) {
  const { t } = useI18n();
  const pages = pagesOf(props.variant, takesBookings(props.inventory));
  const n = pages.indexOf(page) + 1;
  const step = t("lead.step", { n, of: pages.length });
  return (
    <>
      <div className="dialog-head dialog-head-step">
        <div className="grow">
          {n > 0 ? <p className="t-14 muted num">{step}</p> : null}
          <h2 className="t-22" id={titleId}>
            <Title page={page} {...props} />
          </h2>
        </div>
        <IconButton icon="x" label={t("ui.close")} onClick={props.onClose} />
      </div>
      {n > 0 ? (
        <div
          className="prog"
          role="progressbar"
          aria-label={step}
          aria-valuemin={1}
          aria-valuemax={pages.length}
          aria-valuenow={n}
        >
          {pages.map((one, at) => (
            <i key={one} className={at < n ? "on" : ""} />
          ))}
        </div>
      ) : null}
    </>
  );
}

export interface PartProps extends LeadModalProps {
  page: 1 | 2 | 3;
  form: LeadForm;
  formId: string;
}

function Title({ page, variant, inventory }: Pick<PartProps, "page" | "variant" | "inventory">) {
  const { t } = useI18n();
  if (page === 1) return t(deckTexts({ variant, repeat: false, available: true }).title);
  return page === 2 ? t("lead.about_title") : t(confirmationTitle(variant, inventory?.available ?? true));
}

function Page(props: PartProps): ReactNode {
  const { page, form, formId, inventory, variant, edited } = props;
  const { t } = useI18n();
  const goOn = useGoOn(props);
  const { shown, send, draft } = form;
  const { lead } = shown.context;
  const failed = shown.context.trouble !== null && !shown.context.isClaimed;
  const available = inventory?.available ?? true;
  const repeat = (lead ?? edited)?.repeats_wish ?? form.repeatedHere;
  const texts = deckTexts({ variant, repeat, available, isPaused: inventory?.state === "paused" });
  if (page === 2) {
    return (
      <LeadContinuationPage
        {...{ formId, inventory, draft }}
        received={t(texts.success)}
        failed={failed}
        asksRoom={!isBooking(variant) || inventory?.room_inventory_id == null}
        onSave={form.isOver ? goOn : (continuation) => send({ type: "lead.save", continuation })}
      />
    );
  }
  if (page === 3 && lead) {
    return (
      <LeadConfirmationPage
        {...{ variant, inventory, lead }}
        before={edited ?? null}
        success={t(texts.success)}
        viewing={shown.context.viewing}
        busy={shown.hasTag("busy")}
        failed={failed}
        onRequestViewing={(slot) => send({ type: "lead.request_viewing", slot, key: newKey() })}
      />
    );
  }
  return (
    <LeadFormPage
      {...{ formId, variant, inventory, draft }}
      subtext={t(texts.subtext)}
      answers={form.answers}
      refusals={shown.context.refusals}
      onAnswers={form.setAnswers}
      onTyped={() => send({ type: "lead.typed" })}
      onSubmit={form.submit}
    />
  );
}
