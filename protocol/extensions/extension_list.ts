/** How a request of an extension says that its result holds a list. */

/** The option of such a request: which member of its result is the list, whose items are read one by one. */
export const LIST: unique symbol = Symbol("list");
