import { type FormEvent, type ReactNode, useId } from "react";
import { CloseButton, Overlay } from "./Overlay.tsx";

interface DialogFrameProps {
  title: string;
  onSubmit: () => void;
  /** The buttons. */
  footer: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A form in the middle of the window: its title with the cross, what it asks or shows, and its buttons. */
export function DialogFrame({ title, onSubmit, footer, onClose, children }: DialogFrameProps) {
  const heading = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <form className="dlg" onSubmit={submit}>
        <header>
          <h2 id={heading}>{title}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body">{children}</div>
        <footer>{footer}</footer>
      </form>
    </Overlay>
  );
}
