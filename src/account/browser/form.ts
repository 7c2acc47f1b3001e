import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Failure, Result } from "../../client/index.ts";
import { troubleOf } from "./acts/connection.ts";
import { useWaiting } from "./acts/sending.ts";
import { useAccount } from "./context.ts";
import { faultInWords } from "../shared/in.words.ts";

export interface FormField<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly isOptional?: boolean;
  /** Returns the fault of a value before it is sent. */
  readonly judge?: (value: string) => string | undefined;
  /** Texts that replace the usual ones for faults and refusals, by code. */
  readonly says?: Readonly<Partial<Record<string, string>>>;
}

interface FormOptions<Name extends string, T> {
  /** Begins the ids of the fields; needed where a page has several forms. */
  readonly id?: string;
  /** The fields in their order. */
  readonly fields: readonly FormField<Name>[];
  /** Refusals that concern one field although the server names none, by code. */
  readonly blame?: Readonly<Partial<Record<Failure["code"], Name>>>;
  /** The field that a refusal empties, since it has to be typed again. */
  readonly forgets?: Name;
  /** Sends the values of the fields. */
  readonly send: (valueOf: (name: string) => string) => Promise<Result<T>>;
  /** Called on success. */
  readonly done?: (answer: { readonly ok: true } & T) => void;
}

export type FormState<Name extends string> = ReturnType<typeof useForm<Name, unknown>>;

/** Runs one form: reads its fields when it is sent, shows the fault of each, and moves the focus to the first fault. */
export function useForm<Name extends string, T>(options: FormOptions<Name, T>) {
  const { words, connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  const errors = useSignal<Errors<Name>>(new Map());
  const ref = useRef<HTMLFormElement>(null);

  useLayoutEffect(() => {
    const wrong = options.fields.find(({ name }) => errors.value.has(name));
    if (wrong !== undefined) inputOf(ref.current, wrong.name)?.focus();
  }, [errors.value]);

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const valueOf = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    refusal.value = undefined;
    errors.value = errorsBy(options.fields, ({ name, label, isOptional, judge, says }) => {
      const value = valueOf(name);
      if (value.trim() !== "") return judge?.(value);
      return isOptional === true ? undefined : (says?.["required"] ?? words.value.faults.required({ label }));
    });
    if (errors.value.size > 0) return;
    isBusy.value = true;
    const result = connection.heard(await options.send(valueOf));
    isBusy.value = false;
    if (result.ok) options.done?.(result);
    else if (troubleOf(result) === undefined) refuse(result);
  }

  /** Shows the faults that the server has named, or the refusal. */
  function refuse(failure: Failure): void {
    const { fields: faults = {}, code } = failure;
    const { blame = {} } = options;
    errors.value = errorsBy(options.fields, ({ name, label, says = {} }) => {
      const fault = faults[name]?.code ?? (blame[code] === name ? code : undefined);
      return fault && (says[fault] ?? faultInWords(words.value, fault, label));
    });
    if (errors.value.size > 0) return;
    refusal.value = failure;
    const forgotten = options.forgets && inputOf(ref.current, options.forgets);
    if (forgotten === undefined) return;
    forgotten.value = "";
    if (failure.retryAfterSeconds === undefined) forgotten.focus();
  }

  return {
    isBusy,
    refusal,
    waiting: useWaiting(refusal.value),
    ref,
    fieldOf: (name: Name) => options.fields.find((field) => field.name === name),
    /** The id of a field in the page. */
    idOf: (name: Name) => (options.id === undefined ? name : `${options.id}-${name}`),
    /** Returns the fault of a field as a sentence. */
    errorOf: (name: Name) => errors.value.get(name),
    /** Removes the fault of a field that is being edited, since it may no longer be true. */
    edited(name: Name): void {
      if (errors.value.has(name)) errors.value = new Map([...errors.value].filter(([other]) => other !== name));
    },
    /** Removes the refusal, so that the form may be sent again. */
    forgive: (): void => void (refusal.value = undefined),
    onSubmit(event: TargetedSubmitEvent<HTMLFormElement>): void {
      event.preventDefault();
      if (!isBusy.value) void submit(event.currentTarget);
    },
  };
}

/** Field → its fault as a sentence. */
type Errors<Name extends string> = ReadonlyMap<Name, string>;

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

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}
