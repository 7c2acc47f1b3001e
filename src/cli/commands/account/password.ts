import { timestamp } from "../../../core/clock.ts";
import { command, readRoles } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { login } from "../../usage/login.option.ts";
import { withApp } from "../../app/with.app.ts";

// Twice the UTF-16 length of the longest password (256 code points), so that the policy can name the fault of a longer one.
const secretLimit = 1_024;

export const createUser = command({
  args: {
    email: { type: "string", required: true, description: "Email address" },
    username: { type: "string", description: "Username (default: the email address)" },
    "display-name": { type: "string", description: "Display name (default: the username)" },
    role: { type: "string", valueHint: "ROLES", description: "Roles, with commas between them: admin,editor" },
    verified: { type: "boolean", description: "Count the email address as verified" },
    json: jsonObject,
  },
  async run(context, args) {
    const roles = readRoles("role", args.role);
    return withApp(context, async ({ accounts }) => {
      const form = { email: args.email, username: args.username, displayName: args["display-name"] };
      // A taken address is refused first, so that nobody thinks of a password and types it twice in vain.
      await accounts.requireFree(form);
      const password = await context.terminal.readSecret({
        prompt: "Password: ",
        again: "The same password again: ",
        limit: secretLimit,
      });
      const user = await accounts.create({ ...form, password, verified: args.verified === true, roles });
      if (args.json !== true) return `created ${user.id}`;
      return jsonLine({
        id: user.id,
        username: user.username,
        email: user.email,
        display_name: user.displayName,
        roles,
        email_verified_at: timestamp(user.emailVerifiedAt),
        created_at: timestamp(user.createdAt),
      });
    });
  },
});

export const setPassword = command({
  args: { login, json: jsonObject },
  async run(context, args) {
    return withApp(context, async ({ accounts }) => {
      const id = await accounts.idOf(args.login);
      const password = await context.terminal.readSecret({
        prompt: "New password: ",
        again: "The same password again: ",
        limit: secretLimit,
      });
      await accounts.setPassword(id, password);
      return args.json === true ? jsonLine({ ok: true }) : "password set, every session ended";
    });
  },
});

export const revokeSessions = command({
  args: { login, json: jsonObject },
  async run(context, args) {
    return withApp(context, async ({ accounts }) => {
      const ended = await accounts.revokeSessions(args.login);
      if (args.json === true) return jsonLine({ sessions_ended: ended });
      return `${ended} ${ended === 1 ? "session" : "sessions"} ended`;
    });
  },
});
