/** The groups of routes, in the words of the API reference. */
const groups = {
  Account: "Registering, and the account's own data",
  "Email verification": "Proving that a mailbox is one's own",
  "For your own apps": "Who is calling, for the proxies and backends of other apps",
  Identities: "The providers by which an account signs in",
  Invitations: "Accepting an invitation by the token of its mail",
  Lighthouse: "What the app did, for operators",
  OAuth:
    "Signing in through GitHub, Google, Microsoft, Apple or another OpenID provider. Browsers navigate to these routes and are redirected",
  Passkeys: "Signing in with a passkey, and the passkeys of one's own account",
  Password: "Changing a password, and resetting a forgotten one",
  Probes: "For load balancers and monitoring",
  Sample: "What an application behind the guard looks like",
  "Second factors": "Authenticator app, recovery codes and passkeys of one's own account",
  Sessions: "Signing in and out, and what is signed in",
  "Sign-in by mail": "Signing in by the link or the code of a mail, without a password",
  Users: "Looking after accounts, for backends with the secret of a service",
} as const;

export const groupsInWords: Readonly<Record<string, string>> = groups;

/** Puts a chain of routes into a group; goes among the options of its `new Elysia`. */
export const grouped = (name: keyof typeof groups) => ({ tags: [name] });
