import { useEffect, useState } from "react";
import type { StaffMirror } from "../../contract/wire.ts";
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
    const stream = new EventSource(mirrorUrl(id));
    stream.addEventListener("mirror", (message: MessageEvent<string>) => {
      const mirror: StaffMirror = JSON.parse(message.data);
      setWatched({ kind: "shown", mirror, isLive: mirror.ended_by === null });
      if (mirror.ended_by !== null) stream.close();
    });
    stream.addEventListener("error", () => {
      setWatched((last) => {
        if (last.kind === "shown") return { ...last, isLive: false };
        return stream.readyState === EventSource.CLOSED ? { kind: "refused" } : last;
      });
    });
    return () => stream.close();
  }, [id]);
  return watched;
}
