import { useWords } from "../context.ts";
import { Page } from "./page.tsx";

interface DeadLinkProps {
  /** Default: the link does not work any more. */
  readonly title?: string;
  /** Why the link is of no use, and what to do. */
  readonly reason: string;
  /** Always a way on. */
  readonly way: { readonly href: string; readonly label: string };
}

/** A mailed link that was used or has run out. */
export const DeadLink = ({ title = useWords().link.title, reason, way }: DeadLinkProps) => (
  <Page kind="entry" title={title}>
    <p>{reason}</p>
    <a class="button primary" href={way.href}>
      {way.label}
    </a>
  </Page>
);

/** A mailed link whose token is missing: a part of it was not copied, or the mail program broke it. */
export function BrokenLink({ way }: Pick<DeadLinkProps, "way">) {
  const { link } = useWords();
  return <DeadLink title={link.incompleteTitle} reason={link.incomplete} way={way} />;
}
