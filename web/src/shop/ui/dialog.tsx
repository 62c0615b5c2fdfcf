import "../styles/dialog.css";
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { IconButton } from "../../ui/button.tsx";
import { keepToastsClear } from "../../ui/clearToasts.ts";
import { enterTop } from "../../ui/topDialog.ts";
import { enterDialog, historySettled, leaveDialog } from "./dialogEntry.ts";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons that stay in view below the scrolling body. */
  foot?: ReactNode;
  /** Above the title: a back arrow or a step line. */
  lead?: ReactNode;
  /** Between head and body: progress. */
  below?: ReactNode;
  /** `dialog` 560 wide and centred, full screen on phones; `drawer` from the right; `login` 440; `screen` fills the window. */
  shape?: "dialog" | "drawer" | "login" | "screen";
  /** Back closes it: it gets its own history entry. */
  history?: boolean;
  /** Asked before Escape, outside click or Back close it; `false` keeps it open. */
  mayClose?: () => boolean;
}

/** Spec §9: 50 ms before it opens is the browser's paint; closing takes 300 ms. */
const closeMs = 300;

/**
 * A modal on the native `<dialog>`: inert background, Escape and focus return are the browser's; outside click, Back
 * and the closing motion are ours.
 */
export function Dialog(props: DialogProps) {
  const { title, children, foot, lead, below, shape = "dialog" } = props;
  const { t } = useI18n();
  const titleId = useId();
  const { element, closing, close } = useModal(props);
  const onBackdrop = (event: MouseEvent) => {
    if (event.target === element.current) close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way out, the browser handles it
    <dialog
      ref={element}
      className={`modal modal-${shape}${closing ? " closing" : ""}`}
      aria-labelledby={titleId}
      onClick={onBackdrop}
    >
      <div className="dialog">
        <div className="dialog-head">
          {lead}
          <h2 className="t-18 grow" id={titleId}>
            {title}
          </h2>
          <IconButton icon="x" label={t("ui.close")} onClick={close} />
        </div>
        {below}
        <div className="dialog-body">{children}</div>
        {foot ? <div className="dialog-foot">{foot}</div> : null}
      </div>
    </dialog>
  );
}

/** The life of a modal for dialogs that draw their own inside: put `element` on a `<dialog>`. */
export function useModal({
  onClose,
  history: ownEntry = true,
  mayClose,
}: Pick<DialogProps, "onClose" | "history" | "mayClose">) {
  useEffect(keepToastsClear, []);
  const element = useRef<HTMLDialogElement>(null);
  const [closing, setClosing] = useState(false);
  const now = useRef({ onClose, mayClose, closing });
  now.current = { onClose, mayClose, closing };
  const leave = useRef(() => {
    if (now.current.closing || now.current.mayClose?.() === false) return;
    setClosing(true);
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    window.setTimeout(() => now.current.onClose(), still ? 0 : closeMs);
  });
  // Focus goes back to where it came from only when the dialog is closed while it still stands in the page.
  useLayoutEffect(() => {
    const dialog = element.current;
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    if (!dialog.open) dialog.showModal();
    const leaveTop = enterTop(dialog);
    focusFirstField(dialog);
    const root = document.documentElement;
    // The page keeps its width while its scrollbar is away.
    root.style.setProperty("--scrollbar", `${window.innerWidth - root.clientWidth}px`);
    root.classList.add("has-modal");
    const onCancel = (event: Event) => {
      event.preventDefault();
      leave.current();
    };
    dialog.addEventListener("cancel", onCancel);
    return () => {
      leaveTop();
      dialog.removeEventListener("cancel", onCancel);
      root.classList.remove("has-modal");
    };
  }, []);
  useBackCloses(ownEntry, element, leave.current, now);
  return { element, closing, close: leave.current };
}

const fields = ["input:not([type=hidden], [type=checkbox], [type=radio], [type=range])", "select", "textarea"];

// Who came to fill something in starts there and not at the closing cross; a thumb is not met with a keyboard.
function focusFirstField(dialog: HTMLDialogElement): void {
  const asks = dialog.matches(".modal-dialog, .modal-login") && window.matchMedia("(pointer: fine)").matches;
  if (asks) dialog.querySelector<HTMLElement>(fields.map((field) => `.dialog-body ${field}`).join())?.focus();
}

/** The dialog that was opened over this one, such as the login over an enquiry. */
function coverOf(dialog: HTMLDialogElement | null): Element | null {
  const open = [...document.querySelectorAll("dialog[open]")];
  const top = open.at(-1);
  return dialog && top && top !== dialog && open.includes(dialog) ? top : null;
}

function useBackCloses(
  ownEntry: boolean,
  element: RefObject<HTMLDialogElement | null>,
  leave: () => void,
  now: { current: { mayClose: (() => boolean) | undefined } },
): void {
  useEffect(() => {
    if (!ownEntry) return;
    const mark = Math.random();
    let stop: (() => void) | null = null;
    let gone = false;
    const onPop = () => {
      // Back closes what lies over this dialog, and this one stays.
      const over = coverOf(element.current);
      if (over) {
        enterDialog(mark);
        over.dispatchEvent(new Event("cancel", { cancelable: true }));
      } else if (now.current.mayClose?.() === false) enterDialog(mark);
      else leave();
    };
    const enter = () => {
      if (gone) return;
      enterDialog(mark);
      window.addEventListener("popstate", onPop);
      stop = () => {
        window.removeEventListener("popstate", onPop);
        leaveDialog(mark);
      };
    };
    void historySettled().then(enter);
    return () => {
      gone = true;
      stop?.();
    };
  }, [ownEntry, element, leave, now]);
}
