/** The words of pages that stand in for others. */
export const service = {
  absent: {
    title: "There is no such page",
    text: "Nothing is at this address. It may have been copied only in part, or the page is gone.",
    way: "Go to {product}",
  },
  /** For staff whose way to somebody's account leads nowhere. */
  wayOver: {
    title: "This way is over",
    text: "It works once, for a minute, and as long as you and the person are who you were. Go back to the page of the person, and begin again. Nobody was signed in or out.",
  },
  maintenance: {
    title: "Down for maintenance",
    text: "We are working on this service, and it will be back shortly. Try again in a few minutes.",
  },
} as const;
