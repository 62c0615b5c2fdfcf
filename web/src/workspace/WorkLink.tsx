import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { go } from "./address.ts";

interface WorkLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link between two places of the workspace: a real anchor, followed without a reload. */
export function WorkLink({ href, onClick, ...rest }: WorkLinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
