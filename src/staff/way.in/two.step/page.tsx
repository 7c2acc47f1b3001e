/** @jsxImportSource #html */
import type { FactorOverview } from "../../../auth/index.ts";
import { languages } from "../../../account/shared/words/index.ts";
import { Act } from "../../../http/pages/parts/form.tsx";
import { Notice } from "../../../http/pages/parts/notice.tsx";
import { twoStepPath as path, type StaffContext } from "../../frame/context.ts";
import { Ago } from "../../frame/moment.tsx";
import { StaffPage } from "../../frame/page.tsx";

const words = languages.en.factors;
const { app, codes, passkeys } = words.section;

interface TwoStepProps {
  readonly context: StaffContext;
  readonly overview: FactorOverview;
}

const App = ({ context: { href, token }, overview: { factors } }: TwoStepProps) => {
  const isOn = factors.some(({ method }) => method === "totp");
  return (
    <section class="card">
      <h2>
        {app.title} {isOn && <span class="tag good">{words.section.isOn}</span>}
      </h2>
      <p class="soft">{app.about}</p>
      {isOn ? (
        <a class="button" href={href(`${path}/app/remove`)}>
          {app.remove}…
        </a>
      ) : (
        <Act action={href(`${path}/app`)} token={token} isPrimary={factors.length === 0}>
          {app.setUp}
        </Act>
      )}
    </section>
  );
};

const Codes = ({ context: { href, token }, overview: { factors, recoveryCodesLeft: left } }: TwoStepProps) =>
  factors.length === 0 ? null : (
    <section class="card">
      <h2>
        {codes.title} <span class={left < 4 ? "tag warning" : "tag"}>{codes.left(left)}</span>
      </h2>
      <p class="soft">
        {codes.about} {left === 0 ? codes.none : left < 4 ? codes.few : ""}
      </p>
      {left === 0 ? (
        <Act action={href(`${path}/codes`)} token={token} isPrimary>
          {codes.make}
        </Act>
      ) : (
        <a class="button" href={href(`${path}/codes`)}>
          {codes.renew}…
        </a>
      )}
    </section>
  );

const Passkeys = ({ context: { href, times, token }, overview: { factors } }: TwoStepProps) => {
  const made = factors.filter(({ method }) => method === "passkey");
  return (
    <section class="card">
      <h2>
        {passkeys.title} {made.length > 0 && <span class="tag good">{words.section.isOn}</span>}
      </h2>
      <p class="soft">{passkeys.about}</p>
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
                      {passkeys.lastUsed} <Ago at={lastUsedAt} times={times} />
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
    </section>
  );
};

/** The second factors of the viewer, and those that can be set up. */
export const TwoStepPage = (props: TwoStepProps) => {
  const { context, overview } = props;
  const { viewer, frame } = context;
  const isOn = overview.factors.length > 0;
  return (
    <StaffPage context={context} title="Two-step sign-in">
      <h1>Two-step sign-in</h1>
      <div class="two-step">
        {viewer.isFactorMissing ? (
          <Notice kind="warning">{words.setup.lead(frame.product)}</Notice>
        ) : (
          <p>{isOn ? words.section.on : words.section.off}</p>
        )}
        <App {...props} />
        <Passkeys {...props} />
        <Codes {...props} />
      </div>
    </StaffPage>
  );
};
