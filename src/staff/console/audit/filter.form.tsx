/** @jsxImportSource #html */
import { actionsInWords } from "../../../audit/index.ts";
import { Choice, Fault, faultOf } from "../../../http/pages/parts/form.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { actorInWords, actors, capitalised } from "../../frame/words.ts";
import type { Field, Filter } from "./filter.ts";

interface InputProps {
  readonly filter: Filter;
  readonly name: Field;
  readonly label: string;
  readonly type?: string;
}

const Input = ({ filter: { typed, faults }, name, label, type = "text" }: InputProps) => (
  <div class={type === "text" ? "field" : "field wide"}>
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={typed[name]}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      {...faultOf(name, faults[name])}
    />
    <Fault name={name} error={faults[name]} />
  </div>
);

interface AnyChoiceProps extends Omit<InputProps, "type"> {
  readonly choices: readonly (readonly [value: string, label: string])[];
}

const AnyChoice = ({ filter: { typed, faults }, name, label, choices }: AnyChoiceProps) => (
  <Choice name={name} label={label} value={typed[name]} options={[["", "Any"], ...choices]} error={faults[name]} />
);

const outcomes = [
  ["success", "Done"],
  ["failure", "Refused"],
] as const;

interface FilterFormProps {
  readonly context: StaffContext;
  readonly filter: Filter;
  /** Whether people belong to organizations. */
  readonly hasOrganizations: boolean;
}

/** The form of a search, sent by GET so that every search has an address. */
export const FilterForm = ({ context, filter, hasOrganizations }: FilterFormProps) => (
  <form
    class="filters card"
    method="get"
    action={context.href("/audit")}
    role="search"
    aria-label="Search the audit log"
  >
    <Input filter={filter} name="person" label="Account" />
    <AnyChoice
      filter={filter}
      name="action"
      label="What"
      choices={actionsInWords.map(({ action, words }) => [action, words])}
    />
    <AnyChoice filter={filter} name="outcome" label="Outcome" choices={outcomes} />
    <AnyChoice
      filter={filter}
      name="actor"
      label="Done by"
      choices={actors.map((actor) => [actor, capitalised(actorInWords(actor))])}
    />
    <Input filter={filter} name="by" label="Member of staff" />
    <Input filter={filter} name="address" label="IP address" />
    <Input filter={filter} name="service" label="Service" />
    {hasOrganizations && <Input filter={filter} name="organization" label="Organization" />}
    <Input filter={filter} name="from" label={`From (${context.times.zone})`} type="datetime-local" />
    <Input filter={filter} name="until" label={`Until (${context.times.zone})`} type="datetime-local" />
    {filter.typed.reason !== undefined && <input type="hidden" name="reason" value={filter.typed.reason} />}
    <div class="buttons">
      <button class="primary">Search</button>
      <a href={context.href("/audit")}>Show all</a>
    </div>
  </form>
);
