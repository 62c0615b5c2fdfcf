import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

interface ChipProps {
  children: ReactNode;
  on: boolean;
  onPress: () => void;
  /** How many results it would leave; zero rests it but keeps it in view. */
  count?: number | null;
  className?: string;
}

/** A choice that sits in a row: tint and tick when on. */
export function Chip({ children, on, onPress, count = null, className = "" }: ChipProps) {
  const rests = count === 0 && !on;
  return (
    <button
      type="button"
      className={`chip${on ? " on" : ""} ${className}`.trim()}
      aria-pressed={on}
      aria-disabled={rests || undefined}
      onClick={() => (rests ? undefined : onPress())}
    >
      {on ? <Icon name="check" size={16} /> : null}
      {children}
      {count === null ? null : <span className="n">{count}</span>}
    </button>
  );
}
