import { useFailureText } from "./failure.ts";

/** What went wrong with a press, above its buttons; nothing while nothing did. `id` names it for the field that it is about. */
export function FailureNote({ error, id }: { error: Error | null; id?: string | undefined }) {
  const failureText = useFailureText();
  if (error === null) return null;
  return (
    <p id={id} className="note bad" role="alert">
      {failureText(error)}
    </p>
  );
}
