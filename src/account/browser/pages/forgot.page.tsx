import { useSignal } from "@preact/signals";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Field } from "../parts/fields.tsx";
import { Button, PageForm } from "../parts/form.tsx";
import { Page } from "../parts/page.tsx";
import { lasting } from "../../shared/in.words.ts";

interface Asked {
  readonly login: string;
  /** The token, where the app answers with it instead of mailing it. */
  readonly token: string | undefined;
}

/** Asks for a reset mail. The answer is the same whether or not the account exists. */
export function ForgotPage() {
  const asked = useSignal<Asked | undefined>(undefined);
  return asked.value === undefined ? (
    <Asking onAsked={(value) => void (asked.value = value)} />
  ) : (
    <Answer {...asked.value} onAgain={() => void (asked.value = undefined)} />
  );
}

function Asking({ onAsked }: { readonly onAsked: (asked: Asked) => void }) {
  const { words, client, router } = useAccount();
  const { fields, forgot, signIn, titles } = words.value;
  const form = useForm({
    fields: [{ name: "login", label: fields.login }],
    async send(valueOf) {
      const login = valueOf("login").trim();
      const result = await client.requestPasswordReset({ login });
      if (!result.ok) return result;
      router.keepForMail();
      onAsked({ login, token: result.reset_token });
      return result;
    },
  });
  return (
    <Page title={titles.forgotPassword}>
      <p class="soft">{forgot.lead}</p>
      <PageForm form={form} submit={forgot.submit}>
        <Field form={form} name="login" autocomplete="username" isFirst />
      </PageForm>
      <p class="aside">
        <a href={router.onward("/login")}>{signIn.back}</a>
      </p>
    </Page>
  );
}

function Answer({ login, token, onAgain }: Asked & { readonly onAgain: () => void }) {
  const { words, router, settings } = useAccount();
  const { forgot, signIn } = words.value;
  const { title, lead, validity, otherwise, again, local, open } = forgot.sent;
  return (
    <Page title={title}>
      {token === undefined ? (
        <>
          <p>{lead({ login })}</p>
          <p>{validity({ duration: lasting(settings.links.resetMs, words.value) })}</p>
          <p class="soft">{otherwise}</p>
        </>
      ) : (
        <>
          <p>{local}</p>
          <a class="button primary" href={router.href("/reset-password", { token })}>
            {open}
          </a>
        </>
      )}
      <Button onClick={onAgain}>{again}</Button>
      <p class="aside">
        <a href={router.onward("/login")}>{signIn.back}</a>
      </p>
    </Page>
  );
}
