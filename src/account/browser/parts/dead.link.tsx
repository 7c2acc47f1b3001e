import { useWords } from "../context.ts";
import { Page } from "./page.tsx";

interface DeadLinkProps {
  /** Default: the link does not work any more. */
  readonly title?: string;
  /** Says why the link is of no use, and what to do. */
  readonly reason: string;
  /** The way on, which every such page has. */
  readonly way: { readonly href: string; readonly label: string };
}

/** The page for a mailed link that was used or has expired. */
export const DeadLink = ({ title = useWords().link.title, reason, way }: DeadLinkProps) => (
  <Page kind="entry" title={title}>
    <p>{reason}</p>
    <a class="button primary" href={way.href}>
      {way.label}
    </a>
  </Page>
);

/** The page for a mailed link without its token: part of it was not copied, or the mail program broke it. */
export function BrokenLink({ way }: Pick<DeadLinkProps, "way">) {
  const { link } = useWords();
  return <DeadLink title={link.incompleteTitle} reason={link.incomplete} way={way} />;
}
