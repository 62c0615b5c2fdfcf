import { useEffect, useRef } from "react";
import { type Bounds, boundsOf, type Covered, type Size, shiftedOutOf, uncovered, type View } from "./projection.ts";

/** A map that has not moved for this long has come to rest. */
const restMs = 350;

interface Rest {
  /** Where the reader moved the map, null while it stands where it opened. */
  moved: View | null;
  size: Size | null;
  covered: Covered | undefined;
  dragging: boolean;
  box: Bounds | null;
  onMoved: ((bounds: Bounds) => void) | undefined;
  /** The searched part changed without the map: by Back, or by giving it up. */
  onElsewhere: () => void;
}

/** Tells what the uncovered part of the window shows whenever a reader's move comes to rest, and hears when the searched part moves by itself. */
export function useRest({ moved, size, covered, dragging, box, onMoved, onElsewhere }: Rest): void {
  const latest = useRef({ onMoved, onElsewhere });
  latest.current = { onMoved, onElsewhere };
  const told = useRef(wordOf(box));
  const follows = onMoved !== undefined;
  useEffect(() => {
    if (!moved || !size || dragging || !follows) return;
    const timer = window.setTimeout(() => {
      const bounds = boundsOf(shiftedOutOf(moved, covered), uncovered(size, covered));
      if (wordOf(bounds) === told.current) return;
      told.current = wordOf(bounds);
      latest.current.onMoved?.(bounds);
    }, restMs);
    return () => window.clearTimeout(timer);
  }, [moved, size, covered, dragging, follows]);
  const word = wordOf(box);
  useEffect(() => {
    if (word === told.current) return;
    told.current = word;
    latest.current.onElsewhere();
  }, [word]);
}

function wordOf(box: Bounds | null): string {
  return box ? [box.south, box.west, box.north, box.east].join() : "";
}
