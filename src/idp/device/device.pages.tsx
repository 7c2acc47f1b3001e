/** @jsxImportSource #html */
import { deviceLabel } from "../../auth/index.ts";
import { minute, type Millis } from "../../core/clock.ts";
import { Aside, Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { Client } from "../client/client.ts";
import { Decision, Wanted } from "../pages/pages.tsx";
import type { IdpWords } from "../pages/frame.tsx";
import { disclosedBy, type Waiting } from "./devices.ts";

interface CodeProps {
  readonly words: IdpWords;
  readonly typed: string;
  /** Whether the code came with the address, as by a QR code, and nobody has typed it. */
  readonly isThere: boolean;
  readonly error?: string | undefined;
  readonly token: string;
  readonly action: string;
  /** The sign-in page, for somebody who wants to go on with another account. */
  readonly otherAccount: string;
}

/** Asks for the code that a device shows. A code that came with the address is there already. */
export const CodeCard = ({
  words: { device, consent },
  typed,
  isThere,
  error,
  token,
  action,
  otherAccount,
}: CodeProps) => (
  <>
    <p>{isThere ? device.compare : device.enter}</p>
    <Form action={action} token={token}>
      <Field
        name="user_code"
        label={device.code}
        type="text"
        autocomplete="off"
        value={typed}
        hint={device.hint}
        error={error}
        maxLength={64}
        autofocus
      />
      <button class="primary">{device.goOn}</button>
    </Form>
    <Aside href={otherAccount}>{consent.other}</Aside>
  </>
);

interface AskingProps {
  readonly words: IdpWords;
  readonly client: Client;
  readonly waiting: Waiting;
  readonly code: string;
  readonly token: string;
  readonly action: string;
  /** The sign-in page, for somebody who wants to go on with another account. */
  readonly otherAccount: string;
  readonly now: Millis;
}

/** Asks whether a device may go on, which may be a stranger's: the page says where it is and what it shows. */
export const AskingCard = ({ words, client, waiting, code, token, action, otherAccount, now }: AskingProps): Html => {
  const { consent, device } = words;
  const { row } = waiting;
  const label = deviceLabel(row.userAgent);
  return (
    <>
      <p>{device.same}</p>
      <p class="user-code">{code}</p>
      <dl class="asked">
        <dt>{device.with}</dt>
        <dd>{label === "Unknown device" ? device.unknown : label}</dd>
        <dt>{device.from}</dt>
        <dd>
          <bdi>{row.address}</bdi>
        </dd>
        <dt>{device.when}</dt>
        <dd>
          {Math.max(0, Math.floor((now - row.createdAt) / minute)) === 0
            ? device.agoNone
            : device.ago({ count: Math.max(0, Math.floor((now - row.createdAt) / minute)) })}
        </dd>
      </dl>
      <Wanted words={words} client={client} at={undefined} disclosed={disclosedBy(waiting)} />
      <Form action={action} token={token}>
        <Hidden fields={[["user_code", code]]} />
        <Decision words={words} />
      </Form>
      <Aside href={otherAccount}>{consent.other}</Aside>
    </>
  );
};

export const AnsweredCard = ({
  words: { device },
  text,
  again,
}: {
  readonly words: IdpWords;
  readonly text: string;
  readonly again: string;
}): Html => (
  <>
    <p>{text}</p>
    <Aside href={again}>{device.another}</Aside>
  </>
);
