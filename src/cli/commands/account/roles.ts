import { command, readRoles, UsageError } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { login } from "../../usage/login.option.ts";
import { withApp } from "../../app/with.app.ts";

export const roles = command({
  args: {
    login,
    add: { type: "string", valueHint: "ROLES", description: "Roles to give, with commas between them: admin,editor" },
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
