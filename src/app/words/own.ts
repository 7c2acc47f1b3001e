export { isLanguage, languageMeant, readWordsFile } from "../../words/own/read.ts";
export { slotsOf } from "../../words/own/slots.ts";
