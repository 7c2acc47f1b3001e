import { createServiceWatch, watchPressure, type Flows } from "../routes/flows.ts";
import type { OwnAccount, OwnData, OwnFactors } from "./own.ts";
import type { PressureParts } from "./pressure.ts";
import type { Sessions } from "./sessions.ts";
import type { WaysIn } from "./ways.in.ts";

interface WatchedRooms {
  readonly flows: Flows;
  readonly pressure: PressureParts;
  readonly sessions: Sessions;
  readonly waysIn: WaysIn;
  readonly ownAccount: OwnAccount;
  readonly ownData: OwnData;
  readonly ownFactors: OwnFactors;
}

export type Watched = ReturnType<typeof wireWatched>;

/** The services as routes and pages use them: how each flow ends is counted. Among themselves they use the plain ones. */
export function wireWatched({ flows, pressure, sessions, waysIn, ownAccount, ownData, ownFactors }: WatchedRooms) {
  const watched = createServiceWatch(flows);
  return {
    pressure: watchPressure(pressure.pressure, flows),
    sessions: watched("sessions", sessions.sessions),
    login: watched("login", waysIn.login),
    challenge: watched("challenge", waysIn.challenge),
    registration: watched("registration", waysIn.registration),
    acceptance: watched("acceptance", waysIn.acceptance),
    emailSignIn: watched("emailSignIn", waysIn.emailSignIn),
    passkeyLogin: watched("passkeyLogin", waysIn.passkeyLogin),
    reauthentication: watched("reauthentication", ownAccount.reauthentication),
    profiles: watched("profiles", ownAccount.profiles),
    passwords: watched("passwords", ownAccount.passwords),
    verification: watched("verification", ownAccount.verification),
    links: watched("links", ownAccount.links),
    exports: watched("exports", ownData.exports),
    deletion: watched("deletion", ownData.deletion),
    factors: watched("factors", ownFactors.factors),
    passwordless: watched("passwordless", ownFactors.passwordless),
    passkeys: watched("passkeys", ownFactors.passkeys),
    tokens: watched("tokens", ownData.tokens),
  };
}
