import passkeyScript from "./proof/passkey.script.js" with { type: "text" };
import script from "./frame/script.js" with { type: "text" };
import twoStepStyle from "./two.step/style.css" with { type: "text" };

export { ConfirmPage } from "./frame/confirm.page.tsx";
export type { PersonContext } from "./frame/context.ts";
export type { KitFrame } from "./frame/frame.ts";
export { createNotices, type Notice, type Notices } from "./frame/notices.ts";
export { Ago, CardPage, Moment } from "./frame/parts.tsx";
export { createRefusals, type Refusals } from "./frame/refusals.ts";
export { speechIn } from "./frame/speech.ts";
export { createTimes, type Times } from "./frame/times.ts";
export { createPersonPages, urlOf, type Place } from "./pages.ts";
export { createEntryPages, type EntryPages } from "./sign.in/entry.ts";
export { createEntryForms } from "./sign.in/entry.forms.ts";
export { EntryForm, EntryPage } from "./sign.in/parts.tsx";
export { signInRoutes } from "./sign.in/routes.ts";
export type { EntryView } from "./sign.in/view.ts";
export { twoStepRoutes } from "./two.step/routes.ts";

/** The script of all these pages, which do without it. */
export const kitScript = `${script}${passkeyScript}`;
/** The style of the pages that are not those of the sign-in. */
export const kitStyle: string = twoStepStyle;
