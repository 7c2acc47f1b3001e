import type { Look } from "../../src/http/pages/brand/look.ts";

/** The looks of pages where an operator has chosen nothing. */
export const usualLook: Look = { style: "", schemes: "light dark", sources: { style: "'self'" } };
