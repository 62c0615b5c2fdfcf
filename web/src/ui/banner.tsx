import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

type BannerKind = "plain" | "info" | "success" | "warning" | "error";

const icons: Record<BannerKind, IconName> = {
  plain: "info",
  info: "info",
  success: "ok",
  warning: "alert",
  error: "alert",
};

/** A message that stays in its place. Errors and warnings are read aloud when they appear. */
export function Banner({
  kind = "plain",
  icon,
  children,
}: {
  kind?: BannerKind;
  icon?: IconName;
  children: ReactNode;
}) {
  const look = kind === "plain" ? "" : ` banner-${kind}`;
  return (
    <div className={`banner${look}`} role={kind === "error" ? "alert" : kind === "plain" ? undefined : "status"}>
      <Icon name={icon ?? icons[kind]} size={20} />
      <div>{children}</div>
    </div>
  );
}
