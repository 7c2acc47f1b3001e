import type { Bundle } from "./bundle.ts";

// build.ts defines this constant in a binary. The source tree never loads this file.
declare const GATEHOUSE_ACCOUNT_BUNDLE: Bundle;

/** The browser's part in the binary. It has a file of its own, so that a process that shows no page does not hold it in memory. */
export const embedded: Bundle = GATEHOUSE_ACCOUNT_BUNDLE;
