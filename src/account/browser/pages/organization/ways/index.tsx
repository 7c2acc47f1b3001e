// oxlint-disable-next-line import/no-unassigned-import -- what pages of a person share becomes one file
import "../../../personal.ts";
import { useEffect, useMemo } from "preact/hooks";
import type { OwnOrganization } from "../../../../../client/index.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { DomainsSection } from "./domains.section.tsx";
import { ProviderSection } from "./provider.section.tsx";
import { createWays } from "./ways.ts";

interface WaysSectionsProps {
  readonly organization: OwnOrganization;
  readonly isOwner: boolean;
}

/** The ways into an organization that its owners and admins look after: domains, and for owners the provider. */
export function WaysSections({ organization, isOwner }: WaysSectionsProps) {
  const account = useAccount();
  const { ways: titles } = useChapter("organization");
  const ways = useMemo(() => createWays(account, organization), []);
  useEffect(() => void ways.domains.load(), []);
  return (
    <>
      <DomainsSection title={titles.domains} ways={ways} />
      {isOwner && <ProviderSection title={titles.signIn} ways={ways} />}
    </>
  );
}
