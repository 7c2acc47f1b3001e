import type { FactorAnswer, Passkey, PasskeyRequestOptions, Result } from "../../../client/index.ts";
import { canUsePasskeys, createPasskey, getPasskey } from "../../../client/passkeys.ts";
import { useActing, useSending, type Progress } from "../acts/sending.ts";
import { useAccount } from "../context.ts";
import { Notice } from "../parts/blocks.tsx";
import { Buttons, Refusal } from "../parts/form.tsx";
import { PasskeyMark } from "../parts/marks.tsx";

/** Whether this browser can use the passkeys of this service. They belong to a domain, and a browser uses them elsewhere only where the service lists it. */
export function usePasskeySupport(): boolean {
  const { passkeyDomain, relatedOrigins } = useAccount().settings;
  const { hostname, origin } = location;
  // An IP address is no domain (Web Authentication, 5.1.3).
  const isDomain = !/^[\d.]+$|^\[/.test(hostname);
  const isNamed = `.${hostname}`.endsWith(`.${passkeyDomain}`) || relatedOrigins.includes(origin);
  return canUsePasskeys() && isDomain && isNamed;
}

/** Has the browser make a passkey, and adds it to the account. The service names the passkey. */
export function useAddingPasskey(onAdded: (passkey: Passkey) => void): Progress & { add(): void } {
  const { client } = useAccount();
  const { act, ...progress } = useActing();
  async function make(): Promise<Result<{ passkey: Passkey }>> {
    const asked = await client.getPasskeyCreationOptions();
    const made = asked.ok ? await createPasskey(asked.options) : asked;
    return made.ok ? client.addPasskey({ credential: made.credential }) : made;
  }
  return { ...progress, add: () => void act(make, ({ passkey }) => onAdded(passkey)) };
}

interface PasskeyFormProps {
  readonly submit: string;
  readonly getOptions: () => Promise<Result<{ passkey_options?: PasskeyRequestOptions }>>;
  readonly send: (answer: FactorAnswer) => Promise<Result>;
  readonly onCancel?: (() => void) | undefined;
}

/** Has the browser ask for a passkey. */
export function PasskeyForm({ submit, getOptions, send: verify, onCancel }: PasskeyFormProps) {
  const { send, ...progress } = useSending();
  const use = (): void =>
    void send(async () => {
      const asked = await getOptions();
      const given = asked.ok ? await getPasskey(asked.passkey_options) : asked;
      return given.ok ? verify({ method: "passkey", credential: given.credential }) : given;
    });
  return (
    <>
      <PasskeyRefusal progress={progress} />
      <Buttons kind="primary" isFirst progress={progress} onClick={use} onCancel={onCancel}>
        <PasskeyMark />
        {submit}
      </Buttons>
    </>
  );
}

/** Says why a passkey was refused, which is no code that somebody has typed. */
export function PasskeyRefusal({ progress }: { readonly progress: Progress }) {
  const { factors } = useAccount().words.value;
  return /^invalid_c(?:ode|redentials)$/.test(progress.refusal.value?.code ?? "") ? (
    <Notice kind="danger">{factors.passkey.unknown}</Notice>
  ) : (
    <Refusal progress={progress} />
  );
}

/** Says why no passkey of the account can be used, and what to do. `isElsewhere`: all of them belong to another domain. */
export function StuckWords({ isElsewhere }: { readonly isElsewhere: boolean }) {
  const { settings, words } = useAccount();
  const { elsewhere, unsupported, help } = words.value.factors.stuck;
  return (
    <>
      <p>{isElsewhere ? elsewhere({ product: settings.product }) : unsupported}</p>
      <p>{help({ product: settings.product })}</p>
    </>
  );
}
