import type { ComponentChildren } from "preact";

/** Stands in the place of an empty list, and says what the list will hold and how entries get there. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty soft">{children}</p>;
