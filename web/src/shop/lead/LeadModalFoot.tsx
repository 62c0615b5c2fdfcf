import type { ReactNode } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LeadClashNotice } from "../../ui/LeadClashNotice.tsx";
import { Link } from "../Link.tsx";
import { LogInButton } from "../ui/claim.tsx";
import { Rich } from "../ui/rich.tsx";
import { type PartProps, takesBookings } from "./LeadModal.tsx";
import { deckTexts } from "./leadDeck.ts";
import { isBooking } from "./leadFormMachine.ts";
import { useGoOn } from "./useGoOn.ts";

/** What can be done on each page of the enquiry dialog, always in view below it. */
export function LeadModalFoot(props: PartProps): ReactNode {
  const { shown, send } = props.form;
  if (shown.context.clashes.length > 0) {
    return (
      <LeadClashNotice
        clashes={shown.context.clashes}
        onHere={() => send({ type: "lead.settle", keep: "here" })}
        onThere={() => send({ type: "lead.settle", keep: "there" })}
      />
    );
  }
  switch (props.page) {
    case 1:
      return <FormFoot {...props} />;
    case 2:
      return <ContinuationFoot {...props} />;
    case 3:
      return <ConfirmationFoot {...props} />;
  }
}

function FormFoot(props: PartProps) {
  const { form, formId, variant, inventory, edited } = props;
  const { t } = useI18n();
  const { shown } = form;
  if (shown.hasTag("leaving")) return <LeavingFoot {...props} />;
  if (shown.hasTag("failed")) return <FailedFoot {...props} />;
  const busy = shown.hasTag("busy");
  const texts = deckTexts({ variant, repeat: false, available: inventory?.available ?? true });
  return (
    <>
      <Button type="submit" form={formId} look="primary" size="large" block busy={busy}>
        {busy ? t("lead.sending") : t(texts.submit)}
      </Button>
      {edited ? null : <Consent {...props} />}
    </>
  );
}

function Consent({ onClose }: PartProps) {
  const { t } = useI18n();
  const link = (href: string, text: string) => (
    <Link href={href} onClick={onClose}>
      {text}
    </Link>
  );
  return (
    <p className="t-12 muted lead-terms">
      <Rich
        k="lead.consent"
        nodes={{ terms: link("/terms", t("lead.terms")), privacy: link("/privacy", t("lead.privacy")) }}
      />
    </p>
  );
}

function LeavingFoot({ form, edited }: PartProps) {
  const { t } = useI18n();
  const { send, modal } = form;
  return (
    <div className="asks-once" role="alertdialog" aria-label={t("lead.leave_title")}>
      <p data-arrival>
        <span className="m">{t("lead.leave_title")}</span>
        {spaceAfter(t("lead.leave_title"))}
        <span className="t-14 soft">{t(edited ? "lead.leave_edit" : "lead.leave_text")}</span>
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

/** What could not be sent is tried again; what the server will not take is said in its own words. */
function FailedFoot({ form, edited }: PartProps) {
  const { t } = useI18n();
  const { shown, send, modal } = form;
  const { final, isOffline, isClaimed, trouble } = shown.context;
  const failed = isOffline ? "lead.offline" : edited ? "lead.edit_failed" : "lead.failure";
  return (
    <div className="stack g12">
      <p className="err" role="alert" data-arrival>
        <Icon name="alert" size={16} />
        <span>{final && trouble ? trouble : t(failed)}</span>
      </p>
      <div className="row between">
        <Button look="plain" onClick={() => send({ type: "lead.edit" })}>
          {t("lead.edit_again")}
        </Button>
        {isClaimed ? (
          <LogInButton />
        ) : final ? (
          <Button look="primary" size="large" onClick={modal.close}>
            {t("ui.close")}
          </Button>
        ) : (
          <Button look="primary" size="large" onClick={() => send({ type: "lead.retry" })}>
            {t("lead.try_again")}
          </Button>
        )}
      </div>
    </div>
  );
}

function ContinuationFoot(props: PartProps) {
  const { t } = useI18n();
  const { form, formId, variant } = props;
  // Where the booking form does not come, the page stays, and the way to it is pressed again.
  const busy = form.shown.hasTag("busy") && !form.isOver;
  const goOn = useGoOn(props);
  // Who pressed Book wants to book: page 2 goes on to the booking form, filled in or not.
  const books = isBooking(variant);
  const onward = books ? onwardText(props) : "lead.save_continue";
  return (
    <div className="row between">
      <Button look="plain" onClick={books ? goOn : () => form.send({ type: "lead.skip" })}>
        {t("lead.skip")}
      </Button>
      <Button type="submit" form={formId} look="primary" size="large" busy={busy}>
        {t(busy ? "lead.saving" : onward)}
      </Button>
    </div>
  );
}

/** The words of the way to the booking form. */
function onwardText({ inventory }: PartProps): "lead.continue_apply" | "lead.continue_book" {
  return inventory?.flow === "apply" ? "lead.continue_apply" : "lead.continue_book";
}

function ConfirmationFoot(props: PartProps) {
  const { t } = useI18n();
  const { form, inventory, edited, onClose } = props;
  const { lead } = form.shown.context;
  const goOn = useGoOn(props);
  if (edited) {
    return (
      <Button look="primary" block onClick={form.modal.close}>
        {t("lead.done")}
      </Button>
    );
  }
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
          {t(onwardText(props))}
        </Button>
      ) : (
        <Button look="primary" onClick={form.modal.close}>
          {t("lead.done")}
        </Button>
      )}
    </div>
  );
}
