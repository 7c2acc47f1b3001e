import { definition as admin } from "../../src/admin.ts";
import { definition as app } from "../../src/main.ts";

/** Both apps as their binaries define them. */
export const definitions = { app, admin } as const;
