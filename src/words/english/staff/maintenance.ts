/** The maintenance of both apps. */
export const maintenance = {
  title: "Maintenance",
  unknown: "not known here",
  on: "on",
  off: "off",
  own: "The app of these pages.",
  forced: "{setting} is true: it stays on until the app is started without it.",
  unreadable: "Its state can't be read, and that counts as on.",
  earlier: "It was switched on by a command of an earlier release.",
  byPerson: "Switched on {ago} by {person}.",
  byCommand: "Switched on {ago} by a command on the host.",
  because: "Reason: {reason}",
  obstacles: {
    unknown: "The app has not said yet where it keeps this: start it once on this database.",
    memory:
      "Each process of the app keeps this in its own memory ({memory}, or a cache in memory), which no other process can reach. With {cache} and a shared cache it is switched here.",
    redis:
      "The app keeps this in a Redis that the settings of this one do not name. With the same {redis} or {cache} for both it is switched here.",
    commands: "On its host use {enable} and {disable}.",
  },
  reason: "Reason",
  reasonHint: "Staff read it on this page. Visitors don't.",
  switchOwn:
    "These pages go away too: they answer 503 until maintenance is switched off on the host, by {command}. Jobs and schedules go on.",
  switchOther:
    "Everybody who uses the app gets a page that says so, and programs get 503, until it is switched off here or by {command}. Jobs and schedules go on.",
  onlyHere:
    "It holds for the process that shows this page and none beside it, and ends when that process does ({setting}).",
  switchOn: "Switch on",
  switchOff: "Switch off",
  isOn: "Maintenance of {app} is on.",
  isOff: "Maintenance of {app} is off.",
  wasOn: "Maintenance of {app} was on already.",
  wasOff: "Maintenance of {app} was off already.",
  onAgain: "Switch on again",
  offAgain: "Switch off again",
} as const;
