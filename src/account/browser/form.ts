import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { RefObject, TargetedSubmitEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Failure, Result } from "../../client/index.ts";
import { troubleOf } from "./connection.ts";
import { useAccount } from "./context.ts";
import { faultInWords } from "./faults.ts";

interface FormOptions<Name extends string> {
  /** The fields in their order. */
  readonly fields: readonly { readonly name: Name; readonly label: string; readonly isOptional?: boolean }[];
  /** Sends what was typed. */
  readonly send: (valueOf: (name: Name) => string) => Promise<Result>;
}

export interface FormState<Name extends string> {
  readonly isBusy: ReadonlySignal<boolean>;
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
export function useForm<Name extends string>({ fields, send }: FormOptions<Name>): FormState<Name> {
  const { words, connection } = useAccount();
  const isBusy = useSignal(false);
  const refusal = useSignal<Failure | undefined>(undefined);
  const errors = useSignal<ReadonlyMap<Name, string>>(new Map());
  const ref = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const wrong = fields.find(({ name }) => errors.value.has(name));
    if (wrong !== undefined) focusField(ref.current, wrong.name);
  }, [errors.value]);

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const valueOf = (name: Name): string => {
      const value = data.get(name);
      return typeof value === "string" ? value : "";
    };
    const missing = fields.filter(({ name, isOptional }) => isOptional !== true && valueOf(name).trim() === "");
    refusal.value = undefined;
    errors.value = new Map(missing.map(({ name, label }) => [name, words.value.faults.required(label)]));
    if (missing.length > 0) return;
    isBusy.value = true;
    const result = connection.heard(await send(valueOf));
    isBusy.value = false;
    if (!result.ok && troubleOf(result) === undefined) refuse(result);
  }

  function refuse(failure: Failure): void {
    errors.value = new Map(
      fields.flatMap(({ name, label }) => {
        const fault = failure.fields?.[name];
        return fault === undefined ? [] : [[name, faultInWords(words.value, fault, label)] as const];
      }),
    );
    if (errors.value.size === 0) refusal.value = failure;
  }

  return {
    isBusy,
    refusal,
    ref,
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

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.focus();
}
