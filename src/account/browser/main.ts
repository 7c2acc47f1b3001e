import type { English } from "../../words/english/index.ts";
import { start } from "./start.tsx";

/** The server puts the words of the page's language before this script. */
declare const GATEHOUSE_WORDS: { readonly language: string; readonly messages: English["pages"] };

void start(GATEHOUSE_WORDS);
