import { useI18n } from "../../../i18n/i18n.tsx";
import type { Face } from "./face.ts";
import { Logo, PageFrame } from "./PageFrame.tsx";

/** A home's page: chip, link and buttons in the draft's colours. */
export function PropertyView({ face }: { face: Face }) {
  const { t } = useI18n();
  return (
    <PageFrame face={face}>
      <div className="bp-body">
        <div className="bp-title small">{t("brand.look_home")}</div>
        <div className="bp-link">{t("brand.look_map")}</div>
        <div className="bp-picture" />
        <span className="bp-chip">{t("brand.look_bills")}</span>
        <div className="bp-book">
          <b>{t("brand.look_price")}</b>
          <span className={`bp-btn full${face.mark("button_colour", "main_colour")}`}>{t("brand.sample_button")}</span>
          <span className="bp-btn line full">{t("brand.look_ask")}</span>
        </div>
      </div>
    </PageFrame>
  );
}

/** A mail: its head with the mark, one button and the small print. */
export function MailView({ face }: { face: Face }) {
  const { t } = useI18n();
  return (
    <>
      <div className="bp-mail-head">
        <Logo face={face} />
      </div>
      <div className="bp-body">
        <div className="bp-title small">{t("brand.look_mail_title")}</div>
        <div>{t("brand.look_mail_text")}</div>
        <span className="bp-btn">{t("brand.look_mail_button")}</span>
      </div>
      <div className={`bp-small${face.mark("mail_small_print")}`}>
        <Lines lines={face.shown.mail_small_print} />
      </div>
    </>
  );
}

/** The head of a receipt: mark and letterhead. */
export function ReceiptView({ face }: { face: Face }) {
  const { t } = useI18n();
  return (
    <div className="bp-body paper">
      <div className="bp-paper-head">
        <Logo face={face} />
        <div className={`soft${face.mark("letterhead")}`}>
          <Lines lines={face.shown.letterhead} />
        </div>
      </div>
      <div className="bp-title small">{t("brand.look_receipt")}</div>
      <div className="bp-sum">
        <span>{t("brand.look_receipt_line")}</span>
        <b>{t("brand.look_receipt_sum")}</b>
      </div>
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] | null | undefined }) {
  return (lines ?? []).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name.
    <div key={at}>{line}</div>
  ));
}
