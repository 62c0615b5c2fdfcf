import { Component, type ReactNode } from "react";
import { useI18n } from "../i18n/i18n.tsx";
import { Button } from "./button.tsx";

/** D139: a part that fails says so in its place and offers another try; the rest of the page stays. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error("a part of the page failed:", error);
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed onRetry={() => this.setState({ failed: false })} /> : this.props.children;
  }
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useI18n();
  return (
    <div className="wrap" role="alert" style={{ paddingBlock: 48 }}>
      <p className="t-18 m" style={{ marginBottom: 16 }}>
        {t("ui.something_wrong")}
      </p>
      <Button onClick={onRetry}>{t("ui.retry")}</Button>
    </div>
  );
}
