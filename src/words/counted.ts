import type { StaffWords } from "./staff.ts";

/** Says of a row of the audit log how many similar events it stands for, or how many rows were downloaded; nothing more of one. */
export const countedInWords = (
  what: string,
  { action, count }: { readonly action: string; readonly count: number },
  { row }: Pick<StaffWords["reasons"], "row">,
): string => (action === "audit.exported" ? row.rows : row.times)({ what, count });
