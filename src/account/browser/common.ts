// oxlint-disable import/no-unassigned-import -- what is imported here is used elsewhere
// Modules that several pages need become part of the script, so that a page is one more file and not a chain of files.
import "./factors/adding.ts";
import "./factors/recovery.codes.tsx";
import "./factors/totp.setup.tsx";
import "./acts/holdings.ts";
import "./pages/account/proof.dialog.tsx";
import "./pages/sign.in/ending.ts";
import "./pages/sign.in/providers.tsx";
import "./pages/sign.in/provider.error.tsx";
import "./parts/form/check.tsx";
import "./parts/dead.link.tsx";
import "./parts/form/form.buttons.tsx";
import "./parts/marks/mail.mark.tsx";
import "./parts/form/new.password.field.tsx";
import "./parts/outcome.tsx";
import "./parts/skeleton.tsx";
import "../shared/lasting.ts";
