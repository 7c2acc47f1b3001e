import type { ComponentChildren } from "preact";

/** Stands where a list would be: says what would be there, and how it comes. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty soft">{children}</p>;
