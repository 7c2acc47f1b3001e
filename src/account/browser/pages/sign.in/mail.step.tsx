import { useSignal } from "@preact/signals";
import { lasting } from "../../../shared/lasting.ts";
import { useAccount } from "../../context.ts";
import { CodeForm } from "../../factors/code.form.tsx";
import { useForm } from "../../form.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/form/field.tsx";
import { Form } from "../../parts/form/form.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { Page } from "../../parts/page.tsx";
import { Refusal } from "../../parts/form/refusal.tsx";
import { useSending } from "../../acts/sending.ts";
import { useWaiting } from "../../acts/waiting.ts";
import { useDestinationInWords } from "./destination.ts";
import { useEndSignIn } from "./ending.ts";
import type { Step } from "./step.ts";

interface MailStepProps {
  /** The name that has been typed already. */
  readonly login: string;
  readonly onStep: (next: Step) => void;
}

/** Signs in by a mail: asks for a name, then for the code in the mail. The answer is the same whether or not the account exists. */
export function MailStep({ login, onStep }: MailStepProps) {
  const sentTo = useSignal<string | undefined>(undefined);
  const props = { login, onStep };
  return sentTo.value === undefined ? (
    <Asking {...props} onSent={(to) => void (sentTo.value = to)} />
  ) : (
    <Sent {...props} login={sentTo.value} />
  );
}

function Back({ onStep }: Pick<MailStepProps, "onStep">) {
  const { byMail } = useAccount().words.value.factors;
  return (
    <div class="aside">
      <Button kind="link" onClick={() => onStep({ name: "credentials" })}>
        {byMail.back}
      </Button>
    </div>
  );
}

function Asking({ login, onStep, onSent }: MailStepProps & { readonly onSent: (login: string) => void }) {
  const { words, client } = useAccount();
  const { factors, fields } = words.value;
  const { byMail } = factors;
  const form = useForm({
    fields: [{ name: "login", label: fields.login }],
    async send(valueOf) {
      const to = valueOf("login").trim();
      const result = await client.requestEmailLogin({ login: to });
      if (result.ok) onSent(to);
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Page kind="entry" title={byMail.title} subtitle={useDestinationInWords()}>
      <p class="soft">{byMail.lead}</p>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Form state={form}>
        <Field form={form} name="login" label={fields.login} autocomplete="username" value={login} isFirst />
        <Button kind="primary" isBusy={form.isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0}>
          {byMail.submit}
        </Button>
      </Form>
      <Back onStep={onStep} />
    </Page>
  );
}

function Sent({ login, onStep }: MailStepProps) {
  const { words, client, settings } = useAccount();
  const { sent } = words.value.factors.byMail;
  const end = useEndSignIn();
  const outcome = useSignal("");
  const { isBusy, refusal, send } = useSending(() => false);
  const waiting = useWaiting(refusal.value);
  const resend = (): void =>
    void send(
      () => client.requestEmailLogin({ login }),
      () => void (outcome.value = sent.resent),
    );
  return (
    <Page kind="entry" title={sent.title}>
      <p>{sent.lead(login, lasting(settings.mailSignIn?.ttlMs ?? 0, words.value))}</p>
      <CodeForm
        id="mail"
        label={sent.label}
        submit={sent.submit}
        wrong={sent.wrong}
        isNumber
        send={async (code) => end(await client.confirmEmailLogin({ login, code }))}
      />
      <div class="others">
        <p class="soft">{sent.otherwise}</p>
        <Refusal failure={refusal.value} waiting={waiting} />
        <Button kind="link" isBusy={isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0} onClick={resend}>
          {sent.again}
        </Button>
        <Outcome text={outcome.value} />
      </div>
      <Back onStep={onStep} />
    </Page>
  );
}
