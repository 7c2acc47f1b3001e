import { useMemo, useRef } from "preact/hooks";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { PasskeyRefusal } from "../../factors/passkeys.tsx";
import { Notice } from "../../parts/blocks.tsx";
import { Check, Field, PasswordField } from "../../parts/fields.tsx";
import { PageForm } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import { useDestinationInWords } from "./ending.tsx";
import { OtherWays } from "./other.ways.tsx";
import { useEndOrLeave, useOwnProvider } from "./own.provider.tsx";
import { usePasskeySignIn } from "./passkey.sign.in.ts";
import { ProviderError } from "./providers.tsx";
import { kept, waysAround } from "./ways.ts";

interface CredentialsStepProps {
  readonly onUnverified: () => void;
  /** Called with the name that has been typed already. */
  readonly onMail: (login: string) => void;
}

const longestHint = 320;

function useCredentials(onUnverified: () => void) {
  const { words, client, pages } = useAccount();
  const { fields } = words.value;
  const end = useEndOrLeave();
  return useForm({
    fields: [
      { name: "login", label: fields.login },
      { name: "password", label: fields.password },
    ],
    forgets: "password",
    async send(valueOf) {
      pages.expect("/account");
      const remember = valueOf("remember") !== "";
      const named = { login: valueOf("login"), password: valueOf("password"), remember };
      const result = kept(await client.login(named), "password");
      if (!result.ok && result.code === "email_not_verified") onUnverified();
      return end(result);
    },
  });
}

/** The first step of a sign-in: a name and a password, a passkey, a mail, or a provider. */
export function CredentialsStep({ onUnverified, onMail }: CredentialsStepProps) {
  const { words, router, session, settings } = useAccount();
  const { fields, signIn, titles } = words.value;
  const form = useCredentials(onUnverified);
  // The name of who comes, where the app knows it.
  const hint = router.place.value.query.get("login_hint")?.slice(0, longestHint) ?? "";
  const login = useRef(hint);
  const own = useOwnProvider();
  const passkey = usePasskeySignIn(
    () => form.ref.current?.querySelector<HTMLInputElement>("[name=remember]")?.checked === true,
  );
  const farewell = session.farewell.value;
  const ways = useMemo(() => waysAround(settings.ways), []);
  const { last } = ways;
  const isFirst = ways.before.length === 0;
  const sendMail = (): void => onMail(login.current);

  return (
    <Page title={titles.signIn} subtitle={useDestinationInWords()}>
      <ProviderError />
      {farewell !== undefined && form.refusal.value === undefined && <Notice>{signIn.farewell[farewell]}</Notice>}
      <PasskeyRefusal progress={passkey} />
      <OtherWays ways={ways.before} {...{ last, passkey }} onMail={sendMail} />
      {ways.form && !isFirst && <p class="or soft">{signIn.or}</p>}
      {ways.form && (
        <PageForm form={form} submit={signIn.submit}>
          <div onFocusOut={() => void own.look(login.current.trim())}>
            <Field
              form={form}
              name="login"
              autocomplete="username webauthn"
              value={hint}
              isFirst={isFirst && hint === ""}
              onInput={(value) => {
                login.current = value;
                // Another name has a lock of its own.
                form.forgive();
              }}
            />
          </div>
          {own.offer}
          <PasswordField form={form} name="password" isFirst={isFirst && hint !== ""} />
          <div class="row">
            <Check name="remember" label={fields.remember} />
            <a href={router.onward("/forgot-password")}>{signIn.forgot}</a>
          </div>
        </PageForm>
      )}
      {ways.after.some((way) => way !== "passkey" || passkey.isPossible) && <p class="or soft">{signIn.or}</p>}
      <OtherWays ways={ways.after} {...{ last, passkey }} onMail={sendMail} />
      {settings.registration.isOpen && (
        <p class="aside">
          {signIn.newHere} <a href={router.onward("/register")}>{signIn.register}</a>
        </p>
      )}
    </Page>
  );
}
