import type { GateNeeds } from "./types.ts";

/** Whether anything is needed that Gatehouse has to be asked about, beyond somebody being signed in. */
export const isDemanding = ({ role, org, orgRole, verified, maxAge }: GateNeeds): boolean =>
  [role, org, orgRole, maxAge].some((demand) => demand !== undefined) || verified === true;
