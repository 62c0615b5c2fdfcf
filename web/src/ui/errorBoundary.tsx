import { Component, type ReactNode } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { Button } from "./button.tsx";
import { fetchMissingParts, PartMissing } from "./lazyPart.tsx";
import { loadText, wayOn } from "./loadTrouble.ts";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** What happens instead of a word in the part's place, such as closing what could not open. */
  onFailed?: (failure: unknown) => void;
}

/** D139: a part that fails says so in its place and offers another try; the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failure: unknown }> {
  override state: { failure: unknown } = { failure: null };

  static getDerivedStateFromError(failure: unknown): { failure: unknown } {
    return { failure };
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof PartMissing)) console.error("a part of the page failed:", error);
    fetchMissingParts();
    this.props.onFailed?.(error);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    if (this.props.onFailed) return null;
    return <Failed failure={failure} onRetry={() => this.setState({ failure: null })} />;
  }
}

function Failed({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  const { t } = useI18n();
  const { label, act } = wayOn(failure, t, onRetry);
  return (
    <div className="wrap" role="alert" style={{ paddingBlock: 48 }}>
      <p className="t-18 m" style={{ marginBottom: 16 }}>
        {failure instanceof PartMissing ? loadText(failure, t) : t("ui.something_wrong")}
      </p>
      <Button onClick={act}>{label}</Button>
    </div>
  );
}
