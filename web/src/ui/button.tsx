import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** `primary` once per view; `quiet` beside it; `tint` and `plain` for less; `danger` for what cannot be undone. */
export type ButtonLook = "primary" | "quiet" | "tint" | "plain" | "danger" | "amber";
export type ButtonSize = "normal" | "large" | "dense";

/** How a button, or a link that looks like one, is drawn. */
export interface Look {
  look?: ButtonLook;
  size?: ButtonSize;
  block?: boolean;
  className?: string;
}

export function buttonClass({ look = "quiet", size = "normal", block = false, className = "" }: Look): string {
  const sizes = { normal: "", large: " btn-lg", dense: " btn-dense" } as const;
  return `btn btn-${look}${sizes[size]}${block ? " btn-block" : ""} ${className}`.trim();
}

interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  children: ReactNode;
  /** Why it cannot be pressed now: shown as its title and read aloud; it stays in the tab order. */
  disabledReason?: string | undefined;
  /** Work is running: a spinner, and presses do nothing. */
  busy?: boolean;
}

export function Button({
  look,
  size,
  block,
  className,
  children,
  disabledReason,
  busy,
  onClick,
  ...rest
}: ButtonProps) {
  const rests = disabledReason !== undefined || busy === true;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({
        ...(look && { look }),
        ...(size && { size }),
        ...(block && { block }),
        ...(className && { className }),
      })}
      aria-disabled={rests || undefined}
      aria-busy={busy || undefined}
      title={disabledReason ?? rest.title}
      onClick={(event) => (rests ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? <span className="spin" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  icon: IconName;
  /** Its name: a round button has no other words. */
  label: string;
  className?: string;
  size?: 16 | 20 | 24;
}

export function IconButton({ icon, label, className = "", size = 24, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`icon-btn ${className}`.trim()}
      aria-label={label}
      title={rest.title ?? label}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}
