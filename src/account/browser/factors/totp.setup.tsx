import type { Result, TotpSetup } from "../../../client/index.ts";
import { useAccount } from "../context.ts";
import { useCopying } from "../acts/copying.ts";
import { Outcome } from "../parts/blocks.tsx";
import { Button } from "../parts/form.tsx";
import { CodeForm } from "./code.form.tsx";

interface TotpSetupFormProps {
  readonly setup: TotpSetup;
  /** Called with the new recovery codes once the app is set up. */
  readonly onDone: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Hands the secret to an authenticator app, and asks for a code to show that it has arrived. */
export function TotpSetupForm({ setup, onDone, onCancel }: TotpSetupFormProps) {
  const { words, client, proof } = useAccount();
  const { section, ways } = words.value.factors;
  const { isPossible, outcome, copy } = useCopying();
  async function confirm(code: string): Promise<Result> {
    const result = await proof.prove(() => client.confirmTotp({ code }));
    if (result.ok) onDone(result.recovery_codes);
    return result;
  }
  return (
    <div class="setup">
      <p tabIndex={-1}>{section.app.scan}</p>
      {/* An image element isolates the content of the picture, which can do nothing to the page. */}
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
        alt={section.app.picture}
        width={208}
        height={208}
      />
      <p>
        <a href={setup.otpauth_uri}>{section.app.here}</a>
      </p>
      <p>{section.app.typed}</p>
      <div class="secret">
        <code>{grouped(setup.secret)}</code>
        {isPossible && <Button onClick={() => copy(setup.secret, section.app.copied)}>{section.app.copy}</Button>}
      </div>
      <Outcome text={outcome.value} />
      <CodeForm
        id="totp"
        label={section.app.label}
        submit={section.app.submit}
        wrong={ways.totp.wrong}
        isNumber
        isLater
        send={confirm}
        onCancel={onCancel}
      />
    </div>
  );
}

/** Writes the secret in groups of four, which are easier to type. */
const grouped = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(" ");
