import type { Millis } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";

/** Owns `idp_proofs`: signed statements that are good once. */
export const createProofRepository = (db: Database) => ({
  /** Remembers a proof until it expires. Resolves to false where it is there already. */
  async isNew(proofHash: string, expiresAt: Millis): Promise<boolean> {
    const { changes } = await db.run(
      "insert into idp_proofs (proof_hash, expires_at) values ($proofHash, $expiresAt) on conflict do nothing",
      { proofHash, expiresAt },
    );
    return changes === 1;
  },
});

export type ProofRepository = ReturnType<typeof createProofRepository>;
