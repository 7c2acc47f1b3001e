/** The path of the pages of the viewer's own second step. */
export const path = "/two-step";
