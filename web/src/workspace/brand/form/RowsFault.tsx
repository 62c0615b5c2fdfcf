/** Refusal of a list of rows. */
export function RowsFault({ fault }: { fault: string | undefined }) {
  if (fault === undefined) return null;
  return (
    <p className="err" role="alert">
      {fault}
    </p>
  );
}
