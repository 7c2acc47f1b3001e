/** @jsxImportSource #html */
import { OnwardLink, type Html } from "../../http/pages/jsx-runtime.ts";
import { Aside, Notice } from "../../http/pages/parts/form.tsx";
import { placeOf } from "../client/redirect.uri.ts";
import { Host } from "./pages.tsx";
import type { IdpWords } from "./frame.tsx";

interface LeavingProps {
  readonly words: IdpWords;
  /** What has happened. */
  readonly text: string;
  /** The address of the client, with what it is told there. */
  readonly to: string;
  /** The page of this service that is left to go to. */
  readonly home: { readonly href: string; readonly text: string };
}

/** Leaves it to the person whether they go on to a place that nobody here has checked, and that they have not let in. */
export const LeavingCard = ({ words: { leaving, consent }, text, to, home }: LeavingProps): Html => (
  <>
    <p>{text}</p>
    <Host host={placeOf(to)} />
    <Notice kind="warning">
      <p>{consent.unchecked}</p>
    </Notice>
    <p class="aside">
      <OnwardLink href={to}>{leaving.goOn}</OnwardLink>
    </p>
    <Aside href={home.href}>{home.text}</Aside>
  </>
);
