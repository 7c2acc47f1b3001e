/** @jsxImportSource #html */
import { Aside, Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import { FormElsewhere, type Html } from "../../http/pages/jsx-runtime.ts";
import type { Browsing } from "../../auth/index.ts";
import type { Answer } from "../authorize/outcome.ts";
import type { NoDestination, AuthorizationRequest } from "../authorize/request.ts";
import type { Disclosed } from "../authorize/consents.ts";
import type { Client } from "../client/client.ts";
import { placeOf, serverOf } from "../client/redirect.uri.ts";
import type { Params } from "../protocol/params.ts";
import { scopes } from "../protocol/scopes.ts";
import { around } from "../../words/index.ts";
import type { IdpWords } from "./frame.tsx";

interface AskingProps {
  readonly words: IdpWords;
  readonly request: AuthorizationRequest;
  readonly entries: Params["entries"];
  readonly viewer: Browsing;
  readonly token: string;
  readonly action: string;
  /** The sign-in page, for somebody who wants to go on with another account. */
  readonly otherAccount: string;
}

/** Whether an operator vouches for the name of a client. */
export const isChecked = ({ origin }: Pick<Client, "origin">): boolean => origin === "operator";

/** A host in large letters, which breaks at its dots where it is long. */
export const Host = ({ host }: { readonly host: string }): Html => (
  <p class="host">
    {host.split(/(?<=[.])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </p>
);

interface WantedProps {
  readonly words: IdpWords;
  readonly client: Client;
  /** The address that people are led to; undefined where they are led nowhere, and an address of the client shows nothing. */
  readonly at: string | undefined;
  /** What the client would learn and do. */
  readonly disclosed: Disclosed;
}

/** Says who asks where nobody here has checked that: the host is all that is known, and the name is a claim. */
const Stranger = ({ words: { consent }, client, at }: WantedProps): Html => {
  const known = client.origin === "document" ? client.id : at;
  return (
    <>
      <div class="group">
        {known !== undefined && <Host host={placeOf(known)} />}
        <p class="soft">{consent.claims({ name: client.name })}</p>
      </div>
      <Notice kind="warning">
        <p>{consent.unchecked}</p>
      </Notice>
    </>
  );
};

/** Says who asks, and for what. A client is named by what is registered of it, and never by what the request says. */
export const Wanted = (wanted: WantedProps): Html => {
  const { words, client, disclosed } = wanted;
  const servers = [...new Set(disclosed.resources.map(serverOf))];
  return (
    <>
      {!isChecked(client) && <Stranger {...wanted} />}
      <div class="group">
        <p>{words.consent.wants}</p>
        <ul class="wants">
          {scopes
            .filter((scope) => disclosed.scopes.includes(scope))
            .map((scope) => (
              <li key={scope}>{words.scopes[scope]}</li>
            ))}
          {servers.map((server) => (
            <li key={server}>{words.consent.calls({ server })}</li>
          ))}
        </ul>
      </div>
    </>
  );
};

export const Decision = ({ words: { consent } }: { readonly words: IdpWords }): Html => (
  <div class="stack">
    <button class="primary" name="decision" value="allow">
      {consent.allow}
    </button>
    <button name="decision" value="deny">
      {consent.deny}
    </button>
  </div>
);

/** Asks whether a client may see what it asks for. */
export const ConsentCard = ({ words, request, entries, token, action, otherAccount }: AskingProps): Html => {
  const { consent } = words;
  return (
    <>
      <Wanted words={words} client={request.client} at={request.redirectUri} disclosed={request.disclosed} />
      <p class="soft">
        {around(consent.leads, { place: <strong>{placeOf(request.redirectUri)}</strong> })} {consent.withdraw}
      </p>
      <Form action={action} token={token}>
        <Hidden fields={entries} />
        <Decision words={words} />
      </Form>
      <Aside href={otherAccount}>{consent.other}</Aside>
    </>
  );
};

/** Tells somebody that they may not use a client. */
export const NoRoleCard = ({ words: { noRole }, entries, viewer, token, action, otherAccount }: AskingProps): Html => (
  <>
    <p>{noRole.text({ name: viewer.username })}</p>
    <Form action={action} token={token}>
      <Hidden fields={entries} />
      <button class="primary" name="decision" value="deny">
        {noRole.back}
      </button>
    </Form>
    <Aside href={otherAccount}>{noRole.other}</Aside>
  </>
);

/** Tells staff in somebody's name that a client waits for that person's own yes. */
export const NotOwnCard = ({ words: { impersonation, noRole }, entries, viewer, token, action }: AskingProps): Html => (
  <>
    <p>{impersonation.text({ person: viewer.displayName })}</p>
    <Form action={action} token={token}>
      <Hidden fields={entries} />
      <button class="primary" name="decision" value="deny">
        {noRole.back}
      </button>
    </Form>
  </>
);

/** Why a request leads nowhere: its client is not known, its address not registered, or what was kept of it is gone. */
export type Nowhere = NoDestination["reason"] | "invalid_request" | "request_over";

/** Tells somebody that nothing can be done for a request, and what to tell the makers of the app. */
export const UnknownCard = ({
  words: { unknown },
  reason,
  requestId,
  account,
}: {
  readonly words: IdpWords;
  readonly reason: Nowhere;
  readonly requestId: string;
  /** The page that is left to go to. */
  readonly account: string;
}): Html => (
  <>
    <p>{unknown[reason]}</p>
    {reason !== "request_over" && (
      <>
        <p class="soft">{unknown.advice}</p>
        <p class="reference">{unknown.reference({ id: requestId })}</p>
      </>
    )}
    <Aside href={account}>{unknown.toAccount}</Aside>
  </>
);

/** Sends an answer as a form (OAuth 2.0 Form Post Response Mode). */
export const SendingCard = ({
  words: { sending },
  answer,
}: {
  readonly words: IdpWords;
  readonly answer: Answer;
}): Html => (
  <FormElsewhere action={answer.to.redirectUri}>
    <Hidden fields={Object.entries(answer.params)} />
    <p>{sending.text}</p>
    <button class="primary">{sending.button}</button>
  </FormElsewhere>
);

export const SignOutCard = ({
  words: { signOut },
  client,
  action,
  stay,
  token,
  fields,
}: {
  readonly words: IdpWords;
  /** Who asks, where that is known. */
  readonly client: Client | undefined;
  readonly action: string;
  readonly stay: string;
  readonly token: string;
  readonly fields: Params["entries"];
}): Html => (
  <>
    <p>{client !== undefined && isChecked(client) ? signOut.text({ app: client.name }) : signOut.textUnknown}</p>
    <Form action={action} token={token}>
      <Hidden fields={fields} />
      <button class="primary">{signOut.yes}</button>
    </Form>
    <Aside href={stay}>{signOut.no}</Aside>
  </>
);

export const SignedOutCard = ({
  words: { signedOut },
  again,
}: {
  readonly words: IdpWords;
  readonly again: string;
}): Html => (
  <>
    <p>{signedOut.text}</p>
    <Aside href={again}>{signedOut.again}</Aside>
  </>
);
