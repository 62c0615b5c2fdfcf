interface TrapProps {
  value: string;
  onChange: (value: string) => void;
}

/** A field that no person sees or reaches; a script that fills in everything fills it in too (T20). */
export function Trap({ value, onChange }: TrapProps) {
  return (
    <div className="vh" aria-hidden="true">
      <input
        name="website"
        tabIndex={-1}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
