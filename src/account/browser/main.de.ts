import { german } from "../shared/words/de.ts";
import { start } from "./start.tsx";

void start({ language: "de", words: german });
