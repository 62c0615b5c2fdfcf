import "../styles/dialog.css";
import "./lead.css";
import { useActor } from "@xstate/react";
import { type MouseEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from "react";
import { newKey } from "../api.ts";
import { sourceDetails } from "../attribution.ts";
import type { Lead, LeadVariant } from "../contract/wire.ts";
import { useI18n } from "../i18n/i18n.tsx";
import { Link } from "../Link.tsx";
import { navigate } from "../navigation.ts";
import * as paths from "../paths.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { referralCode } from "../ui/cameBy.ts";
import { useModal } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { rememberLead } from "../ui/knownLead.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { Rich } from "../ui/rich.tsx";
import { LeadConfirmationPage } from "./LeadConfirmationPage.tsx";
import { LeadContinuationPage } from "./LeadContinuationPage.tsx";
import { LeadFormPage } from "./LeadFormPage.tsx";
import { connectedLeadForm } from "./leadActors.ts";
import { confirmationTitle, deckTexts } from "./leadDeck.ts";
import { type LeadAnswers, leadPayload, NO_ANSWERS } from "./leadPayload.ts";
import { isKnownRepeat, rememberEnquiry } from "./repeat.ts";
import { useLeadDraft } from "./useLeadDraft.ts";

interface LeadModalProps {
  inventory: LeadInventory | null;
  variant: LeadVariant;
  onClose: () => void;
  /** A lead whose details are changed (`edit_details`). */
  leadUuid?: string | null;
  /** Opens on page 3 (D23 `showSubmitConfirmation`). */
  confirmed?: Lead | null;
}

/** D26, D41: page 2 and the way to the booking form need a home that is free and can be booked online. */
function takesBookings(inventory: LeadInventory | null): boolean {
  return inventory ? inventory.available && inventory.bookable : false;
}

function useLeadForm({ inventory, variant, leadUuid, confirmed, onClose }: LeadModalProps) {
  const draft = useLeadDraft(inventory);
  const [answers, setAnswers] = useState<LeadAnswers>(() => ({
    ...NO_ANSWERS,
    referralCode: referralCode(location.search),
  }));
  const [snapshot, send, actor] = useActor(connectedLeadForm, {
    input: {
      variant,
      bookable: takesBookings(inventory),
      leadUuid: leadUuid ?? null,
    },
  });
  useEffect(() => {
    send(confirmed ? { type: "lead.open_confirmation", lead: confirmed } : { type: "lead.open" });
  }, [send, confirmed]);
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
    const payload = leadPayload({ variant, inventory, values: draft.values, answers, source });
    send({ type: "lead.submit", payload, key: newKey() });
  };
  const shown = lastOpen.current;
  const { lead } = shown.context;
  useEffect(() => {
    if (!lead || !inventory) return;
    rememberEnquiry(localStorage, inventory.id);
    rememberLead(inventory.id, lead.uuid);
  }, [lead, inventory]);
  return { draft, answers, setAnswers, shown, send, modal, submit };
}

type LeadForm = ReturnType<typeof useLeadForm>;

/** The enquiry dialog (Spec §2 "Lead form pages"). */
export default function LeadModal(props: LeadModalProps) {
  const { t } = useI18n();
  const form = useLeadForm(props);
  const { shown, modal } = form;
  const page = shown.hasTag("page3") ? 3 : shown.hasTag("page2") ? 2 : 1;
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
      data-step={String(typeof shown.value === "string" ? shown.value : Object.keys(shown.value)[0])}
      onClick={onBackdrop}
    >
      <div className="dialog">
        <div className="dialog-head dialog-head-step">
          <div className="grow">
            <p className="t-14 muted num">{t("lead.step", { n: page })}</p>
            <h2 className="t-22" id={titleId}>
              <Title page={page} {...props} />
            </h2>
          </div>
          <IconButton icon="x" label={t("ui.close")} onClick={modal.close} />
        </div>
        <div
          className="prog"
          role="progressbar"
          aria-label={t("lead.step", { n: page })}
          aria-valuemin={1}
          aria-valuemax={3}
          aria-valuenow={page}
        >
          {[1, 2, 3].map((n) => (
            <i key={n} className={n <= page ? "on" : ""} />
          ))}
        </div>
        <div className="dialog-body" key={page}>
          <Page page={page} form={form} formId={formId} {...props} />
        </div>
        <div className="dialog-foot">
          <Foot page={page} form={form} formId={formId} {...props} />
        </div>
      </div>
    </dialog>
  );
}

interface PartProps extends LeadModalProps {
  page: 1 | 2 | 3;
  form: LeadForm;
  formId: string;
}

function Title({ page, variant }: { page: number; variant: LeadVariant }) {
  const { t } = useI18n();
  if (page === 1) return t(deckTexts({ variant, repeat: false, available: true }).title);
  return page === 2 ? t("lead.about_title") : t(confirmationTitle(variant));
}

