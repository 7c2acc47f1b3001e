/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";

/** Text that somebody chose. Its direction is its own: a name that is read from right to left turns nothing around it. */
export const Chosen = ({ children }: { readonly children: string }) => <bdi>{children}</bdi>;

interface TagProps {
  readonly tone?: "good" | "warning" | "danger" | undefined;
  readonly children: Children;
}

export const Tag = ({ tone, children }: TagProps) => <span class={`tag ${tone ?? ""}`}>{children}</span>;
