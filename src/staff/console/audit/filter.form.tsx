/** @jsxImportSource #html */
import { actionsInWords } from "../../../audit/index.ts";
import { Choice, Fault, faultOf } from "../../../http/pages/parts/form.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { beginningUpper } from "../../../account/shared/in.words.ts";
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
  readonly context: StaffContext;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

const AnyChoice = ({ context, filter: { typed, faults }, name, label, choices }: AnyChoiceProps) => (
  <Choice
    name={name}
    label={label}
    value={typed[name]}
    options={[["", context.words.audit.filter.any], ...choices]}
    error={faults[name]}
  />
);

interface FilterFormProps {
  readonly context: StaffContext;
  readonly filter: Filter;
  /** Whether people belong to organizations. */
  readonly hasOrganizations: boolean;
}

/** The form of a search, sent by GET so that every search has an address. */
export const FilterForm = ({ context, filter, hasOrganizations }: FilterFormProps) => {
  const { href, words, speech, times } = context;
  const { filter: said } = words.audit;
  const choice = { context, filter };
  return (
    <form class="filters card" method="get" action={href("/audit")} role="search" aria-label={said.name}>
      <Input filter={filter} name="person" label={said.person} />
      <AnyChoice
        {...choice}
        name="action"
        label={said.action}
        choices={actionsInWords(words.reasons, speech.language).map((each) => [each.action, each.words])}
      />
      <AnyChoice
        {...choice}
        name="outcome"
        label={said.outcome}
        choices={[
          ["success", said.done],
          ["failure", said.refused],
        ]}
      />
      <AnyChoice
        {...choice}
        name="actor"
        label={said.actor}
        choices={Object.entries(words.reasons.actors).map(([actor, name]) => [actor, beginningUpper(name)])}
      />
      <Input filter={filter} name="by" label={said.by} />
      <Input filter={filter} name="address" label={said.address} />
      <Input filter={filter} name="service" label={said.service} />
      {hasOrganizations && <Input filter={filter} name="organization" label={said.organization} />}
      <Input filter={filter} name="from" label={said.from({ zone: times.zone })} type="datetime-local" />
      <Input filter={filter} name="until" label={said.until({ zone: times.zone })} type="datetime-local" />
      {filter.typed.reason !== undefined && <input type="hidden" name="reason" value={filter.typed.reason} />}
      <div class="buttons">
        <button class="primary">{said.search}</button>
        <a href={href("/audit")}>{said.all}</a>
      </div>
    </form>
  );
};
