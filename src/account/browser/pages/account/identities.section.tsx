import { useSignal } from "@preact/signals";
import type { Identity } from "../../../../client/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Card, Dated, Outcome } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { ProviderMark } from "../../parts/marks.tsx";
import { Awaited, type SectionProps } from "./section.tsx";

/** The linked providers, and those that could be linked. */
export function IdentitiesSection({ id, title, holdings }: SectionProps) {
  const identities = holdings.identities.value.value;
  return (
    <Card id={id} title={title} state={undefined}>
      {identities === undefined ? (
        <Awaited resource={holdings.identities} />
      ) : (
        <Identities identities={identities} onChange={holdings.identities.set} />
      )}
    </Card>
  );
}

const labelOf = ({ label, provider }: Identity): string => label ?? provider;

interface IdentitiesProps {
  readonly identities: readonly Identity[];
  readonly onChange: (identities: readonly Identity[]) => void;
}

function Identities({ identities, onChange }: IdentitiesProps) {
  const { settings } = useAccount();
  const { identities: say } = useChapter("account");
  const outcome = useSignal("");
  const others = settings.providers.filter(({ name }) => !identities.some(({ provider }) => provider === name));
  const unlinked = (identity: Identity): void => {
    outcome.value = say.unlinked({ label: labelOf(identity) });
    onChange(identities.filter(({ id }) => id !== identity.id));
  };
  return (
    <>
      <ul class="rows">
        {identities.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} onUnlinked={() => unlinked(identity)} />
        ))}
        {others.map(({ name, label }) => (
          <LinkRow key={name} provider={name} label={label} />
        ))}
      </ul>
      <Outcome text={outcome.value} />
    </>
  );
}

interface IdentityRowProps {
  readonly identity: Identity;
  readonly onUnlinked: () => void;
}

function IdentityRow({ identity, onUnlinked }: IdentityRowProps) {
  const label = labelOf(identity);
  const { client } = useAccount();
  const { identities: say } = useChapter("account");
  const { act, ...progress } = useActing();
  const unlink = (): void => void act(() => client.unlinkIdentity(identity.id), onUnlinked);
  const known = identity.username ?? identity.email;
  return (
    <li>
      <div class="about">
        <p class="provider">
          <ProviderMark name={identity.provider} />
          <strong>{label}</strong> {known !== null && <bdi>{known}</bdi>}
        </p>
        <p class="soft">
          {identity.label === null && `${say.unavailable} · `}
          <Dated say={say.linked} at={identity.linked_at} />
          {identity.last_login_at !== null && (
            <>
              {" · "}
              <Dated say={say.lastUsed} at={identity.last_login_at} />
            </>
          )}
        </p>
        <Refusal progress={progress} />
      </div>
      <Button progress={progress} label={say.unlinkOf({ label })} onClick={unlink}>
        {say.unlink}
      </Button>
    </li>
  );
}

/** The oldest proof that is good enough for a link. An older one would expire on the way to the provider. */
const provenWithinSeconds = 9 * 60;

function LinkRow({ provider, label }: { readonly provider: string; readonly label: string }) {
  const { client, router } = useAccount();
  const { identities: say } = useChapter("account");
  const { act, ...progress } = useActing();
  const link = (): void =>
    void act(
      () => client.verify({ max_age: provenWithinSeconds }),
      () => location.assign(client.startProviderLink(provider, `${router.href("/account")}#identities`)),
    );
  return (
    <li>
      <div class="about">
        <p class="provider">
          <ProviderMark name={provider} />
          <strong>{label}</strong> <span class="soft">{say.unlinkedYet}</span>
        </p>
        <Refusal progress={progress} />
      </div>
      <Button progress={progress} label={say.linkOf({ label })} onClick={link}>
        {say.link}
      </Button>
    </li>
  );
}
