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

const joinWords = { none: "nobody", invite: "who wants to", auto: "everybody" } as const;

const State = ({ domain: { verifiedAt, lostAt } }: { readonly domain: Domain }) =>
  verifiedAt === null ? (
    <Tag tone="warning">{lostAt === null ? "not proven" : "proof is gone"}</Tag>
  ) : (
    <Tag tone="good">proven</Tag>
  );

const OwnProvider = ({ context, organization, provider }: Omit<DomainsProps, "domains">) =>
  provider === undefined ? (
    <p class="soft">None: people sign in by their own ways.</p>
  ) : (
    <>
      <Pairs
        class="card pairs"
        pairs={[
          ["Issuer", <code>{provider.issuer}</code>],
          ["Client id", <code>{provider.clientId}</code>],
          ["Demanded", provider.enforced === 1 ? "yes: members below a proven domain come by it alone" : "no"],
          ["Set", <Moment at={provider.updatedAt} times={context.times} />],
        ]}
      />
      {context.may("organizations.change") && (
        <p>
          <a class="danger" href={context.href(`${pathOf(organization.id)}/remove-provider`)}>
            Remove the provider…
          </a>
        </p>
      )}
    </>
  );

/** The domains that the organization claims, and the provider by which its people sign in. */
export const Domains = ({ context, organization, domains, provider }: DomainsProps) => (
  <>
    <section>
      <h2 id="domains">Domains</h2>
      <Table
        labelledBy="domains"
        columns={["Domain", "State", "Joins by it", "Since"]}
        actions={context.words.frame.actions}
        rows={domains.map((domain) => [
          <code>{domain.domain}</code>,
          <State domain={domain} />,
          joinWords[domain.joinMode],
          <Ago at={domain.createdAt} times={context.times} />,
          context.may("organizations.change") && (
            <a
              class="danger"
              aria-label={`Remove: the domain ${domain.domain}`}
              href={context.href(`${pathOf(organization.id)}/remove-domain?domain=${domain.id}`)}
            >
              Remove…
            </a>
          ),
        ])}
        empty={<p class="soft">None.</p>}
      />
    </section>
    <section>
      <h2 id="provider">Its own provider</h2>
      <OwnProvider context={context} organization={organization} provider={provider} />
    </section>
  </>
);
