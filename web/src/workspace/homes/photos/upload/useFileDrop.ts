import { useEffect, useRef, useState } from "react";

/**
 * Takes files that are dropped anywhere on the page: beside a marked place the browser would leave the page and show the file. Tells
 * whether files are above the page.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const take = (event: DragEvent): DataTransfer | null => {
      const carried = event.dataTransfer?.types.includes("Files") === true ? event.dataTransfer : null;
      if (carried !== null) event.preventDefault();
      return carried;
    };
    const over = (event: DragEvent) => setOver(take(event) !== null);
    // Nothing is beneath the pointer once it has left the window.
    const leave = (event: DragEvent) => setOver((was) => was && event.relatedTarget !== null);
    const drop = (event: DragEvent) => {
      const carried = take(event);
      setOver(false);
      if (carried !== null) latest.current([...carried.files]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}
