// oxlint-disable import/no-unassigned-import -- what is imported here is used elsewhere
// Modules that the pages of a signed-in person share. Each of these pages imports this one, so that the modules become one file together.
import "./acts/roles.ts";
import "./pages/account/section.tsx";
import "./parts/contents.tsx";
import "./parts/leaving.tsx";
import "./parts/opening.tsx";
