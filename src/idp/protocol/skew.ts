import { second } from "../../core/clock.ts";

/** How far the clock of a program may be from ours in what it signs (FAPI 2.0 Security Profile §5.3.2.1 asks for 10 s at least, and 60 s at most). */
export const skewMs = 10 * second;
