import type { Result } from "../../../../client/index.ts";
import { useSending } from "../../acts/sending.ts";
import { useChapter } from "../../context.ts";
import { Button, Refusal } from "../../parts/form.tsx";

interface MoreProps<Answer> {
  readonly pages: {
    readonly next: { readonly value: string | null };
    readonly ask: () => Promise<Result<Answer>>;
    readonly add: (answer: Answer) => void;
  };
}

/** Fetches the next page of a list, where there is one. */
export function More<Answer>({ pages }: MoreProps<Answer>) {
  const { more } = useChapter("organization").members;
  const { send, ...progress } = useSending();
  if (pages.next.value === null) return null;
  return (
    <div>
      <Refusal progress={progress} />
      <Button progress={progress} onClick={() => void send(pages.ask, pages.add)}>
        {more}
      </Button>
    </div>
  );
}
