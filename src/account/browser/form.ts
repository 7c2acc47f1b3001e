import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { RefObject, TargetedSubmitEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Failure, Result } from "../../client/index.ts";
import type { Words } from "../shared/words/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "./context.ts";
import { faultInWords } from "../shared/faults.ts";

interface FormField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly isOptional?: boolean;
  /** Says what is wrong with what was typed, before it is sent. */
  readonly judge?: (value: string) => string | undefined;
  /** What to say of the server's faults and refusals, by their code, in place of the usual words. */
  readonly says?: Readonly<Partial<Record<string, string>>>;
}

interface FormOptions<Name extends string> {
  /** Where a page has several forms: begins the ids of the fields of this one. */
  readonly id?: string;
  /** The fields in their order. */
  readonly fields: readonly FormField<Name>[];
  /** Codes of refusals that are about one field, though the server names none. */
  readonly blame?: Readonly<Partial<Record<Failure["code"], Name>>>;
  /** A field that is emptied by a refusal, since it has to be typed again. */
  readonly forgets?: Name;
  /** Sends what was typed. */
  readonly send: (valueOf: (name: string) => string) => Promise<Result>;
}

export interface FormState<Name extends string> {
  readonly isBusy: ReadonlySignal<boolean>;
  /** The id of a field in the page. */
  idOf(name: Name): string;
  /** A refusal that is about no single field. */
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** What is wrong with a field, as a sentence. */
  errorOf(name: Name): string | undefined;
  /** To be called when a field is edited: what was said about it may no longer be true. */
  edited(name: Name): void;
  /** To be called when what was refused may be tried again. */
  forgive(): void;
  readonly onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
  readonly ref: RefObject<HTMLFormElement | null>;
}

/** One form: reads its fields when it is sent, says what is wrong with each, and leads to the first of those. */
export function useForm<Name extends string>(options: FormOptions<Name>): FormState<Name> {
  const { words, connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  const errors = useSignal<Errors<Name>>(new Map());
  const ref = useRef<HTMLFormElement>(null);

  useLayoutEffect(() => {
    const wrong = options.fields.find(({ name }) => errors.value.has(name));
    if (wrong !== undefined) fieldOf(ref.current, wrong.name)?.focus();
  }, [errors.value]);

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const valueOf = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    refusal.value = undefined;
    errors.value = findErrors(options, valueOf, words.value);
    if (errors.value.size > 0) return;
    isBusy.value = true;
    const result = connection.heard(await options.send(valueOf));
    isBusy.value = false;
    if (!result.ok && troubleOf(result) === undefined) refuse(result);
  }

  function refuse(failure: Failure): void {
    errors.value = errorsOf(failure, options, words.value);
    if (errors.value.size > 0) return;
    refusal.value = failure;
    const forgotten = options.forgets && fieldOf(ref.current, options.forgets);
    if (forgotten === undefined) return;
    forgotten.value = "";
    if (failure.retryAfterSeconds === undefined) forgotten.focus();
  }

  return {
    isBusy,
    refusal,
    ref,
    idOf: (name) => (options.id === undefined ? name : `${options.id}-${name}`),
    errorOf: (name) => errors.value.get(name),
    edited(name) {
      if (errors.value.has(name)) errors.value = new Map([...errors.value].filter(([other]) => other !== name));
    },
    forgive: () => void (refusal.value = undefined),
    onSubmit(event) {
      event.preventDefault();
      if (!isBusy.value) void submit(event.currentTarget);
    },
  };
}

/** What is wrong with which field, as sentences. */
type Errors<Name extends string> = ReadonlyMap<Name, string>;

/** What can be said before anything is sent. */
function findErrors<Name extends string>(
  { fields }: FormOptions<Name>,
  valueOf: (name: string) => string,
  words: Words,
): Errors<Name> {
  return errorsBy(fields, ({ name, label, isOptional, judge }) => {
    const value = valueOf(name);
    if (value.trim() !== "") return judge?.(value);
    return isOptional === true ? undefined : words.faults.required(label);
  });
}

/** What the server has said. */
function errorsOf<Name extends string>(
  { fields: faults = {}, code }: Failure,
  { fields, blame = {} }: FormOptions<Name>,
  words: Words,
): Errors<Name> {
  return errorsBy(fields, ({ name, label, says = {} }) => {
    const fault = faults[name]?.code ?? (blame[code] === name ? code : undefined);
    return fault && (says[fault] ?? faultInWords(words, fault, label));
  });
}

const errorsBy = <Name extends string>(
  fields: readonly FormField<Name>[],
  errorOf: (field: FormField<Name>) => string | undefined,
): Errors<Name> =>
  new Map(
    fields.flatMap((field) => {
      const error = errorOf(field);
      return error === undefined ? [] : [[field.name, error] as const];
    }),
  );

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}
