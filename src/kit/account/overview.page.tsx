/** @jsxImportSource #html */
import type { FactorOverview, PageOwn } from "../../auth/index.ts";
import type { Terms } from "../../account/shared/terms.ts";
import { Act } from "../../http/pages/parts/form.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { DataSection } from "./data.pages.tsx";
import { DevicesSection } from "./devices.pages.tsx";
import { ProfileSection } from "./profile.pages.tsx";
import { Row, Section } from "./section.tsx";
import { TermsSection } from "./terms.section.tsx";

export interface Account {
  readonly context: AccountContext;
  readonly factors: FactorOverview;
  readonly devices: Awaited<ReturnType<PageOwn["devices"]>>;
  /** The version of the terms that the person has yet to accept. */
  readonly termsDue: string | null;
  readonly terms: Terms;
}

type Props = Pick<Account, "context">;

const AddressSection = ({ context }: Props) => {
  const { user, href, token, speech } = context;
  const { sections, email } = speech.account;
  const isProven = user.emailVerifiedAt !== null;
  const { pendingEmail: pending } = user;
  return (
    <Section
      id="email"
      title={sections.email}
      state={
        <>
          <bdi>{user.email}</bdi>{" "}
          <span class={isProven ? "tag good" : "tag warning"}>{isProven ? email.verified : email.unverified}</span>
        </>
      }
      act={
        user.passwordHash !== null && (
          <a class="button" href={href(`${accountPath}/email`)}>
            {email.change}
          </a>
        )
      }
    >
      {pending !== null && (
        <div class="notice">
          <p>
            <strong>{email.waiting({ pending })}</strong>
          </p>
          <p>{email.waitingMeans({ current: user.email })}</p>
          <div class="buttons">
            <Act action={href(`${accountPath}/email/send`)} token={token}>
              {email.resend}
            </Act>
            <Act action={href(`${accountPath}/email/keep`)} token={token}>
              {email.keep}
            </Act>
          </div>
        </div>
      )}
      {!isProven && pending === null && (
        <>
          <p class="soft">{email.unverifiedMeans}</p>
          <Act action={href(`${accountPath}/email/send`)} token={token}>
            {email.send}
          </Act>
        </>
      )}
      {user.passwordHash === null && <p class="soft">{email.needsPassword}</p>}
    </Section>
  );
};

const PasswordSection = ({ context: { user, href, token, speech } }: Props) => {
  const { sections, password } = speech.account;
  const hasPassword = user.passwordHash !== null;
  return (
    <Section
      id="password"
      title={sections.password}
      state={hasPassword ? password.has : password.none}
      act={
        hasPassword ? (
          <a class="button" href={href(`${accountPath}/password`)}>
            {password.change}
          </a>
        ) : (
          <Act action={href(`${accountPath}/password/mail`)} token={token}>
            {password.set}
          </Act>
        )
      }
    >
      {!hasPassword && <p class="soft">{password.setMeans}</p>}
    </Section>
  );
};

const FactorsSection = ({ context, factors: { factors, recoveryCodesLeft } }: Pick<Account, "context" | "factors">) => {
  const { href, speech, twoStepPath } = context;
  const { section } = speech.words.factors;
  const isOn = factors.length > 0;
  const passkeys = factors.filter(({ method }) => method === "passkey");
  return (
    <Section
      id="factors"
      title={speech.account.sections.factors}
      state={isOn ? section.on : section.off}
      act={
        <a class="button" href={href(twoStepPath)}>
          {isOn ? speech.kit.change : section.app.setUp}
        </a>
      }
    >
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

const sectionIds = ["profile", "email", "password", "factors", "sessions", "data"] as const;

/** The account of the signed-in person: each section says its state before it offers a change. */
export const AccountPage = (account: Account) => {
  const { context, factors, devices } = account;
  const { sections } = context.speech.account;
  const { titles, acts } = context.speech.words;
  return context.page({
    title: titles.account,
    children: (
      <>
        <h1>{titles.account}</h1>
        <div class="sections">
          <nav aria-label={acts.onThisPage}>
            {sectionIds.map((id) => (
              <a key={id} href={`#${id}`}>
                {sections[id]}
              </a>
            ))}
          </nav>
          <div class="column">
            <TermsSection {...account} />
            <ProfileSection context={context} />
            <AddressSection context={context} />
            <PasswordSection context={context} />
            <FactorsSection context={context} factors={factors} />
            <DevicesSection context={context} devices={devices} />
            <DataSection context={context} />
          </div>
        </div>
      </>
    ),
  });
};
