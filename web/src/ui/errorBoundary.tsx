import { Component, type ReactNode } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { Button } from "./button.tsx";
import { fetchMissingParts, PartMissing } from "./lazyPart.tsx";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** What happens instead of a word in the part's place, such as closing what could not open; `missing`: its code did not come. */
  onFailed?: (missing: boolean) => void;
}

/** D139: a part that fails says so in its place and offers another try; the rest of the page stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failure: unknown }> {
  override state: { failure: unknown } = { failure: null };

  static getDerivedStateFromError(failure: unknown): { failure: unknown } {
    return { failure };
  }

  override componentDidCatch(error: unknown): void {
    const isMissing = error instanceof PartMissing;
    if (!isMissing) console.error("a part of the page failed:", error);
    fetchMissingParts();
    this.props.onFailed?.(isMissing);
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    if (this.props.onFailed) return null;
    return <Failed missing={failure instanceof PartMissing} onRetry={() => this.setState({ failure: null })} />;
  }
}

function Failed({ missing, onRetry }: { missing: boolean; onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <div className="wrap" role="alert" style={{ paddingBlock: 48 }}>
      <p className="t-18 m" style={{ marginBottom: 16 }}>
        {t(missing ? "ui.load_failed" : "ui.something_wrong")}
      </p>
      <Button onClick={onRetry}>{t("ui.retry")}</Button>
    </div>
  );
}
