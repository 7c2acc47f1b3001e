import { useWords } from "../context.ts";
import { Page } from "../parts/page.tsx";
import { Skeleton } from "../parts/skeleton.tsx";

/** The account of whoever is signed in. */
export const AccountPage = () => (
  <Page kind="account" title={useWords().titles["/account"]}>
    <Skeleton />
  </Page>
);
