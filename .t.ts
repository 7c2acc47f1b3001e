import { englishTable } from "./src/words/tables.ts";
for (const [k,v] of Object.entries(englishTable)) if(!k.startsWith("mails")) console.log(JSON.stringify(k)+": "+JSON.stringify(v)+",");
