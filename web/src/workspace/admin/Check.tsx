import type { ReactNode } from "react";
import { Icon } from "../icon.tsx";

/** A word about a part, with a tick or a warning before it. */
export function Check({ ok, children }: { ok: boolean; children: ReactNode }) {
  return (
    <span className={ok ? "hck ok" : "hck bad"}>
      <Icon name={ok ? "check" : "alert"} size="xs" />
      {children}
    </span>
  );
}
