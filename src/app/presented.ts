/** Forms in which programs get accounts and invitations, by the API and by commands alike. */
export { presentIdentity, presentInvitation, presentPerson, presentSession, presentSummary } from "../backend/index.ts";
