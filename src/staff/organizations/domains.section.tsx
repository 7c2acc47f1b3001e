/** @jsxImportSource #html */
import type { Domain, OrganizationProvider } from "../../organization/index.ts";
import { Pairs, Table } from "../../http/pages/parts/list.tsx";
import { Ago, Moment } from "../frame/parts.tsx";
import { Tag } from "../people/parts.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { pathOf } from "./paths.ts";

interface DomainsProps extends AboutOrganization {
  readonly domains: readonly Domain[];
  readonly provider: OrganizationProvider | undefined;
}

const State = ({ context, domain }: Pick<DomainsProps, "context"> & { readonly domain: Domain }) => {
  const { proven, unproven, lost } = context.words.organizations.domains;
  if (domain.verifiedAt !== null) return <Tag tone="good">{proven}</Tag>;
  return <Tag tone="warning">{domain.lostAt === null ? unproven : lost}</Tag>;
};

const OwnProvider = ({ context, organization, provider }: Omit<DomainsProps, "domains">) => {
  const words = context.words.organizations.provider;
  return provider === undefined ? (
    <p class="soft">{words.none}</p>
  ) : (
    <>
      <Pairs
        class="card pairs"
        pairs={[
          [words.issuer, <code>{provider.issuer}</code>],
          [words.clientId, <code>{provider.clientId}</code>],
          [words.demanded, provider.enforced === 1 ? words.isDemanded : words.notDemanded],
          [words.set, <Moment at={provider.updatedAt} times={context.times} />],
        ]}
      />
      {context.may("organizations.change") && (
        <p>
          <a class="danger" href={context.href(`${pathOf(organization.id)}/remove-provider`)}>
            {words.remove}
          </a>
        </p>
      )}
    </>
  );
};

/** The domains that the organization claims, and the provider by which its people sign in. */
export const Domains = ({ context, organization, domains, provider }: DomainsProps) => {
  const { domains: words, provider: ofProvider, facts, none } = context.words.organizations;
  return (
    <>
      <section>
        <h2 id="domains">{words.title}</h2>
        <Table
          labelledBy="domains"
          columns={[words.domain, facts.state, words.joins, facts.since]}
          actions={context.words.frame.actions}
          rows={domains.map((domain) => [
            <code class="unbroken">{domain.domain}</code>,
            <State context={context} domain={domain} />,
            words.joinModes[domain.joinMode],
            <Ago at={domain.createdAt} times={context.times} />,
            context.may("organizations.change") && (
              <a
                class="danger"
                aria-label={words.removeOf({ domain: domain.domain })}
                href={context.href(`${pathOf(organization.id)}/remove-domain?domain=${domain.id}`)}
              >
                {words.remove}
              </a>
            ),
          ])}
          empty={<p class="soft">{none}</p>}
        />
      </section>
      <section>
        <h2 id="provider">{ofProvider.title}</h2>
        <OwnProvider context={context} organization={organization} provider={provider} />
      </section>
    </>
  );
};
