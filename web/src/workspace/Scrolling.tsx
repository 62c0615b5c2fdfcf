import type { HTMLAttributes } from "react";

interface ScrollingProps extends HTMLAttributes<HTMLElement> {
  as?: "div" | "section" | "pre";
}

/** A part of the page that scrolls where its content does not fit. It takes focus, so that the arrow keys scroll it in every browser. */
export function Scrolling({ as: Element = "div", ...rest }: ScrollingProps) {
  return <Element tabIndex={0} {...rest} />;
}
