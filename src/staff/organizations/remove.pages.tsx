/** @jsxImportSource #html */
import type { Domain, OrganizationProvider } from "../../organization/index.ts";
import { around } from "../../words/index.ts";
import { Hidden } from "../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../frame/page.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { organizationsPath, pathOf } from "./paths.ts";

/** Says what is lost with a domain before it is taken away. */
export const RemoveDomainPage = ({
  context,
  organization: { id, name },
  domain,
}: AboutOrganization & { readonly domain: Domain }) => {
  const words = context.words.organizations.removingDomain;
  return (
    <ConfirmPage
      context={context}
      title={words.title({ domain: domain.domain, organization: name })}
      at={organizationsPath}
      action={`${pathOf(id)}/remove-domain`}
      label={words.submit}
      cancel={pathOf(id)}
      input={<Hidden fields={[["domain", domain.id]]} />}
    >
      <ul>
        <li>{words.joining}</li>
        <li>{words.members}</li>
        <li>{words.others}</li>
      </ul>
    </ConfirmPage>
  );
};

/** Says what becomes of people before the provider of their organization is taken away. */
export const RemoveProviderPage = ({
  context,
  organization: { id, name },
  provider,
}: AboutOrganization & { readonly provider: OrganizationProvider }) => {
  const words = context.words.organizations.removingProvider;
  return (
    <ConfirmPage
      context={context}
      title={words.title({ organization: name })}
      at={organizationsPath}
      action={`${pathOf(id)}/remove-provider`}
      label={words.submit}
      cancel={pathOf(id)}
    >
      <ul>
        <li>{around(words.ways, { issuer: <code>{provider.issuer}</code> })}</li>
        <li>{words.members}</li>
        <li>{words.secret}</li>
      </ul>
    </ConfirmPage>
  );
};
