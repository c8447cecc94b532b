/** A person with a browser of fetch and cookies: signs in, reads the consent page, and says yes or no. */
import type { OpenPage } from "../../client/auth/mod.ts";

/** What a person is like. */
export interface PersonOptions {
  /** What is typed into the sign-in page. */
  readonly account?: string;
  readonly password?: string;
  /** What is answered on the consent page. */
  readonly answer?: "yes" | "no";
}

/** A person, and what was shown to them. */
export interface Person {
  /** Goes through the pages and brings back where they end. */
  readonly open: OpenPage;
  /** The titles of the pages, in order. */
  readonly pages: string[];
  /** What the consent pages listed. */
  readonly allowed: string[][];
  /** The scopes of the pages that were opened. */
  readonly scopes: string[][];
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

const LONGEST = 20;

/** Makes a person, with an empty cookie jar. */
export function person({ account = "ada", password = "engine", answer = "yes" }: PersonOptions = {}): Person {
  const jar = new Map<string, Cookie>();
  const seen: Omit<Person, "open"> = { pages: [], allowed: [], scopes: [] };
  const open: OpenPage = async (page, { redirectUri }) => {
    seen.scopes.push((page.searchParams.get("scope") ?? "").split(" "));
    let url = page;
    let form: URLSearchParams | undefined;
    for (let step = 0; step < LONGEST; step++) {
      const response = await visit(url, form, jar);
      form = undefined;
      const location = response.headers.get("location");
      if (location !== null) {
        await response.body?.cancel();
        url = new URL(location, url);
        if (url.href.startsWith(`${redirectUri}?`)) return url;
        continue;
      }
      const text = await response.text();
      const title = /<h1>([^<]*)/.exec(text)?.[1] ?? "";
      seen.pages.push(title);
      if (title === "Sign in") form = new URLSearchParams({ account, password, answer: "yes" });
      else if (title === "Allow access?") {
        seen.allowed.push([...text.matchAll(/<li>([^<]*)/g)].map(([, item = ""]) => item));
        form = new URLSearchParams({ answer });
      } else throw new Error(`The page ${url.pathname} answered ${response.status}: ${text}`);
    }
    throw new Error("The pages do not end");
  };
  return { open, ...seen };
}

async function visit(url: URL, form: URLSearchParams | undefined, jar: Map<string, Cookie>): Promise<Response> {
  const cookies = [...jar].filter(([, { path }]) => url.pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`);
  const headers = { cookie: cookies.join("; ") };
  const response = await fetch(
    url,
    form === undefined ? { headers, redirect: "manual" } : {
      method: "POST",
      headers,
      body: form,
      redirect: "manual",
    },
  );
  for (const line of response.headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(/; */);
    const at = pair.indexOf("=");
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    if (pair.slice(at + 1) === "") jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), { value: pair.slice(at + 1), path });
  }
  return response;
}
