import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { resourcesOf } from "../../acts/holdings.ts";
import type { Account } from "../../context.ts";
import { Card } from "../../parts/blocks.tsx";
import { hasExtras } from "../../../shared/settings.ts";
import { Awaited, type SectionProps } from "./section.tsx";

/** Loads the parts of the page that some installations alone have. */
async function load(learn: () => Promise<void> | undefined) {
  try {
    const { AppsSection, OrganizationsSection, OwnersFirst, TokensSection } = await import("./extras/index.ts");
    await learn();
    return { ok: true, AppsSection, OrganizationsSection, OwnersFirst, TokensSection } as const;
  } catch {
    return { ok: false, code: "network", error: "", status: 0 } as const;
  }
}

/** Keeps those parts, once they are loaded. */
export function createExtras({ connection, settings, learn }: Account) {
  const hasOrganizations = settings.organizations !== undefined;
  const extras = resourcesOf(connection)(
    () => load(() => (hasOrganizations ? learn("organization") : undefined)),
    (parts) => parts,
  );
  return { ...extras, areThere: hasExtras(settings) };
}
type Extras = ReturnType<typeof createExtras>;

export const ExtrasContext = createContext<Extras | undefined>(undefined);

export function useExtras(): Extras {
  const extras = useContext(ExtrasContext);
  if (extras === undefined) throw new Error("a part of the account's page stands outside of it");
  return extras;
}

/** Makes a section whose file is loaded where an installation has it. */
export const extraSection =
  (name: "AppsSection" | "OrganizationsSection" | "TokensSection") =>
  (props: SectionProps): JSX.Element => {
    const extras = useExtras();
    const Shown = extras.value.value?.[name];
    if (Shown !== undefined) return <Shown {...props} />;
    return (
      <Card id={props.id} title={props.title} state={undefined}>
        <Awaited resource={extras} />
      </Card>
    );
  };
