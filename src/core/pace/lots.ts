interface LotsOptions {
  /** How many make one lot. */
  readonly size: number;
  /** How many keys are remembered. Beyond that the one that has not been counted for longest begins anew. */
  readonly most: number;
}

interface Lot {
  count: number;
  /** While the lot before is being charged. */
  charging: Promise<void> | undefined;
}

/** Another request's lot may be refused for what is none of this one's business: then it looks anew, so often. */
const mostLooks = 3;

/** Counts in memory what is written down by the lot: whoever comes once or twice costs no write. */
export function createLots({ size, most }: LotsOptions) {
  const lots = new Map<string, Lot>();

  function lotOf(key: string): Lot {
    const lot = lots.get(key) ?? { count: 0, charging: undefined };
    // To the end: the first one is the one that has not been counted for longest.
    lots.delete(key);
    lots.set(key, lot);
    const [oldest] = lots.keys();
    if (lots.size > most && oldest !== undefined) lots.delete(oldest);
    return lot;
  }

  /** The next one fills a lot again that was refused. */
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
   * Counts one for each of the keys, and charges those whose lot it fills. Waits for the lot before where that is being charged, so that
   * nobody outruns a refusal. Throws what `charge` throws.
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
