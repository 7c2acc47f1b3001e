/** @jsxImportSource #html */
import type { FactorOverview, PageOwn } from "../../auth/index.ts";
import type { Terms } from "../../account/shared/terms.ts";
import { Act } from "../../http/pages/parts/form.tsx";
import { AppsSection, type ConnectedApp } from "../holdings/apps.pages.tsx";
import { TokensSection, type PersonalToken } from "../holdings/token.pages.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { DataSection, DeletionSection } from "./data.pages.tsx";
import { DevicesSection } from "./devices.pages.tsx";
import { ProfileSection } from "./profile.pages.tsx";
import { AtOnce, Opener, Row, Section } from "./section.tsx";
import { TermsSection } from "./terms.section.tsx";

export interface Account {
  readonly context: AccountContext;
  readonly factors: FactorOverview;
  readonly devices: Awaited<ReturnType<PageOwn["devices"]>>;
  /** Undefined where no program signs people in here. */
  readonly apps: readonly ConnectedApp[] | undefined;
  /** Undefined where people make no tokens. */
  readonly tokens: readonly PersonalToken[] | undefined;
  /** Whether the person may take the password off the account. */
  readonly canRemovePassword: boolean;
  /** The version of the terms that the person has yet to accept. */
  readonly termsDue: string | null;
  readonly terms: Terms;
}

type Props = Pick<Account, "context">;

/** An address that waits for its owner to open the link of a mail. */
const Unproven = ({ context }: Props) => {
  const { user, href, token, speech } = context;
  const { email } = speech.account;
  const { pendingEmail: pending } = user;
  if (user.emailVerifiedAt !== null && pending === null) return null;
  return (
    <div class="notice warning asking">
      {pending === null ? (
        <p>{email.unverifiedMeans}</p>
      ) : (
        <p>
          <strong>{email.waiting({ pending })}</strong> {email.waitingMeans({ current: user.email })}
        </p>
      )}
      <div class="buttons">
        <Act action={href(`${accountPath}/email/send`)} token={token}>
          {pending === null ? email.send : email.resend}
        </Act>
        {pending !== null && (
          <Act action={href(`${accountPath}/email/keep`)} token={token}>
            {email.keep}
          </Act>
        )}
      </div>
    </div>
  );
};

const AddressSection = ({ context }: Props) => {
  const { user, speech } = context;
  const { sections, email } = speech.account;
  const isProven = user.emailVerifiedAt !== null;
  const state = (
    <>
      <bdi>{user.email}</bdi>{" "}
      <span class={isProven ? "tag good" : "tag warning"}>{isProven ? email.verified : email.unverified}</span>
    </>
  );
  return (
    <Section id="email" title={sections.email} state={state}>
      {user.passwordHash === null ? (
        <p class="soft">{email.needsPassword}</p>
      ) : (
        <Opener context={context} path={`${accountPath}/email`}>
          {email.change}
        </Opener>
      )}
      <Unproven context={context} />
    </Section>
  );
};

const PasswordSection = ({ context, canRemovePassword }: Pick<Account, "context" | "canRemovePassword">) => {
  const { user, speech } = context;
  const { sections, password } = speech.account;
  if (user.passwordHash === null)
    return (
      <Section id="password" title={sections.password} state={password.none}>
        <AtOnce context={context} path={`${accountPath}/password/mail`}>
          {password.set}
        </AtOnce>
        <p class="soft">{password.setMeans}</p>
      </Section>
    );
  return (
    <Section id="password" title={sections.password} state={password.has}>
      <Opener context={context} path={`${accountPath}/password`}>
        {password.change}
      </Opener>
      {canRemovePassword && (
        <Opener context={context} path={`${accountPath}/password/remove`}>
          {password.remove}
        </Opener>
      )}
    </Section>
  );
};

const FactorsSection = ({ context, factors: { factors, recoveryCodesLeft } }: Pick<Account, "context" | "factors">) => {
  const { speech, twoStepPath } = context;
  const { section } = speech.words.factors;
  const isOn = factors.length > 0;
  const passkeys = factors.filter(({ method }) => method === "passkey");
  return (
    <Section id="factors" title={speech.account.sections.factors} state={isOn ? section.on : section.off}>
      <Opener context={context} path={twoStepPath}>
        {isOn ? speech.kit.change : section.app.setUp}
      </Opener>
      {isOn && (
        <ul class="rows">
          {factors.some(({ method }) => method === "totp") && <Row title={section.app.title} />}
          {passkeys.map(({ id, name }) => (
            <Row key={id} title={name ?? section.passkeys.title} />
          ))}
          <Row
            title={section.codes.title}
            about={recoveryCodesLeft === 0 ? section.codes.leftNone : section.codes.left({ count: recoveryCodesLeft })}
          />
        </ul>
      )}
    </Section>
  );
};

/** The sections in their order, as the list beside them names them. */
const sectionIds = [
  "profile",
  "email",
  "password",
  "factors",
  "sessions",
  "apps",
  "tokens",
  "data",
  "deletion",
] as const;

/** The account of the signed-in person: each section says its state before it offers a change. What belongs together is one group. */
export const AccountPage = (account: Account) => {
  const { context, factors, devices, apps, tokens, canRemovePassword } = account;
  const absent: readonly string[] = [
    ...(apps === undefined ? ["apps"] : []),
    ...(tokens === undefined ? ["tokens"] : []),
  ];
  const { sections } = context.speech.account;
  const { titles, acts } = context.speech.words;
  return context.page({
    title: titles.account,
    children: (
      <>
        <h1>{titles.account}</h1>
        <div class="sections">
          <nav aria-label={acts.onThisPage}>
            {sectionIds
              .filter((id) => !absent.includes(id))
              .map((id) => (
                <a key={id} href={`#${id}`}>
                  {sections[id]}
                </a>
              ))}
          </nav>
          <div class="column">
            <TermsSection {...account} />
            <div class="group card">
              <ProfileSection context={context} />
              <AddressSection context={context} />
            </div>
            <div class="group card">
              <PasswordSection context={context} canRemovePassword={canRemovePassword} />
              <FactorsSection context={context} factors={factors} />
            </div>
            <div class="group card">
              <DevicesSection context={context} devices={devices} />
              {apps !== undefined && <AppsSection context={context} apps={apps} />}
              {tokens !== undefined && <TokensSection context={context} tokens={tokens} />}
              <DataSection context={context} />
            </div>
            <div class="group card">
              <DeletionSection context={context} />
            </div>
          </div>
        </div>
      </>
    ),
  });
};
