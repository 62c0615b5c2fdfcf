import { type ReactNode, useState } from "react";
import { Icon, type IconName } from "../../icon.tsx";

interface PartProps {
  icon: IconName;
  title: string;
  /** Its value in a line. */
  value: string;
  /** How the line looks: what needs a look is red. */
  look?: "ok" | "bad" | undefined;
  isOpen?: boolean;
  /** Something in it was refused: it opens. */
  hasFault: boolean;
  children: ReactNode;
}

/** A part of the form; closed, it shows its value. */
export function Part({ icon, title, value, look, isOpen: begin = false, hasFault, children }: PartProps) {
  const [isOpen, setOpen] = useState(begin);
  return (
    <details className="brand-part" open={isOpen || hasFault} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name={icon} size="s" />
        <span className="bb">{title}</span>
        <span className={look === undefined ? "sub cut" : `sub cut ${look}`}>{value}</span>
        <Icon name="down" size="xs" />
      </summary>
      <div className="in">{children}</div>
    </details>
  );
}
