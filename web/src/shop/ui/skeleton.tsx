import "../styles/dialog.css";
import type { ReactNode } from "react";

/** A grey shape in the place of what is on its way; the region around it carries `aria-busy`. */
export function Skeleton({
  width = "100%",
  height = 16,
  radius = 6,
}: {
  width?: string | number;
  height?: string | number;
  radius?: number;
}) {
  return (
    <span className="skeleton" style={{ display: "block", width, height, borderRadius: radius }} aria-hidden="true" />
  );
}

/**
 * Draws in grey what is on its way, by the components that will draw it, over sample values: nothing moves when it comes. The region
 * around it carries `aria-busy`.
 */
export function Outline({ children }: { children: ReactNode }) {
  return (
    <div className="outline" aria-hidden="true" inert>
      {children}
    </div>
  );
}

/** A list that is on its way: most are empty, and say so in one sentence. */
export function ListComing({ words, none }: { words: string; none: string }) {
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {words}
      </p>
      <Outline>
        <p className="soft">{none}</p>
      </Outline>
    </div>
  );
}
