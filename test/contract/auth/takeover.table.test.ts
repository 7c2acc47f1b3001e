import { expect, test } from "bun:test";
import { evictions, type Eviction } from "../../../src/auth/flow/eviction/eviction.rules.ts";
import { tokenHash } from "../../../src/core/crypto.ts";
import type { GrantPurpose } from "../../../src/auth/grant/grant.columns.ts";
import { auth, isServed, mailedToken, nextMail, type Person, signInSubject } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { bearer, createApp, tokensIn } from "../../support/native.ts";
import { setUpTotp } from "../../support/factors.ts";
import { office } from "../../support/office.ts";
import { noteSecret } from "../../support/seen.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { signIn } from "./passkeys.fixture.ts";
import { stageTakeover } from "./takeover.fixture.ts";

// The table has everything that ends other people's hold on an account, times everything that somebody can have left behind. SECURITY.md
// says what stays in a cell.
const staged = await stageTakeover();
const { target, rows, mailbox, browser } = staged;
const { addApp, addPasskey, confirmMove, confirmReset, inDays, linkIdentity, member, pend, resetToken, undo } = staged;
const { accounts } = await office(target);
const backend = await serviceKit(target).backend("keeper", "users:write");

/**
 * Leaves something behind in the account, as somebody with a session and the password. Resolves to a function that tells whether it still
 * works.
 */
const leftovers = {
  session:
    async ({ thief }: Scene) =>
    () =>
      isServed(thief),
  "native token":
    async ({ native }: Scene) =>
    async () =>
      (await browser().get(auth("me"), bearer(native))).status === 200,
  identity: async ({ person }: Scene) => {
    const id = linkIdentity(person);
    return async () => rows.count("auth_identities where id = ?", id) === 1;
  },
  passkey: async ({ person, thief }: Scene) => {
    rows.run("update auth_sessions set proved_at = ?, factor = 'passkey' where user_id = ?", Date.now(), person.id);
    const passkey = await addPasskey(thief);
    return async () => (await signIn(browser(), passkey)).status === 200;
  },
  "personal token": async ({ thief }: Scene) => {
    const token = (await thief.post(auth("tokens"), { name: "left behind" })).textAt("token");
    noteSecret(target.url, token);
    return async () => (await browser().get(auth("verify"), bearer({ access: token }))).status === 204;
  },
  "pending address": async ({ person, thief }: Scene) => {
    const token = await pend(person, thief);
    return async () => (await confirmMove(token)).status === 200;
  },
  "link to a new password": async ({ person }: Scene) => {
    const token = await resetToken(person);
    return async () => (await confirmReset(token)).status === 200;
  },
  "link that signs in": async ({ person }: Scene) => {
    const token = await signInLink(person);
    return async () => [200, 401].includes((await redeemSignIn(token)).status) && (await redeemed(token));
  },
} as const;
type Leftover = keyof typeof leftovers;

/** Shows where each kind of mailed link ends: in this table, or in the tests with these ids. */
const linksShown: Readonly<Record<GrantPurpose, Leftover | RegExp>> = {
  password_reset: "link to a new password",
  first_password: /H-87/,
  email_login: "link that signs in",
  email_verification: /A-71|M-24|G-03/,
  email_change_cancel: /A-71/,
  email_change_undo: /A-72/,
  email_change_factor_undo: /M-79/,
  factor_undo: /M-74|M-80/,
  identity_undo: /A-90/,
  session_undo: /M-08/,
};

interface Scene {
  readonly person: Person;
  /** The browser of somebody who knows the password. */
  readonly thief: Client;
  readonly native: ReturnType<typeof tokensIn>;
}

interface Way {
  /** Prepares the account. Resolves to the token of the mail that the eviction needs. */
  readonly before?: (person: Person) => Promise<string>;
  readonly evict: (person: Person, token: string) => Promise<unknown>;
  /** Leftovers that this way leaves alone. */
  readonly leaves: readonly Leftover[];
  /** Leftovers that can't exist at that moment. */
  readonly without?: readonly Leftover[];
}

