import type { Seal } from "../../core/keys/seal.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { ProviderRepository } from "./provider.repository.ts";

interface ResealOptions {
  readonly database: Database;
  readonly providers: ProviderRepository;
  readonly seal: Seal;
}

const rowsAStep = 100;

/**
 * Seals every secret anew that an earlier key of the application has sealed. Resolves to how many it has sealed, how many the present key
 * had sealed before, and which organizations have a secret that no key opens.
 */
export const createReseal =
  ({ database, providers, seal }: ResealOptions) =>
  async (signal?: AbortSignal) => {
    const lost: string[] = [];
    let [resealed, current] = [0, 0];
    for (let after = ""; ;) {
      const rows = await providers.page(after, rowsAStep);
      const statements = rows.flatMap(({ organizationId, secret }) => {
        if (seal.isCurrent(secret) && seal.open(secret, organizationId) !== undefined) {
          current += 1;
          return [];
        }
        const opened = seal.open(secret, organizationId);
        if (opened !== undefined) return [providers.reseal(organizationId, secret, seal.seal(opened, organizationId))];
        lost.push(organizationId);
        return [];
      });
      if (statements.length > 0) await database.batch(statements);
      resealed += statements.length;
      after = rows.at(-1)?.organizationId ?? "";
      if (rows.length < rowsAStep || signal?.aborted === true) return { resealed, current, lost };
    }
  };
