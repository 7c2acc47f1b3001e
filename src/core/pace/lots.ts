interface LotsOptions {
  /** How many counts make one lot. */
  readonly size: number;
  /** How many keys are remembered. Beyond that, the key that was counted least recently starts again from zero. */
  readonly most: number;
}

interface Lot {
  count: number;
  /** The charge of the previous lot, while it is under way. */
  charging: Promise<void> | undefined;
}

/**
 * How often a request tries. The lot of another request may be refused for reasons that do not concern this one, which then tries again.
 */
const mostLooks = 3;

/** Counts in memory, and charges only full lots, so that a caller who comes once or twice costs no write. */
export function createLots({ size, most }: LotsOptions) {
  const lots = new Map<string, Lot>();

  function lotOf(key: string): Lot {
    const lot = lots.get(key) ?? { count: 0, charging: undefined };
    // Moved to the end: the first entry is the one counted least recently.
    lots.delete(key);
    lots.set(key, lot);
    const [oldest] = lots.keys();
    if (lots.size > most && oldest !== undefined) lots.delete(oldest);
    return lot;
  }

  /** Charges full lots. A refused lot is left one short of full, so that the next count charges it again. */
  async function chargeFull(full: readonly Lot[], charge: () => Promise<void>): Promise<void> {
    const charging = charge();
    for (const lot of full) {
      lot.count = 0;
      lot.charging = charging;
    }
    try {
      await charging;
    } catch (error) {
      for (const lot of full) lot.count = size - 1;
      throw error;
    } finally {
      for (const lot of full) if (lot.charging === charging) lot.charging = undefined;
    }
  }

  /**
   * Counts one for each key, and charges the keys whose lot that fills. Waits while a key's previous lot is being charged, so that nobody
   * outruns a refusal. Throws what `charge` throws.
   */
  async function take(keys: readonly string[], charge: (keys: readonly string[]) => Promise<void>): Promise<void> {
    let refusal: unknown;
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const counted = keys.map((key) => ({ key, lot: lotOf(key) }));
      for (const { lot } of counted) lot.count += 1;
      const full = counted.filter(({ lot }) => lot.count >= size);
      const before = counted.flatMap((each) => (full.includes(each) ? [] : [each.lot.charging ?? Promise.resolve()]));
      if (full.length > 0) {
        const filled = full.map(({ key }) => key);
        await chargeFull(
          full.map(({ lot }) => lot),
          () => charge(filled),
        );
      }
      const [refused] = (await Promise.allSettled(before)).filter(({ status }) => status === "rejected");
      if (refused?.status !== "rejected") return;
      refusal = refused.reason;
    }
    throw refusal;
  }

  return { take };
}
