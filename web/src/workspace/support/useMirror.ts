import { useEffect, useState } from "react";
import type { StaffMirror } from "../../contract/wire.ts";
import { listenWhileSeen } from "../../seenStream.ts";
import { mirrorUrl } from "./mirrorCalls.ts";

export type Watched =
  | { kind: "connecting" }
  | { kind: "shown"; mirror: StaffMirror; isLive: boolean }
  | { kind: "refused" };

/** Where the student stands, told by the server's stream; what was told last stays on screen when it ends. */
export function useMirror(id: string | null): Watched {
  const [watched, setWatched] = useState<Watched>({ kind: "connecting" });
  useEffect(() => {
    setWatched({ kind: "connecting" });
    if (id === null) return;
    const mirror = (data: string) => {
      const told: StaffMirror = JSON.parse(data);
      setWatched({ kind: "shown", mirror: told, isLive: told.ended_by === null });
      if (told.ended_by !== null) stop();
    };
    const broke = (isRefused: boolean) =>
      setWatched((last) => {
        if (last.kind === "shown") return { ...last, isLive: false };
        return isRefused ? { kind: "refused" } : last;
      });
    const stop = listenWhileSeen(mirrorUrl(id), { events: { mirror }, broke });
    return stop;
  }, [id]);
  return watched;
}