const none = async (): Promise<string> => "";
const moved = async (person: Person): Promise<string> => {
  const asked = await pend(person, person.client);
  expect((await person.client.post(auth("email-verification/confirm"), { token: asked })).status).toBe(200);
  return mailedToken(mailbox, person.email, "Your email address was changed");
};
const withFactor = async (person: Person): Promise<string> => {
  addApp(person);
  rows.run("update auth_totp set confirmed_at = confirmed_at - 691200000 where user_id = ?", person.id);
  rows.run("update auth_sessions set factor = 'totp', proved_at = ? where user_id = ?", Date.now(), person.id);
  return "";
};
const unproven = async (person: Person): Promise<string> => {
  rows.run("update users set email_verified_at = null where id = ?", person.id);
  // Before that, the request would join the link of the registration.
  inDays(0.004);
  await person.client.post(auth("email-verification/request"));
  return mailedToken(mailbox, person.email, "Verify your email");
};
async function signInLink({ email }: Person): Promise<string> {
  await browser().post(auth("email-login/request"), { login: email });
  return mailedToken(mailbox, email, signInSubject);
}
const redeemSignIn = (token: string) => browser().post(auth("email-login/confirm"), { token });
/** Whether a link has been redeemed. The answer does not tell: a used link is refused in the same way as a void one. */
async function redeemed(token: string): Promise<boolean> {
  return rows.count("auth_grants where token_hash = ? and redeemed_at is not null", tokenHash(token)) === 1;
}

const factorsAndLinks = ["identity", "passkey"] as const;
const open = ["session", "native token"] as const;
const moves = ["pending address", "link to a new password", "link that signs in"] as const;

const ways: Readonly<Record<Eviction, Way>> = {
  password_changed: {
    evict: ({ client, password }) =>
      client.post(auth("change-password"), { current_password: password, new_password: "another walk by the sea" }),
    leaves: [...factorsAndLinks, "link to a new password", "personal token"],
  },
  signed_out_everywhere: {
    evict: ({ client }) => client.post(auth("logout-all")),
    leaves: [...factorsAndLinks, "link to a new password", "personal token"],
  },
  first_factor_added: {
    evict: (person) => setUpTotp(person),
    leaves: [...open, "identity", "link to a new password", "personal token"],
    without: ["passkey"],
  },
  last_factor_removed: {
    before: withFactor,
    evict: ({ client }) => client.post(auth("mfa/totp/remove")),
    leaves: [...open, "identity", "link to a new password", "personal token"],
    without: ["passkey"],
  },
  address_confirmed: {
    evict: async (person) => {
      const token = await pend(person, person.client);
      return person.client.post(auth("email-verification/confirm"), { token });
    },
    leaves: [...open, ...factorsAndLinks, "personal token"],
    without: ["pending address"],
  },
  password_set: {
    evict: ({ email }) => accounts.setPassword(email, "another walk by the sea"),
    leaves: factorsAndLinks,
  },
  sessions_revoked: { evict: ({ email }) => accounts.revokeSessions(email), leaves: factorsAndLinks },
  factors_reset: { before: withFactor, evict: ({ email }) => accounts.resetFactors(email), leaves: ["identity"] },
  account_disabled: {
    async evict({ email }) {
      expect([await accounts.disable(email), await accounts.enable(email)]).toEqual([true, true]);
    },
    leaves: factorsAndLinks,
  },
  address_set: {
    evict: ({ id }) => backend.patch(id, { email: `moved.${id}@example.org` }),
    leaves: [...open, ...factorsAndLinks, "personal token"],
  },
  signed_in_by_mail: {
    before: signInLink,
    evict: (_, token) => redeemSignIn(token),
    leaves: [...open, ...factorsAndLinks, "link to a new password", "personal token"],
    // A second mail within five minutes is held back, so there is only one link.
    without: ["link that signs in", "passkey"],
  },
  address_proven: {
    before: unproven,
    evict: (_, token) => browser().post(auth("email-verification/confirm"), { token }),
    leaves: [],
  },
  address_rejected: {
    before: unproven,
    evict: (_, token) => browser().post(auth("email-verification/reject"), { token }),
    leaves: [],
  },
  address_moved: {
    evict: async (person) => confirmMove(await pend(person, person.client)),
    leaves: ["passkey"],
    without: ["pending address"],
  },
  address_change_undone: {
    before: async (person) => {
      await withFactor(person);
      return moved(person);
    },
    evict: (_, token) => undo(token),
    leaves: ["passkey"],
    without: moves,
  },
  factor_change_undone: { before: moved, evict: (_, token) => undo(token), leaves: [], without: moves },
  address_change_cancelled: {
    before: async ({ client, email, password }) => {
      await client.post(auth("profile"), { email: `other.${email}`, current_password: password });
      return mailedToken(mailbox, email, "Your email address is to be changed");
    },
    evict: (_, token) => undo(token),
    leaves: ["passkey"],
  },
  password_reset: {
    before: resetToken,
    evict: (_, token) => confirmReset(token),
    leaves: [],
    without: ["link to a new password"],
  },
  factors_taken_back: {
    before: async (person) => {
      await setUpTotp(person);
      rows.run("update auth_sessions set factor = 'totp' where user_id = ?", person.id);
      return takeBackIn(person, "An authenticator app was added to your account");
    },
    evict: (_, token) => confirmReset(token),
    leaves: [],
  },
  identity_taken_back: {
    before: identityTakeBack,
    evict: (_, token) => confirmReset(token),
    leaves: [],
  },
  sign_in_rejected: {
    before: async (person) => {
      await person.login();
      return takeBackIn(person, "New sign-in to your account");
    },
    evict: (_, token) => confirmReset(token),
    leaves: [],
  },
};

