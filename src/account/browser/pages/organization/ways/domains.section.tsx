import { useSignal } from "@preact/signals";
import type { OrganizationDomain } from "../../../../../client/index.ts";
import { useActing } from "../../../acts/sending.ts";
import { useAccount, useChapter } from "../../../context.ts";
import { useForm } from "../../../form.ts";
import { Card, Outcome } from "../../../parts/blocks.tsx";
import { Field, Select } from "../../../parts/fields.tsx";
import { Button, InnerForm, Refusal } from "../../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../../parts/opening.tsx";
import { Awaited, Question } from "../../account/section.tsx";
import { Copyable } from "./copyable.tsx";
import type { WaysProps } from "./ways.ts";

/** The domains of an organization, with the record that proves each, and who joins by it. */
export function DomainsSection({ title, ways }: WaysProps) {
  const { domains: say } = useChapter("ways");
  const outcome = useSignal("");
  const form = useOpening();
  const { value: domains } = ways.domains.value;
  const added = (domain: OrganizationDomain): void => {
    form.close();
    outcome.value = say.added({ domain: domain.domain });
    ways.put(domain);
  };
  return (
    <Card
      id="domains"
      title={title}
      state={domains && (ways.provenCount() === 0 ? say.stateNone : say.state({ count: ways.provenCount() }))}
    >
      <OpeningForm opening={form} label={say.add} onOpen={() => void (outcome.value = "")}>
        <AddingForm ways={ways} onAdded={added} onCancel={form.close} />
      </OpeningForm>
      {domains === undefined && <Awaited resource={ways.domains} />}
      <Outcome text={outcome.value} />
      {domains !== undefined && domains.length > 0 && (
        <ul class="rows">
          {domains.map((domain) => (
            <DomainRow key={domain.id} ways={ways} domain={domain} onOutcome={(text) => void (outcome.value = text)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface RowProps extends Pick<WaysProps, "ways"> {
  readonly domain: OrganizationDomain;
  readonly onOutcome: (text: string) => void;
}

function DomainRow({ ways, domain, onOutcome }: RowProps) {
  const { words, client } = useAccount();
  const { remove, domains: say } = useChapter("ways");
  const asked = useOpening();
  const name = domain.domain;
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>{" "}
          <span class={domain.verified ? "tag good" : "tag warning"}>
            {domain.verified ? say.proven : domain.lost_at === null ? say.open : say.lost}
          </span>
        </p>
        {domain.verified && <p class="soft">{say.joins[domain.join]}</p>}
      </div>
      <Button label={say.removeOf({ domain: name })} onClick={asked.open}>
        {remove}
      </Button>
      <div class="whole">
        {domain.verified ? (
          <JoinForm ways={ways} domain={domain} onOutcome={onOutcome} />
        ) : (
          <Proof ways={ways} domain={domain} onOutcome={onOutcome} />
        )}
      </div>
      {asked.isOpen.value && (
        <Question
          title={say.removeTitle({ domain: name })}
          submit={remove}
          cancel={words.value.acts.cancel}
          ask={() => client.removeDomain(ways.id, domain.id)}
          onDone={() => {
            ways.drop(domain);
            onOutcome(say.removed({ domain: name }));
          }}
          onClose={asked.close}
        >
          <p>{say.removeMeans}</p>
        </Question>
      )}
    </li>
  );
}

/** The record that proves a domain, and the button that has it looked for. */
function Proof({ ways, domain, onOutcome }: RowProps) {
  const { client } = useAccount();
  const { domains: say } = useChapter("ways");
  const { act, ...progress } = useActing();
  const verify = (): void =>
    void act(
      () => client.verifyDomain(ways.id, domain.id),
      (answer) => {
        ways.put(answer.domain);
        onOutcome(say.verified({ domain: domain.domain }));
      },
    );
  return (
    <div class="setup">
      <p>
        {say.lead} {say.type}
      </p>
      <Copyable label={say.name} text={domain.record.name} />
      <Copyable label={say.value} text={domain.record.value} />
      <Refusal progress={progress} />
      <div class="buttons">
        <Button progress={progress} label={say.verifyOf({ domain: domain.domain })} onClick={verify}>
          {say.verify}
        </Button>
      </div>
    </div>
  );
}

const modes = ["none", "invite", "auto"] as const;

function JoinForm({ ways, domain, onOutcome }: RowProps) {
  const { words, client } = useAccount();
  const { domains: say } = useChapter("ways");
  const opening = useOpening();
  const form = useForm({
    id: `join-${domain.id}`,
    fields: [{ name: "join", label: say.join }],
    send: (valueOf) =>
      client.updateDomain(ways.id, domain.id, { join: modes.find((mode) => mode === valueOf("join")) ?? "none" }),
    done(answer) {
      opening.close();
      ways.put(answer.domain);
      onOutcome(say.changed({ domain: domain.domain }));
    },
  });
  return (
    <OpeningForm opening={opening} label={say.change} onOpen={() => onOutcome("")}>
      <InnerForm form={form} submit={words.value.acts.save} onCancel={opening.close}>
        <Select
          form={form}
          name="join"
          value={domain.join}
          options={modes.map((mode) => ({ value: mode, label: say.modes[mode] }))}
        />
      </InnerForm>
    </OpeningForm>
  );
}

interface AddingProps extends Pick<WaysProps, "ways"> {
  readonly onAdded: (domain: OrganizationDomain) => void;
  readonly onCancel: () => void;
}

function AddingForm({ ways, onAdded, onCancel }: AddingProps) {
  const { client } = useAccount();
  const { domains: say, refusals } = useChapter("ways");
  const form = useForm({
    id: "domain",
    fields: [
      { name: "domain", label: say.domain, says: { domain_taken: refusals.domain_taken, invalid_value: say.fault } },
    ],
    blame: { domain_taken: "domain" },
    send: (valueOf) => client.addDomain(ways.id, { domain: valueOf("domain").trim() }),
    done: ({ domain }) => onAdded(domain),
  });
  return (
    <InnerForm form={form} submit={say.submit} onCancel={onCancel}>
      <Field form={form} name="domain" autocomplete="off" hint={say.hint} isFirst />
    </InnerForm>
  );
}
