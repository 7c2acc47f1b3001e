import { actions, actors, row } from "./actions.ts";
import { byProvider, flaws } from "./flaws.ts";
import { mails } from "./mails.ts";
import { standing, troubles } from "./standing.ts";

/** What keeps a person out, what happened and why, and what became of mails. Commands and the API say it in English. */
export const reasons = { actions, actors, row, flaws, byProvider, mails, standing, troubles } as const;
