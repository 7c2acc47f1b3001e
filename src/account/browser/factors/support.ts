import { canUsePasskeys } from "../../../client/passkeys.ts";
import { useAccount } from "../context.ts";

/** Whether this browser can use the passkeys of this service: they belong to its domain, and a browser uses them nowhere else. */
export function usePasskeySupport(): boolean {
  const { passkeyDomain } = useAccount().settings;
  const { hostname } = location;
  return canUsePasskeys() && (hostname === passkeyDomain || hostname.endsWith(`.${passkeyDomain}`));
}
