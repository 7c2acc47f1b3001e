/** @jsxImportSource #html */
import { actionsInWords } from "../../../audit/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { actorInWords, actors, capitalised } from "../../frame/words.ts";
import type { Field, Filter } from "./filter.ts";

interface FaultProps {
  readonly filter: Filter;
  readonly name: Field;
}

/** Attributes that tell a screen reader of a field's fault. */
const faultOf = ({ filter: { faults }, name }: FaultProps) =>
  faults[name] === undefined ? {} : { "aria-invalid": "true", "aria-describedby": `${name}-below` };

const Fault = ({ filter: { faults }, name }: FaultProps) =>
  faults[name] === undefined ? null : (
    <p id={`${name}-below`} class="error" role="alert">
      {faults[name]}
    </p>
  );

interface InputProps {
  readonly filter: Filter;
  readonly name: Field;
  readonly label: string;
  readonly type?: string;
}

const Input = ({ filter, name, label, type = "text" }: InputProps) => (
  <div class={type === "text" ? "field" : "field wide"}>
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={filter.typed[name]}
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      {...faultOf({ filter, name })}
    />
    <Fault filter={filter} name={name} />
  </div>
);

interface ChoiceProps {
  readonly filter: Filter;
  readonly name: Field;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly words: string }[];
}

const Choice = ({ filter, name, label, choices }: ChoiceProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} {...faultOf({ filter, name })}>
      <option value="">Any</option>
      {choices.map(({ value, words }) => (
        <option key={value} value={value} selected={filter.typed[name] === value}>
          {words}
        </option>
      ))}
    </select>
    <Fault filter={filter} name={name} />
  </div>
);

/** The form of a search, sent by GET so that every search has an address. */
export const FilterForm = ({ context, filter }: { readonly context: StaffContext; readonly filter: Filter }) => (
  <form
    class="filters card"
    method="get"
    action={context.href("/audit")}
    role="search"
    aria-label="Search the audit log"
  >
    <Input filter={filter} name="person" label="Account" />
    <Choice
      filter={filter}
      name="action"
      label="What"
      choices={actionsInWords.map(({ action, words }) => ({ value: action, words }))}
    />
    <Choice
      filter={filter}
      name="outcome"
      label="Outcome"
      choices={[
        { value: "success", words: "Done" },
        { value: "failure", words: "Refused" },
      ]}
    />
    <Choice
      filter={filter}
      name="actor"
      label="Done by"
      choices={actors.map((value) => ({ value, words: capitalised(actorInWords(value)) }))}
    />
    <Input filter={filter} name="by" label="Member of staff" />
    <Input filter={filter} name="address" label="IP address" />
    <Input filter={filter} name="service" label="Service" />
    <Input filter={filter} name="from" label={`From (${context.times.zone})`} type="datetime-local" />
    <Input filter={filter} name="until" label={`Until (${context.times.zone})`} type="datetime-local" />
    {filter.typed.reason !== undefined && <input type="hidden" name="reason" value={filter.typed.reason} />}
    <div class="buttons">
      <button class="primary">Search</button>
      <a href={context.href("/audit")}>Show all</a>
    </div>
  </form>
);
