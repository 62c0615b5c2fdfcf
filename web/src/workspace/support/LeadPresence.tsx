import { useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { localeOf } from "../../ui/localeOf.ts";
import { Icon } from "../icon.tsx";
import { shareStream } from "../sharedStream.ts";
import { liveUrl, noteWriting } from "./queueCalls.ts";

interface Person {
  user_id: string;
  name: string;
  writing: boolean;
}

/** How often a page that writes says so: the server lets it lapse after twenty seconds. */
const AGAIN_MS = 10_000;

/** Who else has this lead open; the others are told while this person writes. */
export function LeadPresence({ leadId }: { leadId: string }) {
  useWriting(leadId);
  return <Others leadId={leadId} />;
}

/** Who else has this lead open, and a warning while one of them writes: two answers to one student are one too many. */
export function Others({ leadId }: { leadId: string }) {
  const { t, lang } = useI18n();
  const people = useOthers(leadId);
  if (people.length === 0) return null;
  const writers = people.filter(({ writing }) => writing);
  const names = (writers.length > 0 ? writers : people).map(({ name }) => name);
  const list = new Intl.ListFormat(localeOf(lang), { type: "conjunction" }).format(names);
  return (
    <p className={writers.length > 0 ? "presence warn" : "presence"} role="status">
      <Icon name={writers.length > 0 ? "alert" : "people"} size="s" />
      {t(writers.length > 0 ? "queues.others_write" : "queues.others_look", { names: list, n: names.length })}
    </p>
  );
}

function useOthers(leadId: string): Person[] {
  const [people, setPeople] = useState<Person[]>([]);
  useEffect(() => {
    const presence = (data: string) => {
      const told: { people: Person[] } = JSON.parse(data);
      setPeople(told.people);
    };
    // Without a line it is not known who is here.
    return shareStream(liveUrl(leadId), { events: { presence }, broke: () => setPeople([]) });
  }, [leadId]);
  return people;
}

/** Tells the others while the caret stands in a field for longer words, in a dialog too. */
function useWriting(leadId: string): void {
  useEffect(() => {
    let timer: number | null = null;
    const say = (writing: boolean) => void noteWriting(leadId, writing).catch(() => undefined);
    const begin = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLTextAreaElement) || timer !== null) return;
      say(true);
      timer = window.setInterval(() => say(true), AGAIN_MS);
    };
    const end = () => {
      if (timer === null) return;
      window.clearInterval(timer);
      timer = null;
      say(false);
    };
    document.addEventListener("focusin", begin);
    document.addEventListener("focusout", end);
    return () => {
      document.removeEventListener("focusin", begin);
      document.removeEventListener("focusout", end);
      end();
    };
  }, [leadId]);
}
