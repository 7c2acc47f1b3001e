import { minute, type Clock } from "../../../core/clock.ts";
import { deriveKey, mac, secretsEqual } from "../../../core/crypto.ts";

/** How long a provider's word counts in the browser that has brought it. */
export const voucherTtlMs = 10 * minute;

interface VoucherOptions {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  readonly clock: Clock;
}

/**
 * The word of an organization's provider for an account that it is not linked to. It opens nothing: it lets the account's own password or
 * passkey count once more, where the organization demands its provider, so that the person can link the two.
 */
export function createVouchers({ secret, previousSecrets, clock }: VoucherOptions) {
  const [present, ...earlier] = [secret, ...previousSecrets].map((each) => deriveKey(each, "provider-voucher"));
  const signed = (key: Uint8Array, userId: string, organizationId: string, expiresAt: string): string =>
    mac(key, [userId, organizationId, expiresAt].join("|"));

  return {
    issue(userId: string, organizationId: string): string {
      const expiresAt = String(clock.now() + voucherTtlMs);
      return `${expiresAt}.${present === undefined ? "" : signed(present, userId, organizationId, expiresAt)}`;
    },

    /** Whether the provider of that organization has just spoken for the account in this browser. */
    holds(voucher: string | undefined, userId: string, organizationId: string): boolean {
      const [expiresAt = "", signature = ""] = voucher?.split(".") ?? [];
      const left = Number(expiresAt) - clock.now();
      if (!/^\d{1,16}$/.test(expiresAt) || left <= 0 || left > voucherTtlMs) return false;
      return [present, ...earlier].some(
        (key) => key !== undefined && secretsEqual(signature, signed(key, userId, organizationId, expiresAt)),
      );
    },
  };
}

export type Vouchers = ReturnType<typeof createVouchers>;
