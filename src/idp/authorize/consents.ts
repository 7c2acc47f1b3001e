import type { Clock } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { scopesOf } from "../client/client.ts";
import type { ConsentRepository, ConsentRow } from "./consent.repository.ts";

/** What people are asked about: the scopes that cover all that a client would see, and the resource servers that it would call in their name. */
export interface Disclosed {
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
}

interface ConsentOptions {
  readonly rows: ConsentRepository;
  readonly clock: Clock;
}

/** The newest resource servers that are remembered of a client; about an older one its person is asked again. */
const mostResources = 100;

/** The one text of what a page shows: no scope is an address. */
export const textOfDisclosed = ({ scopes, resources }: Disclosed): string => [...scopes, ...resources].join(" ");

export const disclosedIn = ({ scope, resources }: Pick<ConsentRow, "scope" | "resources">): Disclosed => ({
  scopes: scopesOf(scope),
  resources: scopesOf(resources),
});

/** Whether all that a client asks for was allowed before. */
export function covers(consent: ConsentRow | undefined, { scopes, resources }: Disclosed): boolean {
  if (consent === undefined) return false;
  const allowed = disclosedIn(consent);
  return (
    scopes.every((each) => allowed.scopes.includes(each)) && resources.every((each) => allowed.resources.includes(each))
  );
}

const isSame = (a: ConsentRow | undefined, b: ConsentRow | undefined): boolean =>
  a?.scope === b?.scope && a?.resources === b?.resources;

/** What people have let clients have when they were asked. It adds up. */
export const createConsents = ({ rows, clock }: ConsentOptions) => ({
  find: rows.find,

  /** Guards a batch: what was read is still so. */
  hold: (before: ConsentRow | undefined): readonly Statement[] =>
    before === undefined ? [] : [rows.replace(before, before)],

  /** Remembers more than before. Guards a batch: what was read is still so. */
  add(whose: Pick<ConsentRow, "userId" | "clientId">, before: ConsentRow | undefined, more: Disclosed): Statement {
    const earlier = before === undefined ? { scopes: [], resources: [] } : disclosedIn(before);
    const named = new Set(more.resources);
    const resources = [...earlier.resources.filter((each) => !named.has(each)), ...named];
    const consent = {
      ...whose,
      scope: [...new Set([...earlier.scopes, ...more.scopes])].join(" "),
      resources: resources.slice(-mostResources).join(" "),
      grantedAt: clock.now(),
    };
    return before === undefined ? rows.begin(consent) : rows.replace(before, consent);
  },

  /** Whether what was read is no longer so, which has undone a batch. */
  async isOver(
    { userId, clientId }: Pick<ConsentRow, "userId" | "clientId">,
    before: ConsentRow | undefined,
  ): Promise<boolean> {
    return !isSame(await rows.find(userId, clientId), before);
  },
});

export type Consents = ReturnType<typeof createConsents>;
