import { english } from "../shared/words/en.ts";
import { start } from "./start.tsx";

void start({ language: "en", words: english });
