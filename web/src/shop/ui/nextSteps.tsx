import { Icon, type IconName } from "../../ui/icon.tsx";

export interface NextStep {
  icon: IconName;
  title: string;
  text: string;
}

/** What happens next, step by step. */
export function NextSteps({ steps }: { steps: readonly NextStep[] }) {
  return (
    <ol className="next">
      {steps.map(({ icon, title, text }) => (
        <li key={title}>
          <span className="ico">
            <Icon name={icon} size={16} />
          </span>
          <div>
            <p className="m">{title}</p>
            <p className="t-14 soft">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
