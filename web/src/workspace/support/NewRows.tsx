import { useI18n } from "../../i18n/i18n.tsx";

/** What is new waits here, so that no row moves under the reader's hand. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useI18n();
  return (
    <div className="new-rows" role="status">
      <button type="button" className="btn sm" onClick={onShow}>
        {t("queues.new_rows", { n: count })}
      </button>
    </div>
  );
}
