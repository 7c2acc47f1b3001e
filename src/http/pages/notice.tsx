/** @jsxImportSource #html */
import type { Children } from "./jsx-runtime.ts";

interface NoticeProps {
  readonly kind?: "danger" | "warning" | "good";
  readonly children: Children;
}

/** Something that has happened. What is dangerous is read out at once, everything else when there is a pause. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind ?? ""}`} role={kind === "danger" || kind === "warning" ? "alert" : "status"}>
    {children}
  </div>
);
