// oxlint-disable import/no-unassigned-import -- what is imported here is used elsewhere
// Modules that several pages need become part of the script, so that a page is one more file and not a chain of files.
import "./factors/recovery.codes.tsx";
import "./factors/totp.setup.tsx";
import "./acts/holdings.ts";
import "./pages/account/proof.dialog.tsx";
import "./pages/sign.in/ending.tsx";
import "./pages/sign.in/leaving.ts";
import "./pages/sign.in/providers.tsx";
import "./parts/terms.tsx";
import "../shared/in.words.ts";
