import { harmless } from "../../terminal/columns.ts";
import { command } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { operator, org, organizationOf, withOrganizations } from "./with.organizations.ts";

export const removeDomain = command({
  args: { org, domain: { type: "positional", required: true, description: "The domain, or its id" }, json: jsonObject },
  async run(context, args) {
    return withOrganizations(context, async (organizations) => {
      const { acts } = organizations;
      const { id, name } = await organizationOf(organizations, args.org);
      const named = args.domain.toLowerCase();
      const found = (await acts.domains.list(operator, id)).find((one) => [one.id, one.domain].includes(named));
      if (found === undefined) throw new Error(`${name} has no such domain: org:show lists them`);
      await acts.domains.remove(operator, id, found.id);
      if (args.json === true) return jsonLine({ id, domain: found.domain, removed: true });
      return harmless(
        `${found.domain} is no longer a domain of ${name}: nobody joins or has to sign in by it any more`,
      );
    });
  },
});

export const removeProvider = command({
  args: { org, json: jsonObject },
  async run(context, args) {
    return withOrganizations(context, async (organizations) => {
      const { acts } = organizations;
      const { id, name } = await organizationOf(organizations, args.org);
      const { provider } = await acts.providers.find(operator, id);
      if (provider === undefined) throw new Error(`${name} has no provider of its own`);
      await acts.providers.remove(operator, id);
      if (args.json === true) return jsonLine({ id, issuer: provider.issuer, removed: true });
      return harmless(
        `${provider.issuer} signs nobody in for ${name} any more: people sign in by their own ways again`,
      );
    });
  },
});
