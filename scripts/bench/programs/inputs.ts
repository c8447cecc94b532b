/** The arguments of the tools that the bench serves, as zod schemas: one small, one of the usual size. */
import * as z from "zod";

/** The arguments of `echo`. */
export function echoInput(): z.ZodObject<{ text: z.ZodString }> {
  return z.object({ text: z.string() });
}

/** Five arguments: text, an enumeration, an object, a list of objects, a union. */
export function searchInput() {
  return z.object({
    query: z.string().describe("What to look for"),
    sort: z.enum(["name", "date", "size"]).optional(),
    range: z.object({ from: z.string(), to: z.string().optional() }).optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.int() })).optional(),
    limit: z.union([z.int(), z.literal("all")]).optional(),
  });
}
