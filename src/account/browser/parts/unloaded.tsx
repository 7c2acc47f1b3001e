import { useAccount } from "../context.ts";
import { Button } from "./button.tsx";
import { Page } from "./page.tsx";

/** Replaces a page whose file could not be loaded, even after a reload. */
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
