import { command, readRoles } from "../command.ts";
import { withApp } from "../with.app.ts";

// Twice what the longest password (256 code points) takes in UTF-16, so that the policy can say what is wrong with a longer one.
const secretLimit = 1_024;

const login = { type: "positional", required: true, description: "Username or email address" } as const;

export const createUser = command({
  args: {
    email: { type: "string", required: true, description: "Email address" },
    username: { type: "string", description: "Username (default: the email address)" },
    "display-name": { type: "string", description: "Display name (default: the username)" },
    role: { type: "string", valueHint: "ROLES", description: "Roles, with commas between them: admin,editor" },
    verified: { type: "boolean", description: "Count the email address as verified" },
  },
  async run(context, args) {
    const roles = readRoles("role", args.role);
    const password = await context.terminal.readSecret("Password: ", secretLimit);
    return withApp(context, async ({ accounts }) => {
      const user = await accounts.create({
        email: args.email,
        username: args.username,
        displayName: args["display-name"],
        password,
        verified: args.verified === true,
        roles,
      });
      return `created ${user.id}`;
    });
  },
});

export const setPassword = command({
  args: { login },
  async run(context, args) {
    const password = await context.terminal.readSecret("New password: ", secretLimit);
    return withApp(context, async ({ accounts }) => {
      await accounts.setPassword(args.login, password);
      return "password set, every session ended";
    });
  },
});

export const revokeSessions = command({
  args: { login },
  async run(context, args) {
    return withApp(context, async ({ accounts }) => {
      const ended = await accounts.revokeSessions(args.login);
      return `${ended} ${ended === 1 ? "session" : "sessions"} ended`;
    });
  },
});
