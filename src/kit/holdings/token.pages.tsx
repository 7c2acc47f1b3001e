/** @jsxImportSource #html */
import type { PageOwn } from "../../auth/index.ts";
import { around } from "../../words/index.ts";
import { accountPath, type AccountContext } from "../account/context.ts";
import { Opener, Section } from "../account/section.tsx";
import { ConfirmPage } from "../frame/confirm.page.tsx";
import { Ago, Moment } from "../frame/parts.tsx";

export type PersonalToken = Awaited<ReturnType<PageOwn["tokens"]>>[number];

export const tokensPath = `${accountPath}/tokens`;

interface TokensProps {
  readonly context: AccountContext;
  readonly tokens: readonly PersonalToken[];
}

/** The tokens for scripts of one's own, each with the way to end it. */
export const TokensSection = ({ context, tokens }: TokensProps) => {
  const { sections, tokens: say } = context.speech.account;
  const { times } = context;
  return (
    <Section
      id="tokens"
      title={sections.tokens}
      state={tokens.length === 0 ? say.stateNone : say.state({ count: tokens.length })}
    >
      {tokens.length > 0 && (
        <ul class="rows">
          {tokens.map((token) => (
            <li key={token.id}>
              <div class="about">
                <p>
                  <strong>
                    <bdi>{token.name}</bdi>
                  </strong>
                </p>
                <p class="soft">
                  {around(say.since, { time: <Ago at={token.createdAt} times={times} /> })} ·{" "}
                  {token.lastUsedAt === null
                    ? say.unused
                    : around(say.used, { time: <Ago at={token.lastUsedAt} times={times} /> })}
                </p>
                <p class="soft">{around(say.until, { time: <Moment at={token.expiresAt} times={times} /> })}</p>
              </div>
              <Opener context={context} path={`${tokensPath}/${token.id}/revoke`} label={say.revokeOf(token)}>
                {say.revoke}
              </Opener>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

interface RevokeProps {
  readonly context: AccountContext;
  readonly token: PersonalToken;
}

/** Asks once before a token ends. */
export const RevokePage = ({ context, token }: RevokeProps) => {
  const { revokeTitle, revokeMeans, revoke } = context.speech.account.tokens;
  return (
    <ConfirmPage
      context={context}
      title={revokeTitle(token)}
      action={`${tokensPath}/${token.id}/revoke`}
      label={revoke}
      cancel={accountPath}
    >
      <p>{revokeMeans}</p>
    </ConfirmPage>
  );
};
