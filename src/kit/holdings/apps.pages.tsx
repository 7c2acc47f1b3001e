/** @jsxImportSource #html */
import { heldInWords } from "../../account/shared/apps.ts";
import type { Client, Viewer } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";
import { Hidden } from "../../http/pages/parts/form.tsx";
import { withQuery } from "../../http/pages/parts/list.tsx";
import { around } from "../../words/index.ts";
import { accountPath, type AccountContext } from "../account/context.ts";
import { Opener, Section } from "../account/section.tsx";
import { ConfirmPage } from "../frame/confirm.page.tsx";
import { Ago } from "../frame/parts.tsx";

/** A program that the person has let in by the account. */
export interface ConnectedApp {
  readonly id: string;
  readonly name: string;
  readonly scopes: Iterable<string>;
  readonly resources: Iterable<string>;
  readonly grantedAt: Millis;
  /** Null where it holds no session. */
  readonly lastUsedAt: Millis | null;
}

/** What programs hold for people. */
export interface ConnectedApps {
  list(userId: string): Promise<readonly ConnectedApp[]>;
  /** Takes back what a person has let a program have. Throws `client_not_found` where that is nothing. */
  revoke(session: Viewer["session"], clientId: string, client: Client): Promise<void>;
}

export const appEndPath = `${accountPath}/apps/end`;

interface AppsProps {
  readonly context: AccountContext;
  readonly apps: readonly ConnectedApp[];
}

/** The programs that the person has let in, each with the way to end that. */
export const AppsSection = ({ context, apps }: AppsProps) => {
  const { sections, apps: say } = context.speech.account;
  const { times, speech } = context;
  return (
    <Section
      id="apps"
      title={sections.apps}
      state={apps.length === 0 ? say.stateNone : say.state({ count: apps.length })}
    >
      {apps.length > 0 && (
        <ul class="rows">
          {apps.map((app) => (
            <li key={app.id}>
              <div class="about">
                <p>
                  <strong>
                    <bdi>{app.name}</bdi>
                  </strong>
                </p>
                <p>{heldInWords(app, say, speech.words.tag)}</p>
                <p class="soft">
                  {around(say.since, { time: <Ago at={app.grantedAt} times={times} /> })} ·{" "}
                  {app.lastUsedAt === null
                    ? say.signedOut
                    : around(say.lastUsed, { time: <Ago at={app.lastUsedAt} times={times} /> })}
                </p>
              </div>
              <Opener context={context} path={withQuery(appEndPath, { app: app.id })} label={say.endOf(app)}>
                {say.end}
              </Opener>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

interface EndAppProps {
  readonly context: AccountContext;
  readonly app: ConnectedApp;
}

/** Asks once before a program is signed out. */
export const EndAppPage = ({ context, app }: EndAppProps) => {
  const { endTitle, endMeans, end } = context.speech.account.apps;
  return (
    <ConfirmPage
      context={context}
      title={endTitle(app)}
      action={appEndPath}
      input={<Hidden fields={[["app", app.id]]} />}
      label={end}
      cancel={accountPath}
    >
      <p>{endMeans}</p>
    </ConfirmPage>
  );
};