async function takeBackIn({ email }: Person, subject: string): Promise<string> {
  const { text } = await nextMail(mailbox, email, subject);
  return /token=([\w-]+)&reject=1/.exec(text)?.[1] ?? "";
}

/** Makes the link of the mail about a linked identity, which only the callback of a provider sends. */
async function identityTakeBack({ id, email }: Person): Promise<string> {
  const token = crypto.randomUUID();
  rows.run(
    `insert into auth_grants (id, purpose, user_id, email_key, token_hash, mailed, created_at, expires_at)
     values (?, 'identity_undo', ?, ?, ?, 1, ?, ?)`,
    crypto.randomUUID(),
    id,
    email,
    tokenHash(token),
    Date.now(),
    Date.now() + 60_000,
  );
  return token;
}

const isEviction = (name: string): name is Eviction => name in evictions;
const isLeftover = (name: string): name is Leftover => name in leftovers;
const cells = Object.entries(ways).flatMap(([way, { leaves, without = [] }]) =>
  Object.keys(leftovers)
    .filter(isLeftover)
    .filter((leftover) => !without.includes(leftover))
    .map((leftover) => [way, leftover, leaves.includes(leftover) ? "stays" : "ends"] as const),
);

test("A-75 each kind of mailed link is in the table, or in a test of its own", () => {
  for (const shown of Object.values(linksShown))
    if (typeof shown === "string") expect(Object.keys(leftovers)).toContain(shown);
});

test.each(cells)("A-75 after %s: %s %s", async (way, leftover, outcome) => {
  if (!isEviction(way)) throw new Error(`no eviction is ${way}`);
  const person = await member("ada");
  const thief = await person.login();
  const native = tokensIn(await createApp(target.url).login(person.email, person.password));
  inDays(0.001);
  const { before = none, evict } = ways[way];
  const token = await before(person);
  const isThere = await leftovers[leftover]({ person, thief, native });
  const answer = await evict(person, token);
  if (typeof answer === "object" && answer !== null && "status" in answer) expect(answer.status).toBe(200);
  expect(await isThere()).toBe(outcome === "stays");
});
