/** Does nothing: what every Deno program costs to start. */
