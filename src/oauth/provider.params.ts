import { t } from "elysia";
import { maxNameLength, namePattern } from "../core/naming.ts";
import { knownProviders } from "../core/people/providers.ts";
import { errorResponses } from "../http/index.ts";

export const providerParams = t.Object({
  provider: t.String({
    documented: {
      pattern: namePattern("provider"),
      maxLength: maxNameLength,
      description: `${knownProviders.map((name) => `\`${name}\``).join(", ")}, or the configured name of another one: see \`listProviders\``,
    },
  }),
});
/** The refusal of a provider that is not configured: the service does not know it. */
export const absent = errorResponses("not_found");
