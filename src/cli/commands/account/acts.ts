import type { App } from "../../../app/index.ts";
import { harmless } from "../../terminal/columns.ts";
import { command, readRoles, UsageError, type Command } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { login } from "../../usage/login.option.ts";
import { withApp } from "../../app/with.app.ts";

/** A command for a change that may have been made before; it succeeds either way. */
const change = (
  act: (accounts: App["accounts"], id: string) => Promise<boolean>,
  words: { readonly changed: string; readonly unchanged: string },
): Command =>
  command({
    args: { login, json: jsonObject },
    async run(context, args) {
      return withApp(context, async ({ accounts }) => {
        const id = await accounts.idOf(args.login);
        const changed = await act(accounts, id);
        if (args.json === true) return jsonLine({ id, changed });
        return changed ? words.changed : words.unchanged;
      });
    },
  });

export const disable = change((accounts, id) => accounts.disable(id), {
  changed: "disabled, every session ended",
  unchanged: "was disabled already",
});
export const enable = change((accounts, id) => accounts.enable(id), {
  changed: "enabled",
  unchanged: "was not disabled",
});
export const unlock = change((accounts, id) => accounts.unlock(id), {
  changed: "unlocked: the wrong passwords and codes are forgotten",
  unchanged: "was not locked, and no wrong password is remembered",
});
export const verify = change((accounts, id) => accounts.verify(id), {
  changed: "the address counts as proven",
  unchanged: "the address was proven already",
});

export const resetFactors = change((accounts, id) => accounts.resetFactors(id), {
  changed: "second factors and recovery codes removed, every session ended, and the person told by mail",
  unchanged: "has no second factor",
});

export const roles = command({
  args: {
    login,
    add: {
      type: "string",
      valueHint: "ROLES",
      description:
        "Roles to give, with commas between them: support,editor; admin, support and auditor open the pages for staff",
    },
    remove: { type: "string", valueHint: "ROLES", description: "Roles to take, the same way" },
    json: jsonObject,
  },
  async run(context, args) {
    const change = { add: readRoles("add", args.add), remove: readRoles("remove", args.remove) };
    if (change.add.some((name) => change.remove.includes(name)))
      throw new UsageError("a role can't be in --add and in --remove");
    return withApp(context, async ({ accounts }) => {
      const { roles: held } = await accounts.changeRoles(args.login, change);
      if (args.json === true) return jsonLine({ roles: held });
      return held.length === 0 ? "no roles" : held.join(" ");
    });
  },
});

export const sendReset = command({
  args: { login, json: jsonObject },
  async run(context, args) {
    return withApp(context, async ({ accounts }) => {
      const id = await accounts.idOf(args.login);
      const which = await accounts.sendPasswordReset(id);
      if (args.json === true) return jsonLine({ id, ok: true });
      return `the link for ${which === "first" ? "the first" : "a new"} password is on its way to the address of the account`;
    });
  },
});

export const remove = command({
  args: { login, force: { type: "boolean", description: "Don't ask" }, json: jsonObject },
  async run(context, args) {
    const { ask } = context.terminal;
    if (args.force !== true && ask === undefined)
      throw new UsageError("nobody is there to be asked: give --force to delete all the same");
    return withApp(context, async ({ accounts, people }) => {
      const { id, username, email } = await people.show(args.login);
      const whom = harmless(username === email ? email : `${username} (${email})`);
      const question = `Delete ${whom} for good? Type the email address to go on: `;
      if (args.force !== true && (await ask?.(question))?.trim() !== email) throw new Error("not deleted");
      await accounts.delete(id);
      return args.json === true ? jsonLine({ id, deleted: true }) : `deleted ${whom}`;
    });
  },
});
