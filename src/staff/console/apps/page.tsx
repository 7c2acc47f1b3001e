/** @jsxImportSource #html */
import { Empty, Pairs, Table } from "../../../http/pages/parts/list.tsx";
import type { Client } from "../../../idp/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { ConfirmPage, StaffPage } from "../../frame/page.tsx";
import { AgoOrNever, Moment } from "../../frame/parts.tsx";
import { Tag } from "../../people/parts.tsx";

export const appsPath = "/apps";

const hostOf = (uri: string): string => {
  const url = URL.parse(uri);
  return url === null ? uri : url.host === "" ? url.protocol : url.host;
};

const Kind = ({ context, client: { origin, settings } }: AppProps) =>
  origin === "operator" && !settings.third_party ? (
    <Tag tone="good">{context.words.apps.own}</Tag>
  ) : (
    <Tag tone="warning">{context.words.apps.asks}</Tag>
  );

interface AppProps {
  readonly context: StaffContext;
  readonly client: Client;
}

interface ListProps {
  readonly context: StaffContext;
  readonly clients: readonly Client[];
}

/** The programs that sign people in here. */
export const AppsPage = ({ context, clients }: ListProps) => {
  const { href } = context;
  const words = context.words.apps;
  return (
    <StaffPage context={context} title={words.title} at={appsPath}>
      <h1 id="apps">{words.title}</h1>
      <Table
        labelledBy="apps"
        columns={[words.name, words.type, words.kind, words.leadsTo, words.lastUsed]}
        rows={clients.map((client) => [
          <a href={href(`${appsPath}/${client.id}`)}>{client.name}</a>,
          words.types[client.settings.type],
          <Kind context={context} client={client} />,
          [...new Set(client.settings.redirect_uris.map(hostOf))].slice(0, 3).join(", "),
          <AgoOrNever at={client.lastUsedAt} context={context} />,
        ])}
        empty={<Empty>{words.empty}</Empty>}
      />
    </StaffPage>
  );
};

const lines = (uris: readonly string[]) =>
  uris.length === 0 ? "" : uris.map((uri) => <code key={uri}>{`${uri} `}</code>);

/** One program: what it may do, and how it proves who it is. */
export const AppPage = ({ context, client }: AppProps) => {
  const { href, times } = context;
  const { apps: words, frame } = context.words;
  const { settings } = client;
  return (
    <StaffPage context={context} title={client.name} at={appsPath}>
      <p class="back">
        <a href={href(appsPath)}>{words.title}</a>
      </p>
      <div class="heading">
        <h1>{client.name}</h1>
        <Kind context={context} client={client} />
      </div>
      <Pairs
        class="card pairs broad"
        pairs={[
          [words.id, <code>{client.id}</code>],
          [words.type, words.types[settings.type]],
          [words.origin, words.origins[client.origin]],
          [words.scope, settings.scope.replaceAll(" ", ", ")],
          [words.letsIn, settings.role === null ? words.everybody : words.withRole({ role: settings.role })],
          [words.redirects, lines(settings.redirect_uris)],
          [words.signOutRedirects, lines(settings.post_logout_redirect_uris)],
          [words.toldAt, lines(settings.backchannel_logout_uri === null ? [] : [settings.backchannel_logout_uri])],
          [words.proof, `${settings.token_endpoint_auth_method}${settings.fapi ? ", FAPI 2.0" : ""}`],
          [words.made, <Moment at={client.createdAt} times={times} />],
          [words.lastUsed, client.lastUsedAt === null ? frame.never : <Moment at={client.lastUsedAt} times={times} />],
        ]}
      />
      <p class="hint">{words.commands}</p>
      {context.may("apps.remove") && (
        <p>
          <a class="danger" href={href(`${appsPath}/${client.id}/remove`)}>
            {words.remove}
          </a>
        </p>
      )}
    </StaffPage>
  );
};

/** Asks before a program is removed. */
export const RemoveAppPage = ({ context, client }: AppProps) => {
  const words = context.words.apps.removing;
  return (
    <ConfirmPage
      context={context}
      title={words.title({ name: client.name })}
      at={appsPath}
      action={`${appsPath}/${client.id}/remove`}
      label={words.submit}
      cancel={`${appsPath}/${client.id}`}
    >
      <ul>
        <li>{words.signIn}</li>
        <li>{words.held}</li>
        <li>{words.final}</li>
      </ul>
    </ConfirmPage>
  );
};
