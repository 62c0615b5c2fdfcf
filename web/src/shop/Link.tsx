import type { AnchorHTMLAttributes, MouseEvent, Ref } from "react";
import { navigate, prefetch } from "./navigation.ts";

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link inside the site: plain anchor for the server, modified clicks and readers; no reload otherwise. */
export function Link({ href, onClick, target, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || target === "_blank") return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(href);
  };
  const warm = () => prefetch(href);
  return (
    <a href={href} target={target} onClick={follow} onMouseEnter={warm} onFocus={warm} onTouchStart={warm} {...rest} />
  );
}
