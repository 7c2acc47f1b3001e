import { useAccount } from "../context.ts";
import { Button } from "./button.tsx";
import { Page } from "./page.tsx";

/** In place of a page whose file could not be had, not even once the page was loaded anew. */
export function Unloaded() {
  const { trouble } = useAccount().words.value;
  return (
    <Page kind="entry" title={trouble.unloaded}>
      <p>{trouble.changing}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {trouble.again}
      </Button>
    </Page>
  );
}
