import type { ReactNode } from "react";
import { useI18n } from "../i18n/i18n.tsx";

/** A double entry: an account a row, its debit and its credit. The children are the bodies of the table. */
export function PostingTable({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  return (
    <table className="post">
      <thead>
        <tr>
          <th scope="col">{t("finance.account")}</th>
          <th scope="col" className="num">
            {t("finance.debit")}
          </th>
          <th scope="col" className="num">
            {t("finance.credit")}
          </th>
        </tr>
      </thead>
      {children}
    </table>
  );
}
