/** @jsxImportSource #html */
import type { Children } from "../jsx-runtime.ts";

/** Stands in the place of an empty list, and says what the list will hold and how entries get there. */
export const Empty = ({ children }: { readonly children: Children }) => <p class="soft empty">{children}</p>;
