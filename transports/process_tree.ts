/** Finds what a child process has started, also where it has left the child's process group (Linux). */
import { PROCESS_TREE_LIMITS } from "../protocol/limits.ts";

/** Reads the files that Linux shows of processes; both functions throw for what is not there or not allowed. */
export interface ProcessFiles {
  /** The names in a directory. */
  entries(path: string): readonly string[];
  /** The text of a file. */
  text(path: string): string;
}

/** A process. The time of its start tells it from a later one with the same number. */
export interface ProcessMark {
  /** Its number. */
  readonly pid: number;
  /** Its process group. */
  readonly group: number;
  /** When it started, in ticks since the system did. */
  readonly started: string;
}

/** The variable that a child and all that it starts have in their environment. */
export const TREE_VARIABLE = "CAUSEWAY_PROCESS_TREE";

const { slice: SLICE, descendants: DESCENDANTS, depth: DEPTH } = PROCESS_TREE_LIMITS;

/**
 * Writes the value of {@linkcode TREE_VARIABLE}.
 *
 * @param own Our own value: we may be a child of a client ourselves.
 * @param id A name for the new tree that nothing else has.
 */
export function treeValue(own: string | undefined, id: string): string {
  const outer = own === undefined ? [] : own.split(":").filter((part) => /^[\w-]{1,64}$/.test(part));
  return [...outer.slice(1 - DEPTH), id].join(":");
}

/** The descendants of a running process whose parents all still run. */
export function descendants(files: ProcessFiles, pid: number): readonly ProcessMark[] {
  const found = new Map<number, ProcessMark>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined && found.size < DESCENDANTS; next = open.pop()) {
    for (const child of childrenOf(files, next)) {
      const state = found.has(child) ? undefined : stateOf(files, child);
      if (state === undefined) continue;
      found.set(child, state);
      open.push(child);
    }
  }
  return [...found.values()];
}

/**
 * Looks through all processes for members of a tree: those in a process group, and those whose environment names the tree.
 * Dead ones that nobody has waited for are left out.
 *
 * @param files Where to look.
 * @param id The name of the tree.
 * @param group The process group.
 */
export async function treeMembers(files: ProcessFiles, id: string, group: number): Promise<readonly ProcessMark[]> {
  const found: ProcessMark[] = [];
  const names = attempt(() => files.entries("/proc")) ?? [];
  for (let at = 0; at < names.length; at++) {
    if (at > 0 && at % SLICE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const pid = Number(names[at]);
    if (!Number.isInteger(pid)) continue;
    const state = stateOf(files, pid);
    if (state === undefined) continue;
    if (state.group === group || attempt(() => files.text(`/proc/${pid}/environ`))?.includes(id) === true) {
      found.push(state);
    }
  }
  return found;
}

/** Says whether a process still runs. */
export function isRunning(files: ProcessFiles, mark: ProcessMark): boolean {
  return stateOf(files, mark.pid)?.started === mark.started;
}

function childrenOf(files: ProcessFiles, pid: number): number[] {
  const tasks = attempt(() => files.entries(`/proc/${pid}/task`)) ?? [];
  return tasks.flatMap((task) => {
    const text = attempt(() => files.text(`/proc/${pid}/task/${task}/children`)) ?? "";
    return text.split(" ").filter((word) => word.trim() !== "").map(Number);
  });
}

/** Undefined for a process that is not there, or dead. */
function stateOf(files: ProcessFiles, pid: number): ProcessMark | undefined {
  const text = attempt(() => files.text(`/proc/${pid}/stat`));
  if (text === undefined) return undefined;
  // The second field is a name in parentheses that may hold anything; the fields are counted from the third (proc(5)).
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  const started = fields[19];
  if (state === undefined || "ZXx".includes(state) || started === undefined) return undefined;
  return { pid, group: Number(group), started };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
