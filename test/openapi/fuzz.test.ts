import { describe, expect, test } from "bun:test";
import { pythonMissing } from "../support/python.ts";
import { fuzz } from "./fuzz.ts";

/** Routes that no generated case does, valid as it is: each takes something first that only a mailbox, a device or another server gives. */
const notDone: Readonly<Record<string, string>> = {
  acceptInvitation: "takes a token out of a mail",
  showInvitation: "takes a token out of a mail",
  startInvitedLogin: "takes a token out of a mail",
  undoEmailChange: "takes a token out of a mail",
  confirmEmailLogin: "takes a code out of a mail",
  addPasskey: "takes what an authenticator has signed",
  loginWithPasskey: "takes what an authenticator has signed",
  removePasskey: "takes a passkey",
  removePassword: "takes two passkeys, and leave of the operator",
  renamePasskey: "takes a passkey",
  endTakeBack: "takes a sign-in by a factor that was set up before it",
  getLoginChallenge: "takes the cookie of a challenge",
  verifyLogin: "takes the cookie of a challenge",
  completeProviderLogin: "takes what a provider has answered",
  completeProviderLoginByForm: "takes what a provider has answered",
  registerByProvider: "takes what a provider has answered",
  rejectSignIn: "takes a token of a mail",
  unlinkIdentity: "takes an identity of a provider",
  revokeApp: "takes a program that was signed in to",
  verifyDomain: "takes a record in the system of names",
  verifyOrganizationDomain: "takes a record in the system of names",
  joinOrganization: "takes a domain that was proven by such a record",
  setProvider: "takes a domain that was proven by such a record",
  removeProvider: "takes a domain that was proven by such a record",
  signMembersOut: "takes a provider, and thus a domain that was proven by such a record",
};

// `bun test/openapi/fuzz.ts --each 50` tries more cases.
describe(pythonMissing === undefined ? "generated cases" : `generated cases (skipped: ${pythonMissing})`, () => {
  test.skipIf(pythonMissing !== undefined)(
    "X-62 what the OpenAPI document allows is taken, what it forbids is refused, and everything is answered as it says",
    async () => {
      const fuzzed = await fuzz({ as: ["anonymous", "session", "service"], each: 3, limitMs: 120_000 });
      expect(fuzzed.map(({ found }) => found).filter((found) => found !== "")).toEqual([]);
      const tried = fuzzed.flatMap((each) => each.tried);
      expect(tried.filter(({ positive }) => !positive).length).toBeGreaterThan(80);
      const done = new Set(
        tried.filter(({ positive, status }) => positive && status < 400).map((each) => each.operation),
      );
      const waiting = [...new Set(tried.map(({ operation }) => operation))].filter((operation) => !done.has(operation));
      expect(waiting.toSorted()).toEqual(Object.keys(notDone).toSorted());
    },
    8 * 60_000,
  );
});
