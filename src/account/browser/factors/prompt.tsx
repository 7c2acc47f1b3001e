import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FactorAnswer, FactorName, PasskeyRequestOptions, Result } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { PasswordField } from "../parts/fields.tsx";
import { Button, InnerForm } from "../parts/form.tsx";
import { CodeForm } from "./code.form.tsx";
import { PasskeyForm } from "./passkeys.tsx";

/** A way to prove one's identity. */
export type Way = FactorName | "password";

/** A proof in one of the ways: the body of `/login/verify` and of `/reauthenticate`. */
export type Shown = FactorAnswer | { readonly current_password: string };

/** Ways in the order of their use: the easiest first, the hardest to replace last. */
const order: readonly Way[] = ["passkey", "password", "totp", "recovery_code"];

interface PromptProps {
  /** The beginning of the fields' ids. */
  readonly id: string;
  readonly ways: readonly Way[];
  readonly submit: string;
  readonly getPasskeyOptions: () => Promise<Result<{ passkey_options?: PasskeyRequestOptions }>>;
  readonly send: (shown: Shown) => Promise<Result>;
  readonly onCancel?: (() => void) | undefined;
}

/** Asks for a proof of identity in one way, with the other ways a click away. */
export function Prompt({ ways, ...props }: PromptProps) {
  const { settings, words } = useAccount();
  const say = words.value.factors.ways;
  const [easiest = "recovery_code", ...others] = order.filter((way) => ways.includes(way));
  const chosen = useSignal(easiest);
  const way = ways.includes(chosen.value) ? chosen.value : easiest;
  const ref = useRef<HTMLDivElement>(null);
  const shown = useRef(way);
  useLayoutEffect(() => {
    if (shown.current === way) return;
    shown.current = way;
    ref.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, [way]);
  return (
    <div ref={ref} class="prompt">
      <p>{way === "totp" ? say.totp.lead({ product: settings.product }) : say[way].lead}</p>
      <Asked key={way} way={way} {...props} />
      {others.length > 0 && (
        <div class="others">
          <p class="soft">{say.others}</p>
          {[easiest, ...others]
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} kind="link" onClick={() => void (chosen.value = other)}>
                {say[other].name}
              </Button>
            ))}
        </div>
      )}
    </div>
  );
}

function Asked({ way, id, submit, getPasskeyOptions, send, onCancel }: Omit<PromptProps, "ways"> & { way: Way }) {
  const { ways } = useAccount().words.value.factors;
  const form = { id, submit, onCancel };
  switch (way) {
    case "passkey":
      return <PasskeyForm submit={ways.passkey.name} getOptions={getPasskeyOptions} send={send} onCancel={onCancel} />;
    case "password":
      return <PasswordForm {...form} send={(secret) => send({ current_password: secret })} />;
    case "totp":
    case "recovery_code":
      return (
        <CodeForm
          {...form}
          label={ways[way].label}
          wrong={ways[way].wrong}
          isNumber={way === "totp"}
          send={(code) => send({ method: way, code })}
        />
      );
  }
}

interface PasswordFormProps extends Pick<PromptProps, "id" | "submit" | "onCancel"> {
  readonly send: (password: string) => Promise<Result>;
}

/** Asks for the password once more. */
function PasswordForm({ id, submit, send, onCancel }: PasswordFormProps) {
  const { currentPassword } = useAccount().words.value.acts;
  const form = useForm({
    id,
    fields: [{ name: "current_password", label: currentPassword }],
    blame: { invalid_credentials: "current_password" },
    send: (valueOf) => send(valueOf("current_password")),
  });
  return (
    <InnerForm form={form} submit={submit} onCancel={onCancel}>
      <PasswordField form={form} name="current_password" isFirst />
    </InnerForm>
  );
}
