import { useChapter } from "../context.ts";
import { Button } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import { useLeaving } from "./sign.in/leaving.ts";

/** Leads on from a mailed link to the provider that an organization demands. */
export function OwnProviderPage({ start }: { readonly start: string }) {
  const { title, lead, submit } = useChapter("links").ownProvider;
  const leave = useLeaving();
  return (
    <Page key="own-provider" title={title}>
      <p>{lead}</p>
      <Button kind="primary" isFirst onClick={() => leave(start)}>
        {submit}
      </Button>
    </Page>
  );
}
