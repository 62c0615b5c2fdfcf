import { type PointerEvent, useEffect, useRef, useState } from "react";
import { type Point, panBy, type Size, type View, zoomAt } from "./projection.ts";

type Change = (view: View, size: Size) => View;

/** One finger or the mouse moves, two fingers or the wheel zoom. */
export function useDrag(element: { current: HTMLElement | null }, apply: (change: Change) => void) {
  const [dragging, setDragging] = useState(false);
  const fingers = useRef(new Map<number, Point>());
  const latest = useRef(apply);
  latest.current = apply;

  // React listens to wheels passively; the page must not scroll while the map zooms.
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = within(box, event);
      latest.current((view, size) => zoomAt(view, -event.deltaY / 300, at, size));
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => box.removeEventListener("wheel", onWheel);
  }, [element]);

  const onPointerDown = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest("button, a")) return;
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.current?.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const was = fingers.current.get(event.pointerId);
    const box = element.current;
    if (!was || !box) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (!other) {
      latest.current((view) => panBy(view, now.x - was.x, now.y - was.y));
      return;
    }
    const spread = Math.log2(Math.max(1, apart(now, other)) / Math.max(1, apart(was, other)));
    const middle = within(box, { clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
    latest.current((view, size) => zoomAt(view, spread, middle, size));
  };
  const onPointerUp = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    setDragging(fingers.current.size > 0);
  };
  return { dragging, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp };
}

function within(box: HTMLElement, at: { clientX: number; clientY: number }): Point {
  const { left, top } = box.getBoundingClientRect();
  return { x: at.clientX - left, y: at.clientY - top };
}

function apart(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
