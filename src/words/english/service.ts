/** The words of pages that stand in for others. */
export const service = {
  absent: {
    title: "There is no such page",
    text: "Nothing is at this address. It may have been copied only in part, or the page is gone.",
    way: "Go to {product}",
  },
  maintenance: {
    title: "Down for maintenance",
    text: "We are working on this service, and it will be back shortly. Try again in a few minutes.",
  },
} as const;
