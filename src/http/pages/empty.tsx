/** @jsxImportSource #html */
import type { Children } from "./jsx-runtime.ts";

/** Stands where a list would be: what would be here, and how it comes. */
export const Empty = ({ children }: { readonly children: Children }) => <p class="soft empty">{children}</p>;
