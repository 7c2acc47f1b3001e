import { hour, type Clock } from "../../core/clock.ts";
import { deriveKey, mac, randomToken, secretsEqual } from "../../core/crypto.ts";
import type { loginKey } from "../user/identifiers.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { Check } from "./counters.ts";

/** The account that a proof is bound to. The epoch goes up with each new password, so that older proofs are worth nothing. */
interface Account {
  readonly id: string;
  readonly deviceEpoch: number;
}

interface DeviceProofOptions {
  readonly secret: string;
  readonly previousSecrets: readonly string[];
  readonly clock: Clock;
}

export const deviceProofTtlMs = 365 * 24 * hour;
/** How many accounts a browser can prove: the ones that signed in last. */
const mostAccounts = 5;
const form = /^([\w-]{43})((?:~[0-9a-z]{1,10}\.[\w-]{43}){1,5})$/;
const nobody: Account = { id: "", deviceEpoch: 0 };

/**
 * Tells a browser that an account has signed in with before from a stranger's. The token that the browser keeps has an id of its own and,
 * for each account, the end of the proof and a MAC over all of it: the token names no account, and nobody else can make one. It opens
 * nothing; it only decides which counters a password is held against.
 */
export function createDeviceProofs({ secret, previousSecrets, clock }: DeviceProofOptions) {
  const keys = [secret, ...previousSecrets].map((each) => deriveKey(each, "device"));
  const [signingKey] = keys;
  if (signingKey === undefined) throw new Error("no signing key");

  const seal = (key: Uint8Array, deviceId: string, end: string, { id, deviceEpoch }: Account): string =>
    mac(key, `${deviceId}.${end}.${id}.${deviceEpoch}`);

  function parse(token: string): { deviceId: string; proofs: readonly string[] } | undefined {
    const [, deviceId, proofs] = form.exec(token) ?? [];
    if (deviceId === undefined || proofs === undefined) return undefined;
    return { deviceId, proofs: proofs.slice(1).split("~") };
  }

  function proves(deviceId: string, proof: string, account: Account): boolean {
    const [end = "", tag = ""] = proof.split(".");
    const isSealed = keys.some((key) => secretsEqual(seal(key, deviceId, end, account), tag));
    return isSealed && Number.parseInt(end, 36) * 1000 > clock.now();
  }

  /** All tokens are checked, so that the time does not tell which of them is a proof. */
  const deviceOf = (tokens: readonly string[], account: Account | undefined): string | undefined =>
    tokens
      .map((token) => {
        const parsed = parse(token);
        const proofs = parsed?.proofs.filter((proof) => proves(parsed.deviceId, proof, account ?? nobody)) ?? [];
        return proofs.length > 0 && account !== undefined ? parsed?.deviceId : undefined;
      })
      .find((deviceId) => deviceId !== undefined);

  /** Returns the token of the browser that these proofs can stay in, and its proofs of other accounts. */
  function othersIn(tokens: readonly string[], account: Account) {
    const known = deviceOf(tokens, account);
    const parsed = tokens.flatMap((token) => parse(token) ?? []);
    const { deviceId, proofs } = parsed.find((each) => each.deviceId === known) ??
      parsed[0] ?? { deviceId: randomToken(), proofs: [] };
    return { deviceId, others: proofs.filter((proof) => !proves(deviceId, proof, account)) };
  }

  return {
    /**
     * Returns the id of the device, where one of its tokens has a proof of this account. There are several where a sibling host has planted
     * one, which must not hide the real one.
     */
    deviceOf,

    /** Returns the token with a new proof of this account, before the browser's proofs of other accounts. */
    prove(tokens: readonly string[], account: Account): string {
      const { deviceId, others } = othersIn(tokens, account);
      const end = Math.floor((clock.now() + deviceProofTtlMs) / 1000).toString(36);
      const own = `${end}.${seal(signingKey, deviceId, end, account)}`;
      return [deviceId, own, ...others.slice(0, mostAccounts - 1)].join("~");
    },

    /** Returns the token without the proofs of this account; undefined where it has no others. */
    forget(tokens: readonly string[], account: Account): string | undefined {
      const { deviceId, others } = othersIn(tokens, account);
      return others.length === 0 ? undefined : [deviceId, ...others].join("~");
    },
  };
}

export type DeviceProofs = ReturnType<typeof createDeviceProofs>;

/** Returns the counters that a login is held against: those of the browser when the account knows it, otherwise those of the name. */
export function checkOf(
  user: UserRow | undefined,
  key: ReturnType<typeof loginKey>,
  deviceId: string | undefined,
): Check {
  const stranger = { by: "stranger", name: "email" in key ? key.email : key.username, userId: user?.id } as const;
  if (user === undefined || deviceId === undefined) return stranger;
  return { by: "device", userId: user.id, deviceId, otherwise: stranger };
}
