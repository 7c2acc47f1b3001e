import { canUsePasskeys } from "../../../client/passkeys.ts";
import { useAccount } from "../context.ts";

/** Whether this browser can use the passkeys of this service. Passkeys belong to a domain, and a browser uses them nowhere else. */
export function usePasskeySupport(): boolean {
  const { passkeyDomain } = useAccount().settings;
  const { hostname } = location;
  // An IP address is no domain (Web Authentication, 5.1.3).
  const isDomain = !/^[\d.]+$|^\[/.test(hostname);
  return canUsePasskeys() && isDomain && (hostname === passkeyDomain || hostname.endsWith(`.${passkeyDomain}`));
}
