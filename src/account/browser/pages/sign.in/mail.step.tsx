import { useSignal } from "@preact/signals";
import { lasting } from "../../../shared/in.words.ts";
import { useAccount } from "../../context.ts";
import { CodeForm } from "../../factors/code.form.tsx";
import { useForm } from "../../form.ts";
import { useSending } from "../../acts/sending.ts";
import { Outcome } from "../../parts/blocks.tsx";
import { Field } from "../../parts/fields.tsx";
import { Button, PageForm, Refusal } from "../../parts/form.tsx";
import { Page } from "../../parts/page.tsx";
import { useDestinationInWords } from "./ending.tsx";
import { kept } from "./ways.ts";
import { useEndOrLeave } from "./own.provider.tsx";

interface MailStepProps {
  /** The name that has been typed already. */
  readonly login: string;
  readonly onBack: () => void;
}

/** Signs in by a mail: asks for a name, then for the code in the mail. The answer is the same whether or not the account exists. */
export function MailStep(props: MailStepProps) {
  const sentTo = useSignal<string | undefined>(undefined);
  return sentTo.value === undefined ? (
    <Asking {...props} onSent={(to) => void (sentTo.value = to)} />
  ) : (
    <Sent {...props} login={sentTo.value} />
  );
}

function Back({ onBack }: Pick<MailStepProps, "onBack">) {
  const { signIn } = useAccount().words.value;
  return (
    <div class="aside">
      <Button kind="link" onClick={onBack}>
        {signIn.back}
      </Button>
    </div>
  );
}

function Asking({ login, onBack, onSent }: MailStepProps & { readonly onSent: (login: string) => void }) {
  const { words, client, router } = useAccount();
  const { factors, fields, titles } = words.value;
  const { byMail } = factors;
  const form = useForm({
    fields: [{ name: "login", label: fields.login }],
    async send(valueOf) {
      const to = valueOf("login").trim();
      const result = await client.requestEmailLogin({ login: to });
      if (!result.ok) return result;
      router.keepForMail();
      onSent(to);
      return result;
    },
  });
  return (
    <Page title={titles.emailLogin} subtitle={useDestinationInWords()}>
      <p class="soft">{byMail.lead}</p>
      <PageForm form={form} submit={byMail.submit}>
        <Field form={form} name="login" autocomplete="username" value={login} isFirst />
      </PageForm>
      <Back onBack={onBack} />
    </Page>
  );
}

function Sent({ login, onBack }: MailStepProps) {
  const { words, client, settings } = useAccount();
  const { factors, forgot, signIn } = words.value;
  const { sent } = factors.byMail;
  const end = useEndOrLeave();
  const outcome = useSignal("");
  const { send, ...progress } = useSending();
  const resend = (): void =>
    void send(
      () => client.requestEmailLogin({ login }),
      () => void (outcome.value = sent.resent),
    );
  return (
    <Page title={forgot.sent.title}>
      <p>{sent.lead({ login, duration: lasting(settings.mailSignIn?.ttlMs ?? 0, words.value) })}</p>
      <CodeForm
        id="mail"
        label={sent.label}
        submit={signIn.submit}
        wrong={sent.wrong}
        isNumber
        send={async (code) => end(kept(await client.confirmEmailLogin({ login, code }), "email"))}
      />
      <div class="others">
        <p class="soft">{forgot.sent.otherwise}</p>
        <Refusal progress={progress} />
        <Button kind="link" progress={progress} onClick={resend}>
          {sent.again}
        </Button>
        <Outcome text={outcome.value} />
      </div>
      <Back onBack={onBack} />
    </Page>
  );
}
