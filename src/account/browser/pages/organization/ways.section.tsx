import { useEffect, useMemo } from "preact/hooks";
import { resourcesOf } from "../../acts/holdings.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Card } from "../../parts/blocks.tsx";
import { Awaited } from "../account/section.tsx";
import type { OrganizationProps } from "./team.ts";

/** Loads what members without an office never see. */
async function load(learn: () => Promise<void>) {
  try {
    const [{ WaysSections }] = await Promise.all([import("./ways/index.tsx"), learn()]);
    return { ok: true, WaysSections } as const;
  } catch {
    return { ok: false, code: "network", error: "", status: 0 } as const;
  }
}

/** Shows the domains and the provider to those who look after them. Their file is loaded when it is needed. */
export function LoadedWays({ team, organization }: OrganizationProps) {
  const { connection, learn } = useAccount();
  const { ways } = useChapter("organization");
  const source = useMemo(
    () =>
      resourcesOf(connection)(
        () => load(() => learn("ways")),
        (parts) => parts,
      ),
    [],
  );
  useEffect(() => void source.load(), []);
  const Shown = source.value.value?.WaysSections;
  if (Shown !== undefined) return <Shown organization={organization} isOwner={team.isOwner()} />;
  return (
    <Card id="domains" title={ways.domains} state={undefined}>
      <Awaited resource={source} />
    </Card>
  );
}
