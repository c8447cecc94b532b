/** The CSS variables that hosts and views agree on (MCP Apps § Theming). */

/** The part that a tone of colour has in a view. */
export type StyleTone =
  | "primary"
  | "secondary"
  | "tertiary"
  | "inverse"
  | "ghost"
  | "info"
  | "danger"
  | "success"
  | "warning"
  | "disabled";

/** The name of such a variable. */
export type StyleVariable =
  | `--color-${"background" | "text" | "border"}-${StyleTone}`
  | `--color-ring-${Exclude<StyleTone, "tertiary" | "ghost" | "disabled">}`
  | `--font-${"sans" | "mono"}`
  | `--font-weight-${"normal" | "medium" | "semibold" | "bold"}`
  | `--font-text-${"xs" | "sm" | "md" | "lg"}-${"size" | "line-height"}`
  | `--font-heading-${"xs" | "sm" | "md" | "lg" | "xl" | "2xl" | "3xl"}-${"size" | "line-height"}`
  | `--border-radius-${"xs" | "sm" | "md" | "lg" | "xl" | "full"}`
  | "--border-width-regular"
  | `--shadow-${"hairline" | "sm" | "md" | "lg"}`;

const COLOURS = ["background", "text", "border"];
const TONES = ["primary", "secondary", "tertiary", "inverse", "ghost", "info", "danger", "success", "warning", "disabled"];
const RINGS = ["primary", "secondary", "inverse", "info", "danger", "success", "warning"];
const TEXTS = ["xs", "sm", "md", "lg"];
const HEADINGS = [...TEXTS, "xl", "2xl", "3xl"];

/** All of them. The set is closed: a view may refuse a context that names another one. */
export function styleVariables(): ReadonlySet<string> {
  const sized = (kind: string, sizes: readonly string[]): string[] =>
    sizes.flatMap((size) => [`--font-${kind}-${size}-size`, `--font-${kind}-${size}-line-height`]);
  return new Set([
    ...COLOURS.flatMap((part) => TONES.map((tone) => `--color-${part}-${tone}`)),
    ...RINGS.map((tone) => `--color-ring-${tone}`),
    ...["sans", "mono"].map((family) => `--font-${family}`),
    ...["normal", "medium", "semibold", "bold"].map((weight) => `--font-weight-${weight}`),
    ...sized("text", TEXTS),
    ...sized("heading", HEADINGS),
    ...[...TEXTS, "xl", "full"].map((size) => `--border-radius-${size}`),
    "--border-width-regular",
    ...["hairline", "sm", "md", "lg"].map((size) => `--shadow-${size}`),
  ]);
}
