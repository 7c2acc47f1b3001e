import type { Millis } from "../../core/clock.ts";
import { column, tableOf, type Database } from "../../drivers/database/index.ts";

const stored = tableOf("idp_proofs", {
  proofHash: column<string>("proof_hash"),
  expiresAt: column<Millis>("expires_at"),
});
const inserted = stored.insert();
const insertProof = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

/** Owns `idp_proofs`: signed statements that are good once. */
export const createProofRepository = (db: Database) => ({
  /** Remembers a proof until it expires. Resolves to false where it is there already. */
  async isNew(proofHash: string, expiresAt: Millis): Promise<boolean> {
    const { changes } = await db.run(insertProof, inserted.params({ proofHash, expiresAt }));
    return changes === 1;
  },
});

export type ProofRepository = ReturnType<typeof createProofRepository>;