function Page({ page, form, formId, inventory, variant }: PartProps): ReactNode {
  const { t } = useI18n();
  const { shown, send, draft } = form;
  const { lead } = shown.context;
  const available = inventory?.available ?? true;
  const repeat = lead?.repeat ?? (inventory !== null && isKnownRepeat(localStorage, inventory.id));
  const texts = deckTexts({ variant, repeat, available });
  if (page === 2) {
    return (
      <LeadContinuationPage
        {...{ formId, inventory, draft }}
        received={t(texts.success)}
        failed={shown.context.trouble !== null}
        onSave={(continuation) => send({ type: "lead.save", continuation })}
      />
    );
  }
  if (page === 3 && lead) {
    return (
      <LeadConfirmationPage
        {...{ variant, inventory, lead }}
        success={t(texts.success)}
        viewing={shown.context.viewing}
        busy={shown.hasTag("busy")}
        failed={shown.context.trouble !== null}
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

function Foot(props: PartProps): ReactNode {
  switch (props.page) {
    case 1:
      return <FormFoot {...props} />;
    case 2:
      return <ContinuationFoot {...props} />;
    case 3:
      return <ConfirmationFoot {...props} />;
  }
}

function FormFoot({ form, formId, variant, inventory, onClose }: PartProps) {
  const { t } = useI18n();
  const { shown, send, modal } = form;
  if (shown.hasTag("leaving")) {
    return (
      <div className="asks-once" role="alertdialog" aria-label={t("lead.leave_title")}>
        <p>
          <span className="m">{t("lead.leave_title")}</span> <span className="t-14 soft">{t("lead.leave_text")}</span>
        </p>
        <div className="row">
          <Button onClick={modal.close}>{t("lead.leave_go")}</Button>
          <Button look="primary" onClick={() => send({ type: "lead.stay" })}>
            {t("lead.leave_stay")}
          </Button>
        </div>
      </div>
    );
  }
  if (shown.hasTag("failed")) {
    return (
      <div className="stack g12">
        <p className="err" role="alert">
          <Icon name="alert" size={16} />
          <span>{t("lead.failure")}</span>
        </p>
        <div className="row between">
          <Button look="plain" onClick={() => send({ type: "lead.edit" })}>
            {t("lead.edit_again")}
          </Button>
          <Button look="primary" size="large" onClick={() => send({ type: "lead.retry" })}>
            {t("lead.try_again")}
          </Button>
        </div>
      </div>
    );
  }
  const busy = shown.hasTag("busy");
  const texts = deckTexts({ variant, repeat: false, available: inventory?.available ?? true });
  return (
    <>
      <Button type="submit" form={formId} look="primary" size="large" block busy={busy}>
        {busy ? t("lead.sending") : t(texts.submit)}
      </Button>
      <p className="t-12 muted legal">
        <Rich
          k="lead.consent"
          nodes={{
            terms: (
              <Link href="/terms" onClick={onClose}>
                {t("lead.terms")}
              </Link>
            ),
            privacy: (
              <Link href="/privacy" onClick={onClose}>
                {t("lead.privacy")}
              </Link>
            ),
          }}
        />
      </p>
    </>
  );
}

function ContinuationFoot(props: PartProps) {
  const { t } = useI18n();
  const { form, formId, variant } = props;
  const busy = form.shown.hasTag("busy");
  const goOn = useGoOn(props);
  // Who pressed Book wants to book: leaving page 2 out goes on to the form, not to the confirmation.
  const books = variant === "book_now" || variant === "apply_now";
  return (
    <div className="row between">
      <Button look="plain" onClick={books ? goOn : () => form.send({ type: "lead.skip" })}>
        {t(books ? (props.inventory?.flow === "apply" ? "lead.continue_apply" : "lead.continue_book") : "lead.skip")}
      </Button>
      <Button type="submit" form={formId} look="primary" size="large" busy={busy}>
        {t(busy ? "lead.saving" : "lead.save_continue")}
      </Button>
    </div>
  );
}

/** On to the booking form with this lead and the room that was chosen. */
function useGoOn({ form, inventory, onClose }: PartProps): () => void {
  const { lead } = form.shown.context;
  return () => {
    if (!inventory || !lead) return;
    form.send({ type: "lead.continue_to_booking" });
    const query = {
      lead_uuid: lead.uuid,
      inventory_id: inventory.room_inventory_id,
      move_in_date: inventory.move_in_date,
      lease_duration: inventory.lease_duration,
    };
    const to = inventory.flow === "apply" ? paths.application : paths.bookingForm;
    void navigate(to(inventory.canonical_name, query)).then(onClose);
  };
}

function ConfirmationFoot(props: PartProps) {
  const { t } = useI18n();
  const { form, inventory, onClose } = props;
  const { lead } = form.shown.context;
  const goOn = useGoOn(props);
  const books = inventory !== null && lead !== null && takesBookings(inventory);
  return (
    <div className="row between wrapx">
      {inventory ? (
        <Link className="link" href={paths.search(inventory.region.canonical_name)} onClick={onClose}>
          {t("lead.see_similar")}
        </Link>
      ) : (
        <span />
      )}
      {books ? (
        <Button look="primary" onClick={goOn}>
          {t(inventory.flow === "apply" ? "lead.continue_apply" : "lead.continue_book")}
        </Button>
      ) : (
        <Button look="primary" onClick={form.modal.close}>
          {t("lead.done")}
        </Button>
      )}
    </div>
  );
}
