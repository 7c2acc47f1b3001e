/** The words about a second step, passkeys and sign-in by mail. */
export const factors = {
  /** The ways to prove one's identity. */
  ways: {
    passkey: {
      name: "Use a passkey",
      lead: "Your device checks that it is you, by your fingerprint, your face or its PIN.",
    },
    totp: {
      name: "Use your authenticator app",
      lead: "Type the six digits that your authenticator app shows for {product}.",
      label: "Code",
      incomplete: "The code has six digits.",
      wrong: "This code is not right, or has been used. Your app shows a new one every 30 seconds.",
    },
    recovery_code: {
      name: "Use a recovery code",
      lead: "Type one of the codes that you saved when you set up the second step. Each works once.",
      label: "Recovery code",
      wrong: "This is not one of your recovery codes, or it has been used.",
    },
    password: {
      name: "Use your password",
      lead: "Give your password once more to go on.",
    },
    others: "Another way",
  },

  /** The second step of a sign-in. */
  challenge: {
    title: "One more step",
    left: "{clock} left for this step",
    lastMinute: "One minute left for this step.",
    restart: "Start again",
    over: {
      title: "Sign in again",
      tooLate: "The five minutes for this step are over, and nothing has changed. Begin again whenever you like.",
      void: "This sign-in can't be finished: it took too long, had too many wrong codes, or was begun in another browser. Nothing has changed.",
      submit: "Sign in again",
    },
  },

  passkey: {
    signIn: "Sign in with a passkey",
    unknown: "This passkey is not known here. It may have been removed: sign in another way.",
  },

  /** The words for an account whose only factors are passkeys, none of which can be used. */
  stuck: {
    title: "Your passkey does not work here",
    elsewhere:
      "It was added at another address of {product}, and works there alone. Go to that address to sign in with it.",
    unsupported: "This browser can't use it on this page. Sign in on a device and in a browser that has it.",
    help: "If you can't, ask whoever looks after the accounts of {product} to reset your two-step sign-in. You set it up anew after that.",
  },

  /** The words for a reader who takes back a factor of somebody else, by the link of a mail. */
  undo: "If it was not you who set up two-step sign-in or linked another sign-in, choose a new password. What was added is then removed, and you are signed out on every device.",

  notCopied: "This could not be copied. Select it and copy it yourself.",

  /** The words for a second step that has to be set up before anything else. */
  setup: {
    title: "Set up a second step",
    lead: "{product} asks for a second step at each sign-in, so that nobody gets in with your password alone. Choose yours, and you go on.",
    app: "Use an authenticator app",
    goOn: "I have saved them, go on",
  },

  byMail: {
    offer: "Sign in by mail",
    lead: "We send a mail with a link and a code. Either one signs you in without a password.",
    submit: "Send the mail",
    sent: {
      lead: "If there is an account for {login}, a mail is on its way. Open its link, or type its code here within {duration}.",
      label: "Code from the mail",
      wrong: "This is not the code of the newest mail, or it has run out.",
      again: "Send another mail",
      resent: "Another mail is on its way. The code of the one before does not work any more.",
    },
    link: {
      lead: "One click, and you are signed in on this device.",
      dead: "It has been used, has run out, or was replaced by a newer one. Ask for a new mail, or sign in another way.",
    },
  },

  /** The section of the account page. */
  section: {
    off: "Off: your password, or another way in, is enough.",
    on: "On: whoever knows your password alone does not get in.",
    required: "This service asks for a second step, so one has to stay.",
    /** The mark beside a factor that is set up. */
    isOn: "on",

    app: {
      title: "Authenticator app",
      about: "A code from your phone, after your password",
      setUp: "Set up",
      setUpOf: "Set up an authenticator app",
      scan: "Scan this picture with your authenticator app.",
      picture: "QR code for your authenticator app",
      typed: "No camera? Type this key into the app:",
      copy: "Copy key",
      copied: "The key is copied.",
      here: "Open the app on this device",
      label: "Code that the app shows",
      submit: "Turn on",
      done: "Your authenticator app is set up.",
      remove: "Remove",
      removeOf: "Remove the authenticator app",
      removeTitle: "Remove the authenticator app?",
      removed: "The authenticator app is removed. Delete its entry in the app, too.",
    },

    codes: {
      title: "Recovery codes",
      about: "For when your device is lost: each lets you in once.",
      leftNone: "none",
      left: "{count} left",
      none: "You have none: without them you are locked out when the device is lost. Make some, and keep them in a safe place.",
      few: "Make new ones before they run out.",
      make: "Make codes",
      renew: "Make new codes",
      renewTitle: "Make new recovery codes?",
      renewMeans: "The codes that you have stop working at once.",
      save: "Save your recovery codes",
      lead: "If your device is lost, one of these codes lets you in. Each works once. They are shown now and never again.",
      copy: "Copy",
      copied: "The codes are copied.",
      print: "Print",
      done: "I have saved them",
      /** The heading of the file and of the sheet of paper. */
      head: "Recovery codes of {email} for {product}",
      each: "Each code works once.",
    },

    passkeys: {
      title: "Passkeys",
      about: "By fingerprint, face or PIN",
      unsupported: "This browser can't make passkeys.",
      openThere: "Passkeys are made at {domain}. Open this page there to add one.",
      add: "Add a passkey",
      added: "{name} is added. Give it a name that you will know it by.",
      since: "Added {time}",
      unused: "not used yet",
      elsewhere: "Works at {domain} alone",
      rename: "Rename",
      renameOf: "Rename {name}",
      name: "Name",
      renamed: "It is called {name} now.",
      remove: "Remove",
      removeOf: "Remove {name}",
      removeTitle: "Remove {name}?",
      removeMeans:
        "It no longer signs you in. Your device or password manager may go on offering it: delete it there, too.",
      removed: "{name} is removed.",
    },

    /** Says what removing the last factor means. */
    last: "It is your only second step: without it one step is enough to sign in, and your recovery codes stop working.",
  },
} as const;
