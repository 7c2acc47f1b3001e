/** @jsxImportSource #html */
import { Empty, Pairs, Table } from "../../../http/pages/parts/list.tsx";
import type { Client } from "../../../idp/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { ConfirmPage, StaffPage } from "../../frame/page.tsx";
import { Ago, Moment } from "../../frame/parts.tsx";
import { Tag } from "../../people/parts.tsx";

export const appsPath = "/apps";

const typeWords = {
  web: "with a server",
  browser: "a page in a browser",
  native: "on a device",
  machine: "acts for itself",
} as const;

const originWords = {
  operator: "registered by an operator",
  registration: "registered itself",
  document: "described by a document of its own",
} as const;

const hostOf = (uri: string): string => {
  const url = URL.parse(uri);
  return url === null ? uri : url.host === "" ? url.protocol : url.host;
};

const Kind = ({ client: { origin, settings } }: { readonly client: Client }) =>
  origin === "operator" && !settings.third_party ? (
    <Tag tone="good">your own</Tag>
  ) : (
    <Tag tone="warning">asks people</Tag>
  );

interface ListProps {
  readonly context: StaffContext;
  readonly clients: readonly Client[];
}

/** The programs that sign people in here. */
export const AppsPage = ({ context, clients }: ListProps) => {
  const { href, times } = context;
  return (
    <StaffPage context={context} title="Apps" at={appsPath}>
      <h1 id="apps">Apps</h1>
      <Table
        labelledBy="apps"
        columns={["Name", "Type", "Kind", "Leads to", "Last used"]}
        rows={clients.map((client) => [
          <a href={href(`${appsPath}/${client.id}`)}>{client.name}</a>,
          typeWords[client.settings.type],
          <Kind client={client} />,
          [...new Set(client.settings.redirect_uris.map(hostOf))].slice(0, 3).join(", "),
          client.lastUsedAt === null ? "never" : <Ago at={client.lastUsedAt} times={times} />,
        ])}
        empty={<Empty>No app signs people in here yet. The command client:create makes one.</Empty>}
      />
    </StaffPage>
  );
};

interface AppProps {
  readonly context: StaffContext;
  readonly client: Client;
}

const lines = (uris: readonly string[]) =>
  uris.length === 0 ? "" : uris.map((uri) => <code key={uri}>{`${uri} `}</code>);

/** One program: what it may do, and how it proves who it is. */
export const AppPage = ({ context, client }: AppProps) => {
  const { href, times } = context;
  const { settings } = client;
  return (
    <StaffPage context={context} title={client.name} at={appsPath}>
      <p class="back">
        <a href={href(appsPath)}>Apps</a>
      </p>
      <div class="heading">
        <h1>{client.name}</h1>
        <Kind client={client} />
      </div>
      <Pairs
        class="card pairs broad"
        pairs={[
          ["Id", <code>{client.id}</code>],
          ["Type", typeWords[settings.type]],
          ["How it came", originWords[client.origin]],
          ["May have", settings.scope.replaceAll(" ", ", ")],
          ["Lets in", settings.role === null ? "everybody" : `people with the role ${settings.role}`],
          ["Leads people to", lines(settings.redirect_uris)],
          ["After a sign-out to", lines(settings.post_logout_redirect_uris)],
          [
            "Is told of ends at",
            lines(settings.backchannel_logout_uri === null ? [] : [settings.backchannel_logout_uri]),
          ],
          ["Proves itself by", settings.token_endpoint_auth_method],
          ["Made", <Moment at={client.createdAt} times={times} />],
          ["Last used", client.lastUsedAt === null ? "never" : <Moment at={client.lastUsedAt} times={times} />],
        ]}
      />
      <p class="hint">The command client:update changes it, and client:secret gives it another secret.</p>
      {context.may("apps.remove") && (
        <p>
          <a href={href(`${appsPath}/${client.id}/remove`)}>Remove this app</a>
        </p>
      )}
    </StaffPage>
  );
};

/** Asks before a program is removed. */
export const RemoveAppPage = ({ context, client }: AppProps) => (
  <ConfirmPage
    context={context}
    title={`Remove ${client.name}?`}
    at={appsPath}
    action={`${appsPath}/${client.id}/remove`}
    label="Remove the app"
    cancel={`${appsPath}/${client.id}`}
  >
    <ul>
      <li>It signs nobody in any more, and its secret is worthless.</li>
      <li>What it holds for people ends at once, and it is told so where it has an address for that.</li>
      <li>Nobody can bring it back. Registered anew it has another id and another secret.</li>
    </ul>
  </ConfirmPage>
);
