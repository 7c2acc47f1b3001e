/**
 * Does all of the work at once. The first that fails aborts the signal of the others, and is thrown once they have ended: nothing goes on
 * behind the caller's back.
 */
export async function allOrNone(
  signal: AbortSignal | undefined,
  works: readonly ((signal: AbortSignal) => Promise<void> | undefined)[],
): Promise<void> {
  const ended = new AbortController();
  const each = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(each);
      } catch (error) {
        failure ??= { error };
        ended.abort(error);
      }
    }),
  );
  if (failure !== undefined) throw failure.error;
}
