/** @jsxImportSource #html */
import { english } from "../../../words/index.ts";
import type { FactorOverview } from "../../../auth/index.ts";
import { inEnglish } from "../../frame/words.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Act, Notice } from "../../../http/pages/parts/form.tsx";
import { twoStepPath as path, type StaffContext } from "../../frame/context.ts";
import { Ago } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";

const words = inEnglish.factors;
const { app, codes, passkeys } = words.section;

interface TwoStepProps {
  readonly context: StaffContext;
  readonly overview: FactorOverview;
}

interface FactorCardProps {
  readonly title: string;
  /** A word about the state, beside the title. */
  readonly tag: Children;
  readonly about: string;
  readonly children: Children;
}

const FactorCard = ({ title, tag, about, children }: FactorCardProps) => (
  <section class="card">
    <h2>
      {title} {tag}
    </h2>
    <p class="soft">{about}</p>
    {children}
  </section>
);

const isOn = <span class="tag good">{words.section.isOn}</span>;

const App = ({ context: { href, token }, overview: { factors } }: TwoStepProps) => {
  const isSetUp = factors.some(({ method }) => method === "totp");
  return (
    <FactorCard title={app.title} tag={isSetUp && isOn} about={app.about}>
      {isSetUp ? (
        <a class="button" href={href(`${path}/app/remove`)}>
          {app.remove}…
        </a>
      ) : (
        <Act action={href(`${path}/app`)} token={token} isPrimary={factors.length === 0}>
          {app.setUp}
        </Act>
      )}
    </FactorCard>
  );
};

const Codes = ({ context: { href, token }, overview: { recoveryCodesLeft: left } }: TwoStepProps) => (
  <FactorCard
    title={codes.title}
    tag={
      <span class={left < 4 ? "tag warning" : "tag"}>{left === 0 ? codes.leftNone : codes.left({ count: left })}</span>
    }
    about={`${codes.about} ${left === 0 ? codes.none : left < 4 ? codes.few : ""}`}
  >
    {left === 0 ? (
      <Act action={href(`${path}/codes`)} token={token} isPrimary>
        {codes.make}
      </Act>
    ) : (
      <a class="button" href={href(`${path}/codes`)}>
        {codes.renew}…
      </a>
    )}
  </FactorCard>
);

const Passkeys = ({ context: { href, times, token }, overview: { factors } }: TwoStepProps) => {
  const made = factors.filter(({ method }) => method === "passkey");
  return (
    <FactorCard title={passkeys.title} tag={made.length > 0 && isOn} about={passkeys.about}>
      {made.length > 0 && (
        <ul class="passkeys">
          {made.map(({ id, name, addedAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                <strong dir="auto">{name}</strong>
                <p class="hint">
                  {passkeys.since} <Ago at={addedAt} times={times} />,{" "}
                  {lastUsedAt === null ? (
                    passkeys.unused
                  ) : (
                    <>
                      {english.account.identities.lastUsed} <Ago at={lastUsedAt} times={times} />
                    </>
                  )}
                </p>
              </div>
              <a class="button" href={href(`${path}/passkeys/${id}`)} aria-label={`Change ${name ?? ""}`}>
                Change…
              </a>
            </li>
          ))}
        </ul>
      )}
      <Act action={href(`${path}/passkeys`)} token={token} isPrimary={factors.length === 0}>
        {passkeys.add}
      </Act>
    </FactorCard>
  );
};

/** The second factors of the viewer, and those that can be set up. */
export const TwoStepPage = (props: TwoStepProps) => {
  const { context, overview } = props;
  const { viewer, frame } = context;
  return (
    <StaffPage context={context} title="Two-step sign-in">
      <h1>Two-step sign-in</h1>
      <div class="two-step">
        {viewer.isFactorMissing ? (
          <Notice kind="warning">{words.setup.lead({ product: frame.mark.product })}</Notice>
        ) : (
          <p>{overview.factors.length > 0 ? words.section.on : words.section.off}</p>
        )}
        <App {...props} />
        <Passkeys {...props} />
        {overview.factors.length > 0 && <Codes {...props} />}
      </div>
    </StaffPage>
  );
};
