/** @jsxImportSource #html */
import type { Domain, OrganizationProvider } from "../../organization/index.ts";
import { Hidden } from "../../http/pages/parts/form.tsx";
import { ConfirmPage } from "../frame/page.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { organizationsPath, pathOf } from "./paths.ts";

/** Says what is lost with a domain before it is taken away. */
export const RemoveDomainPage = ({
  context,
  organization: { id, name },
  domain,
}: AboutOrganization & { readonly domain: Domain }) => (
  <ConfirmPage
    context={context}
    title={`Take ${domain.domain} away from ${name}?`}
    at={organizationsPath}
    action={`${pathOf(id)}/remove-domain`}
    label="Take the domain away"
    cancel={pathOf(id)}
    input={<Hidden fields={[["domain", domain.id]]} />}
  >
    <ul>
      <li>Nobody joins by it any more, and the organization’s provider signs nobody in with an address below it.</li>
      <li>Members stay. Who has no password chooses one by “Forgot your password?”.</li>
      <li>Another organization may prove it. This one has to prove it anew, by a new record.</li>
    </ul>
  </ConfirmPage>
);

/** Says what becomes of people before the provider of their organization is taken away. */
export const RemoveProviderPage = ({
  context,
  organization: { id, name },
  provider,
}: AboutOrganization & { readonly provider: OrganizationProvider }) => (
  <ConfirmPage
    context={context}
    title={`Remove the provider of ${name}?`}
    at={organizationsPath}
    action={`${pathOf(id)}/remove-provider`}
    label="Remove the provider"
    cancel={pathOf(id)}
  >
    <ul>
      <li>
        <code>{provider.issuer}</code> signs nobody in any more, and nobody has to come by it.
      </li>
      <li>Who is signed in stays so. Who has no password chooses one by “Forgot your password?”.</li>
      <li>Its secret is gone: an owner who sets it again needs it.</li>
    </ul>
  </ConfirmPage>
);
