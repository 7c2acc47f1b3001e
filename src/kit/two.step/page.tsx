/** @jsxImportSource #html */
import type { FactorOverview } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Act, Notice } from "../../http/pages/parts/form.tsx";
import type { PersonContext } from "../frame/context.ts";
import { Ago } from "../frame/parts.tsx";
import { around } from "../../words/index.ts";

interface TwoStepProps {
  readonly context: PersonContext;
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

const IsOn = ({ context }: Pick<TwoStepProps, "context">) => (
  <span class="tag good">{context.speech.words.factors.section.isOn}</span>
);

const App = ({ context, overview: { factors } }: TwoStepProps) => {
  const { href, token, twoStepPath: path, speech } = context;
  const { app } = speech.words.factors.section;
  const isSetUp = factors.some(({ method }) => method === "totp");
  return (
    <FactorCard title={app.title} tag={isSetUp && <IsOn context={context} />} about={app.about}>
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

const Codes = ({ context, overview: { recoveryCodesLeft: left } }: TwoStepProps) => {
  const { href, token, twoStepPath: path, speech } = context;
  const { codes } = speech.words.factors.section;
  return (
    <FactorCard
      title={codes.title}
      tag={
        <span class={left < 4 ? "tag warning" : "tag"}>
          {left === 0 ? codes.leftNone : codes.left({ count: left })}
        </span>
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
};

const Passkeys = ({ context, overview: { factors } }: TwoStepProps) => {
  const { href, times, token, twoStepPath: path, speech } = context;
  const { passkeys } = speech.words.factors.section;
  const made = factors.filter(({ method }) => method === "passkey");
  return (
    <FactorCard title={passkeys.title} tag={made.length > 0 && <IsOn context={context} />} about={passkeys.about}>
      {made.length > 0 && (
        <ul class="passkeys">
          {made.map(({ id, name, addedAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                <strong dir="auto">{name}</strong>
                <p class="hint">
                  {around(passkeys.since, { time: <Ago at={addedAt} times={times} /> })}
                  {" · "}
                  {lastUsedAt === null
                    ? passkeys.unused
                    : around(speech.account.identities.lastUsed, { time: <Ago at={lastUsedAt} times={times} /> })}
                </p>
              </div>
              <a
                class="button"
                href={href(`${path}/passkeys/${id}`)}
                aria-label={speech.kit.changeOf({ name: name ?? "" })}
              >
                {speech.kit.change}
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
  const { viewer, product, speech } = context;
  const { setup, section } = speech.words.factors;
  const title = speech.account.sections.factors;
  const children = (
    <>
      <h1>{title}</h1>
      <div class="two-step">
        {viewer.isFactorMissing ? (
          <Notice kind="warning">{setup.lead({ product })}</Notice>
        ) : (
          <p>{overview.factors.length > 0 ? section.on : section.off}</p>
        )}
        <App {...props} />
        <Passkeys {...props} />
        {overview.factors.length > 0 && <Codes {...props} />}
      </div>
    </>
  );
  return context.page({ title, children });
};
