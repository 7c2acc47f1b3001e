import { useWords } from "../context.ts";
import { Page } from "./page.tsx";

interface DeadLinkProps {
  /** Why the link is of no use, and what to do. */
  readonly reason: string;
  /** Always a way on. */
  readonly way: { readonly href: string; readonly label: string };
}

/** A mailed link that was used, has run out or is incomplete. */
export const DeadLink = ({ reason, way }: DeadLinkProps) => (
  <Page kind="entry" title={useWords().link.title}>
    <p>{reason}</p>
    <a class="button primary" href={way.href}>
      {way.label}
    </a>
  </Page>
);
