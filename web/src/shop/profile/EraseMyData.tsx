import { useState } from "react";
import { newKey, post } from "../../api.ts";
import type { OtpSent, User } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { navigate } from "../navigation.ts";
import { sendWithProof } from "../proof.ts";
import { endSession } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { oneTimeCode } from "../ui/pasted.ts";

type Way = { by: "email" | "phone"; to: string };

/** The address that gets the code: one that was proved. */
function wayOf(user: User): Way | null {
  if (user.email) return { by: "email", to: user.email };
  return user.phone ? { by: "phone", to: user.phone } : null;
}

/** A person's own wish to be forgotten (row G5): a fresh code proves that it is theirs. */
export function EraseMyData({ user }: { user: User }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const way = wayOf(user);
  if (way === null) return null;
  return (
    <section className="card pad account" aria-labelledby="erase-title">
      <h2 className="t-18" id="erase-title">
        {t("profile.forget_title")}
      </h2>
      <p className="soft erase-text">{t("profile.forget_text")}</p>
      <Button onClick={() => setOpen(true)}>{t("profile.forget")}</Button>
      {open ? <EraseDialog way={way} onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

function EraseDialog({ way, onClose }: { way: Way; onClose: () => void }) {
  const { t } = useI18n();
  const { code, setCode, sent, busy, trouble, send, erase } = useErasing(way);
  const foot =
    sent === null ? (
      <Button look="primary" busy={busy} onClick={() => void send()}>
        {t("profile.forget_send")}
      </Button>
    ) : (
      <Button
        look="danger"
        busy={busy}
        disabledReason={code.length < 6 ? t("profile.forget_code") : undefined}
        onClick={() => void erase(sent.session_uuid)}
      >
        {t(busy ? "profile.forget_doing" : "profile.forget_do")}
      </Button>
    );
  return (
    <Dialog
      title={t("profile.forget_title")}
      onClose={onClose}
      foot={
        <div className="row">
          <Button onClick={onClose}>{t("profile.forget_keep")}</Button>
          {foot}
        </div>
      }
    >
      <div className="stack g16">
        <p>{t("profile.forget_what")}</p>
        <p className="soft">{t("profile.forget_kept")}</p>
        <p className="soft">{t("profile.forget_open")}</p>
        {sent === null ? (
          trouble === null ? null : (
            <Banner kind="error">{trouble}</Banner>
          )
        ) : (
          <>
            <p role="status">{t("profile.forget_sent", { to: way.to })}</p>
            <TextField
              label={t("profile.forget_code")}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              error={trouble}
              onChange={(event) => setCode(oneTimeCode(event.target.value))}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

function useErasing(way: Way) {
  const { t } = useI18n();
  const [code, setCode] = useState("");
  const [sent, setSent] = useState<OtpSent | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const doing = async (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble(null);
    try {
      await work();
    } catch (failure) {
      setTrouble(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  const send = () =>
    doing(async () => {
      const asked = sendWithProof((proven) => post("/api/v0/users/forget/code", { body: { by: way.by }, ...proven }), {
        idempotencyKey: newKey(),
      });
      setSent(await asked);
    });
  const erase = (session: string) =>
    doing(async () => {
      await post("/api/v0/users/forget", { body: { by: way.by, otp: code, session_uuid: session } });
      endSession();
      toast(t("profile.forget_done"));
      await navigate(paths.home());
    });
  return { code, setCode, sent, busy, trouble, send, erase };
}
