import { mailsOfLinks } from "./mails.links.ts";
import { mailsOfOrganizations } from "./mails.organizations.ts";

/** The words of mails. A mail has the parts that it has here, in every language. */
export const mails = {
  greeting: { named: "Hello {name},", plain: "Hello," },
  labels: { passkey: "Passkey", when: "When", device: "Device", address: "IP address" },
  unknownDevice: "Unknown device",
  unknownTeam: "a team",
  unknownStaff: "Our support",
  copy: "If the button does not work, open this address:",
  footer: "{product} sent you this mail because it is about the security of your account. It sends no advertising.",
  letters: {
    ...mailsOfLinks,
    ...mailsOfOrganizations,
    password_changed: {
      subject: "Your password for {product} was changed",
      lead: "The password of your {product} account was changed. Every other device was signed out.",
      button: "Reset the password",
      otherwise: "If this was you, all is well. If it was not, reset the password at once.",
    },
    password_removed: {
      subject: "The password was removed from your account with {product}",
      lead: "Your {product} account is opened by its passkeys alone from now on. Its password no longer signs in, and every other device was signed out.",
      button: "Reset the password",
      otherwise: "If this was you, all is well. If it was not, reset the password at once, and look at your passkeys.",
    },
    password_reset: {
      subject: "Your password for {product} was reset",
      lead: "The password of your {product} account was reset with a link from a mail. Every device was signed out.",
      button: "Reset the password",
      otherwise:
        "If this was you, all is well. If it was not, somebody can read your mail: secure the mailbox first, then reset the password again.",
    },
    first_password_chosen: {
      subject: "Your account with {product} has a password now",
      lead: "The first password of your {product} account was chosen with a link from a mail. You sign in with it from now on.",
      button: "Reset the password",
      otherwise:
        "If this was you, all is well. If it was not, somebody can read your mail: secure the mailbox first, then reset the password.",
    },
    email_change_requested: {
      subject: "Your email address for {product} is to be changed",
      lead: "Somebody who is signed in to your {product} account asked to move it to another email address. It moves once that address is confirmed.",
      button: "Stop the change",
      validity:
        "You can stop it until {until}. Every device is then signed out, and you get a mail to choose a new password.",
      otherwise:
        "If this was you, there is nothing to do. If it was not, stop the change now: somebody knows your password.",
    },
    email_changed: {
      subject: "Your email address for {product} was changed",
      lead: "Your {product} account has moved to another email address. This one no longer belongs to it.",
      button: "Take the change back",
      validity:
        "You can take it back until {until}. Every device is then signed out, and you get a mail to choose a new password.",
      otherwise: "If this was you, there is nothing to do. If it was not, take the change back now.",
    },
    refresh_reused: {
      subject: "You were signed out of {product} for your safety",
      lead: "A sign-in to your {product} account was used in two places at once, as if it had been copied. It was ended.",
      button: "Look at your account",
      otherwise: "If you cannot explain it, change your password, and end the sign-ins that you do not know.",
    },
    account_locked: {
      subject: "Sign-in to your account with {product} is locked for a while",
      lead: "A wrong password was given for your {product} account several times in a row. Signing in with the password is locked for a while. Where you are signed in, you stay so.",
      button: "Reset the password",
      otherwise:
        "If this was not you, there is nothing to do: no password was right. If it was, a new password lifts the lock at once.",
    },
    logins_blocked: {
      subject: "Sign-in to your account with {product} is blocked for unknown browsers",
      lead: "A wrong password was given for your {product} account a hundred times in a row. The password is now taken only in a browser that has signed in before. Any other is told that it is wrong, even if it is right. Where you are signed in, you stay so.",
      button: "Reset the password",
      otherwise:
        "No password was right, so nobody got in. To end this, sign in with a browser that has signed in before, or choose a new password.",
    },
    registration_attempted: {
      subject: "You already have an account with {product}",
      lead: "Somebody tried to register with this email address, which has a {product} account already. Nothing was changed.",
      button: "Sign in",
      otherwise: "If this was you, sign in, or ask there for a new password. If it was not, there is nothing to do.",
    },
    address_claimed: {
      subject: "Your address was given for another account with {product}",
      lead: "Somebody wanted to move another {product} account to this email address. It belongs to your account, so nothing was changed.",
      otherwise: "There is nothing to do. If this was you, sign in to the account that has the address.",
    },
    account_deleted: {
      subject: "Your account with {product} was deleted",
      lead: "Your {product} account was deleted, with everything that belonged to it. Nobody can sign in to it any more, and it cannot be brought back.",
      otherwise:
        "If this was you, there is nothing to do. If it was not, somebody else could sign in as you: change that password wherever else you use it, and tell whoever runs {product}.",
    },
    impersonation_begun: {
      subject: "Support is looking at your account with {product}",
      lead: "{about} looks after {product} and has opened your account, to see what you see. It lasts 15 minutes at most. Whoever looks can change neither your password, your address, your second step nor what you have allowed apps, and can delete nothing.",
      button: "Look at your account",
      otherwise:
        "If you asked for help, there is nothing to do. If you did not, you can end it at once on your account page, under “Devices”. Then ask whoever runs {product} why it was opened.",
    },
    first_totp_added: {
      subject: "An authenticator app was added to your account with {product}",
      lead: "Signing in to your {product} account now takes a code from an authenticator app besides the password.",
      button: "Take it back",
      validity:
        "You can take it back until {until}. You then choose a new password, every device is signed out, and whatever was set up for two-step sign-in goes.",
      otherwise:
        "If this was you, keep your recovery codes in a safe place; there is nothing else to do. If it was not, somebody knows your password: take it back now.",
    },
    first_passkey_added: {
      subject: "A passkey was added to your account with {product}",
      lead: "A passkey was added to your {product} account. Whoever holds it can sign in with it.",
      button: "Take it back",
      validity:
        "You can take it back until {until}. You then choose a new password, every device is signed out, and whatever was set up for two-step sign-in goes.",
      otherwise:
        "If this was you, there is nothing to do. If it was not, somebody else could sign in as you: take it back now.",
    },
    totp_added: {
      subject: "An authenticator app was added to your account with {product}",
      lead: "Signing in to your {product} account now takes a code from an authenticator app besides the password.",
      button: "Look at your account",
      otherwise:
        "If this was you, keep your recovery codes in a safe place. If it was not, reset your password at once. Then sign in with a passkey of yours and remove the app. If you have none, ask whoever runs {product} to remove it: you do not get in without its codes.",
    },
    totp_removed: {
      subject: "The authenticator app was removed from your account with {product}",
      lead: "Signing in to your {product} account no longer takes a code from an authenticator app.",
      button: "Reset the password",
      otherwise:
        "If this was you, all is well. If it was not, reset the password at once, and set up two-step sign-in again.",
    },
    passkey_added: {
      subject: "A passkey was added to your account with {product}",
      lead: "A passkey was added to your {product} account. Whoever holds it can sign in with it.",
      button: "Look at your account",
      otherwise:
        "If this was you, all is well. If it was not, reset your password at once. Then sign in with another passkey or a code of yours and remove it. If you have none, ask whoever runs {product} to remove it: until then it goes on signing in.",
    },
    passkey_removed: {
      subject: "A passkey was removed from your account with {product}",
      lead: "A passkey was removed from your {product} account and no longer opens it.",
      button: "Reset the password",
      otherwise: "If this was you, all is well. If it was not, reset the password at once, and look at your passkeys.",
    },
    passkey_copied: {
      subject: "A passkey of your account with {product} may have been copied",
      lead: "Somebody showed a passkey of your {product} account, and it was refused: it had counted fewer uses than the last time. That is a sign of a copy.",
      button: "Look at your account",
      otherwise:
        "Remove the passkey that was used last, and add a new one. If you were not signing in just then, somebody else has a copy, or has had the device that holds it.",
    },
    personal_token_created: {
      subject: "A personal token was made for your account with {product}",
      lead: "A personal token named “{about}” was made for your {product} account. Whoever has it can act in your name wherever such tokens are taken.",
      button: "Look at your tokens",
      otherwise:
        "If this was you, all is well. If it was not, revoke it on your account page and change your password.",
    },
    recovery_codes_made: {
      subject: "New recovery codes for your account with {product}",
      lead: "New recovery codes were made for your {product} account. The ones you had before no longer work.",
      button: "Look at your account",
      otherwise:
        "If this was you, all is well. If it was not, change your password, and make new recovery codes once more.",
    },
    recovery_code_used: {
      subject: "A recovery code of your account with {product} was used",
      lead: "One of your recovery codes was used for your {product} account, in place of an authenticator app or a passkey. It does not work again. Codes that are left: {about}.",
      button: "Look at your account",
      otherwise:
        "If this was you, make new codes before they run out. If it was not, somebody knows your codes: change your password, and make new ones at once.",
    },
    factors_reset: {
      subject: "Two-step sign-in was reset for your account with {product}",
      lead: "Authenticator app, passkeys and recovery codes were removed from your {product} account by those who look after it. Every device was signed out.",
      button: "Sign in",
      otherwise:
        "If you asked for it, sign in and set up two-step sign-in again. If you did not, reset your password, and ask whoever runs {product} why.",
    },
    factors_taken_back: {
      subject: "Two-step sign-in was taken off your account with {product}",
      lead: "Authenticator app, passkeys and recovery codes were removed from your {product} account with the link of the mail that told you of them, and a new password was chosen. Every device was signed out.",
      button: "Sign in",
      otherwise:
        "If this was you, sign in and look through your linked sign-ins. Then set up two-step sign-in yourself. If it was not, somebody can read your mail: secure the mailbox first, then reset your password.",
    },
    email_change_undone: {
      subject: "The email address of your account with {product} was changed back",
      lead: "The account with {product} that had this email address has its former address again. The owner of that mailbox took the change back. This address no longer signs in.",
      otherwise: "If you did not expect this, sign in with the former address.",
    },
    username_changed: {
      subject: "Your user name for {product} was changed",
      lead: "The name by which you sign in to {product} was changed. The former one no longer signs in, and nobody else can take it for 30 days.",
      button: "Reset the password",
      otherwise:
        "If this was you, there is nothing to do. If it was not, somebody knows your password: reset it at once.",
    },
    new_device: {
      subject: "New sign-in to your account with {product}",
      lead: "Somebody signed in to your {product} account in a browser or an app that it does not know.",
      button: "Look at your account",
      validity: "“This was not me” works until {until}.",
      otherwise:
        "If this was you, there is nothing to do. If it was not, say so: that device is signed out at once, and you choose a new password.",
      reject: "This was not me",
    },
    take_back_ended: {
      subject: "A link about your account with {product} was ended",
      lead: "We mailed you a link that takes back what was set up for two-step sign-in of your {product} account. It was ended by somebody who is signed in and has used that second step.",
      button: "Reset the password",
      otherwise:
        "If this was you, there is nothing to do. If it was not, reset the password now: for a week after it was set up, a reset removes it.",
    },
    identity_linked: {
      subject: "A sign-in was linked to your account with {product}",
      lead: "{about} was linked to your account with {product}. Signing in there now signs in here as well.",
      button: "Look at your account",
      validity:
        "You can take it back until {until}. You then choose a new password, every device is signed out, and the link is removed.",
      otherwise: "If this was you, there is nothing to do. If it was not, somebody knows your password: take it back.",
      reject: "This was not me",
    },
    identity_unlinked: {
      subject: "A sign-in was unlinked from your account with {product}",
      lead: "{about} was unlinked from your account with {product} and no longer opens it.",
      button: "Reset the password",
      otherwise: "If this was you, all is well. If it was not, reset the password at once.",
    },
  },
} as const;
