/** @jsxImportSource #html */
import { Table } from "../../../http/pages/parts/list.tsx";
import { Ago, AgoOrNever } from "../../frame/parts.tsx";
import { Chosen, type AboutPerson } from "../parts.tsx";

interface IdentitiesProps extends AboutPerson {
  readonly providerName: (provider: string) => string;
}

const kinds = { totp: "Authenticator app", passkey: "Passkey" } as const;

/** The second factors of the person. A passkey among them also signs in alone. */
const SecondStep = ({ context, person: { factors, recoveryCodesLeft } }: AboutPerson) => (
  <>
    <h3 id="second-step">Second step</h3>
    {factors.length === 0 ? (
      <p class="soft">None is set up.</p>
    ) : (
      <>
        <Table
          labelledBy="second-step"
          columns={["With", "Called", "Since", "Last used"]}
          rows={factors.map(({ method, name, addedAt, lastUsedAt }) => [
            kinds[method],
            name === null ? "" : <Chosen>{name}</Chosen>,
            <Ago at={addedAt} times={context.times} />,
            <AgoOrNever at={lastUsedAt} context={context} />,
          ])}
        />
        <p class="hint">
          {recoveryCodesLeft === 0
            ? "No recovery code is left: whoever loses the device has to have the second step reset."
            : `${recoveryCodesLeft === 1 ? "One recovery code is" : `${recoveryCodesLeft} recovery codes are`} left.`}
        </p>
      </>
    )}
  </>
);

/** The ways in which the person signs in. */
export const Identities = ({ context, person, providerName }: IdentitiesProps) => (
  <section>
    <h2 id="identities">Ways to sign in</h2>
    <Table
      labelledBy="identities"
      columns={["With", "As", "Since", "Last used"]}
      rows={[
        ["Password", person.hasPassword ? "set" : <span class="soft">none</span>, "", ""],
        ...person.identities.map(({ provider, email, username, linkedAt, lastLoginAt }) => [
          providerName(provider),
          email === null && username === null ? (
            <span class="soft">the provider gave no name</span>
          ) : (
            <Chosen>{email ?? username ?? ""}</Chosen>
          ),
          <Ago at={linkedAt} times={context.times} />,
          <AgoOrNever at={lastLoginAt} context={context} />,
        ]),
      ]}
    />
    <SecondStep context={context} person={person} />
  </section>
);
