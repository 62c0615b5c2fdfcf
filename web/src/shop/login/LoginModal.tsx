import "../styles/dialog.css";
import "./login.css";
import { useActor } from "@xstate/react";
import { type MouseEvent, useEffect, useId } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { useChrome } from "../../pageContext.ts";
import { useArrival } from "../../ui/arrival.ts";
import { IconButton } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { navigate, rewrite } from "../navigation.ts";
import { setSession } from "../session.ts";
import { useModal } from "../ui/dialog.tsx";
import { CodePage } from "./CodePage.tsx";
import { HandlePage } from "./HandlePage.tsx";
import { connectedLogin } from "./loginActors.ts";
import { loginShown } from "./loginScreens.ts";
import { safeNext, withoutLogin, withoutPending } from "./nextPath.ts";

interface LoginModalProps {
  next: string | null;
  /** It stands over another dialog, whose entry in the history it leaves alone. */
  isOver?: boolean;
  onClose: () => void;
}

/** The login dialog (Spec §2): 400 px tall and centred, full screen on phones. */
export default function LoginModal({ next, isOver = false, onClose }: LoginModalProps) {
  const { t } = useI18n();
  const chrome = useChrome();
  const [snapshot, send] = useActor(connectedLogin);
  const modal = useModal({
    history: !isOver,
    onClose: () => {
      // D22: a home that waited for this login waits no longer; this browser has it either way.
      if (location.search.includes("shortlist_inv=")) rewrite(withoutPending(new URL(location.href)));
      onClose();
    },
  });
  useArrival(loginShown(snapshot), { region: () => modal.element.current });
  const titleId = useId();
  const inCode = snapshot.hasTag("code");
  const { user } = snapshot.context;
  useEffect(() => {
    if (!user) return;
    setSession(user);
    toast(t("login.success_title"), "success", { detail: t("login.success") });
    // `?login=1` has been answered: a reload must not ask again.
    if (location.search.includes("login=1")) rewrite(withoutLogin(new URL(location.href)));
    const to = safeNext(next, location.origin);
    if (to) void navigate(to).then(onClose);
    else modal.close();
  }, [user, next, onClose, modal.close, t]);
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === modal.element.current) modal.close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, the browser handles it
    <dialog
      ref={modal.element}
      className={`modal modal-login${modal.closing ? " closing" : ""}`}
      aria-labelledby={titleId}
      onClick={onBackdrop}
    >
      <div className="dialog">
        <div className={`dialog-head login-head${inCode ? " with-back" : ""}`}>
          {inCode ? (
            <IconButton icon="chev-l" label={t("login.back")} onClick={() => send({ type: "login.back" })} />
          ) : null}
          <h2 className={inCode ? "vh" : "t-22 grow"} id={titleId}>
            {t("login.title", { brand: chrome.brand_name })}
          </h2>
          {inCode ? <span className="grow" /> : null}
          <IconButton icon="x" label={t("ui.close")} onClick={modal.close} />
        </div>
        {inCode || snapshot.hasTag("done") ? (
          <CodePage key="code" snapshot={snapshot} send={send} />
        ) : (
          <HandlePage key="handle" snapshot={snapshot} send={send} onClose={onClose} />
        )}
      </div>
    </dialog>
  );
}
