/** Where the pages of the viewer's own second step are. */
export const path = "/two-step";
