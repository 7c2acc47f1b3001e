/** @jsxImportSource #html */
import { Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import { FormElsewhere, type Html } from "../../http/pages/jsx-runtime.ts";
import type { Browsing } from "../../auth/index.ts";
import type { Answer } from "../authorize/authorization.ts";
import type { NoDestination, AuthorizationRequest } from "../authorize/request.ts";
import { scopesOf } from "../client/client.ts";
import { placeOf } from "../client/redirect.uri.ts";
import type { Params } from "../protocol/params.ts";
import { scopes } from "../protocol/scopes.ts";
import type { IdpWords } from "./words.ts";

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

const isChecked = ({ client }: AuthorizationRequest): boolean => client.origin === "operator";

/** Asks whether a client may see what it asks for. It is named by what is registered of it, and never by what the request says. */
export const ConsentCard = ({ words, request, entries, viewer, token, action, otherAccount }: AskingProps): Html => {
  const { consent } = words;
  const wanted = scopesOf(request.scope);
  const decide = (decision: "allow" | "deny"): Params["entries"] => [...entries, ["decision", decision]];
  return (
    <>
      {!isChecked(request) && (
        <Notice kind="warning">
          <p>{consent.unchecked}</p>
        </Notice>
      )}
      {request.client.origin === "document" && <p class="host">{placeOf(request.client.id)}</p>}
      <p>{consent.wants}</p>
      <ul class="wants">
        {scopes
          .filter((scope) => wanted.includes(scope))
          .map((scope) => (
            <li key={scope}>{words.scopes[scope]}</li>
          ))}
      </ul>
      <p class="soft">{consent.leads(placeOf(request.redirectUri))}</p>
      <Form action={action} token={token}>
        <Hidden fields={decide("allow")} />
        <button class="primary">{consent.allow}</button>
      </Form>
      <Form action={action} token={token}>
        <Hidden fields={decide("deny")} />
        <button>{consent.deny}</button>
      </Form>
      <p class="soft">{consent.withdraw}</p>
      <p class="aside">
        {consent.as(viewer.displayName)} <a href={otherAccount}>{consent.other}</a>
      </p>
    </>
  );
};

/** Tells somebody that they may not use a client. */
export const NoRoleCard = ({ words: { noRole }, entries, viewer, token, action, otherAccount }: AskingProps): Html => (
  <>
    <p>{noRole.text(viewer.username)}</p>
    <Form action={action} token={token}>
      <Hidden fields={[...entries, ["decision", "deny"]]} />
      <button class="primary">{noRole.back}</button>
    </Form>
    <p class="aside">
      <a href={otherAccount}>{noRole.other}</a>
    </p>
  </>
);

/** Why a request leads nowhere: its client is not known, its address not registered, or what was kept of it is gone. */
export type Nowhere = NoDestination["reason"] | "invalid_request" | "request_over";

/** Tells somebody that nothing can be done for a request, and what to tell the makers of the app. */
export const UnknownCard = ({
  words: { unknown },
  reason,
  requestId,
}: {
  readonly words: IdpWords;
  readonly reason: Nowhere;
  readonly requestId: string;
}): Html => (
  <>
    <p>{unknown[reason]}</p>
    {reason !== "request_over" && (
      <>
        <p class="soft">{unknown.advice}</p>
        <p class="reference">{unknown.reference(requestId)}</p>
      </>
    )}
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
  action,
  stay,
  token,
  fields,
}: {
  readonly words: IdpWords;
  readonly action: string;
  readonly stay: string;
  readonly token: string;
  readonly fields: Params["entries"];
}): Html => (
  <>
    <p>{signOut.text}</p>
    <Form action={action} token={token}>
      <Hidden fields={fields} />
      <button class="primary">{signOut.yes}</button>
    </Form>
    <p class="aside">
      <a href={stay}>{signOut.no}</a>
    </p>
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
    <p class="aside">
      <a href={again}>{signedOut.again}</a>
    </p>
  </>
);
