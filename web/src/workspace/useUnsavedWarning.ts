import { useEffect } from "react";

/** The browser asks before the site is left while something is not saved; within the workspace drafts stay. */
export function useUnsavedWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
}
