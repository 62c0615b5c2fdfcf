import type { ReactNode } from "react";
import { buttonClass, type Look } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";

/** A link that looks like a button. */
export function ButtonLink({ href, children, ...look }: Look & { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass(look)}>
      {children}
    </Link>
  );
}
