import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

interface ContentsProps {
  readonly label: string;
  readonly sections: readonly (readonly [id: string, title: string])[];
}

/** The list of a page's sections at its side. It marks the one that the reader is at. */
export function Contents({ label, sections }: ContentsProps) {
  const current = useSignal(sections[0]?.[0]);
  const ids = sections.map(([id]) => id).join(" ");
  useEffect(() => {
    const look = (): void => void (current.value = whereOf(ids.split(" ")));
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("hashchange", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("hashchange", look);
    };
  }, [ids]);
  return (
    <nav aria-label={label}>
      {sections.map(([id, title]) => (
        <a key={id} href={`#${id}`} aria-current={current.value === id ? "true" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The share of the window's height above which a section counts as the one that is read. */
const readingLine = 0.3;

/** Returns the section that is read. Where a page can't be scrolled on to a section, the one of the address is. */
function whereOf(ids: readonly string[]): string | undefined {
  const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
  const named = location.hash.slice(1);
  const isAtEnd = scrollTop + clientHeight >= scrollHeight - 2;
  if (isAtEnd && ids.includes(named)) return named;
  const passed = ids.filter((id) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top <= clientHeight * readingLine;
  });
  return scrollTop === 0 ? ids[0] : (passed.at(-1) ?? ids[0]);
}
