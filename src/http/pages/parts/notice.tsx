/** @jsxImportSource #html */
import type { Children } from "../jsx-runtime.ts";

interface NoticeProps {
  readonly kind?: "danger" | "warning" | "good";
  readonly children: Children;
}

/** Tells the reader what has happened. A screen reader reads dangers and warnings at once, and other notices when there is a pause. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind ?? ""}`} role={kind === "danger" || kind === "warning" ? "alert" : "status"}>
    {children}
  </div>
);
