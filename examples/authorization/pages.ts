/** The pages of the authorization server: signing in, and allowing a client what it asks for. */

/** What the sign-in page shows. */
export interface SignIn {
  /** Who sends the person here. */
  readonly client: string;
  /** What was wrong with the last attempt. */
  readonly fault?: string | undefined;
}

/** What the consent page shows. */
export interface Consent {
  /** Who asks. */
  readonly client: string;
  /** Who is asked. */
  readonly account: string;
  /** For which server. */
  readonly resource: string;
  /** What may be done there, in words. */
  readonly permissions: readonly string[];
  /** Where the answer goes. */
  readonly redirect: string;
}

/** The page to sign in. The enter key presses the first button. */
export function signInPage({ client, fault }: SignIn): string {
  return page(
    "Sign in",
    `<p><strong>${escape(client)}</strong> wants to act for you.</p>
    ${fault === undefined ? "" : `<p class="fault" role="alert">${escape(fault)}</p>`}
    <label>Name<input name="account" autocomplete="username" required autofocus></label>
    <label>Password<input name="password" type="password" autocomplete="current-password" required></label>
    <div class="row"><button name="answer" value="yes">Sign in</button>
    <button name="answer" value="no" class="quiet" formnovalidate>Cancel</button></div>`,
  );
}

/** The page to allow something. Where the answer goes is shown, since anybody may register under any name. */
export function consentPage({ client, account, resource, permissions, redirect }: Consent): string {
  return page(
    "Allow access?",
    `<p><strong>${escape(client)}</strong> wants to use <code>${escape(resource)}</code> as <strong>${
      escape(account)
    }</strong>:</p>
    <ul>${permissions.map((one) => `<li>${escape(one)}</li>`).join("")}</ul>
    <p class="small">The answer goes to <code>${escape(redirect)}</code></p>
    <div class="row"><button name="answer" value="no" class="quiet">Deny</button>
    <button name="answer" value="yes">Allow</button></div>`,
  );
}

/** The page for what cannot go on. */
export function faultPage(text: string): string {
  return page("That did not work", `<p>${escape(text)}</p>`);
}

/** Headers of every page: nothing is loaded, framed or kept, and forms go here and, by redirect, to the client. */
export function pageHeaders(redirect: string | undefined): Record<string, string> {
  const client = redirect !== undefined && URL.canParse(redirect) ? ` ${new URL(redirect).origin}` : "";
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${client}; frame-ancestors 'none'; base-uri 'none'`,
  };
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<main><form method="post"><h1>${title}</h1>${content}</form></main></html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b2430, #e8ecf2); --paper: light-dark(#fff, #1d2530);
  --ground: light-dark(#eef1f5, #11161d); --line: light-dark(#ccd3dc, #3a4553); --accent: light-dark(#1f5fbf, #7fb0ff) }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { min-height: 100vh; display: grid; place-items: center; padding: 1rem; box-sizing: border-box }
form { width: min(26rem, 100%); box-sizing: border-box; padding: 2rem; background: var(--paper);
  border: 1px solid var(--line); border-radius: .75rem }
h1 { margin: 0 0 1rem; font-size: 1.4rem }
label { display: block; margin: 1rem 0; font-weight: 600 }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; padding: .6rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem }
code { overflow-wrap: anywhere; font-size: .9em } .small { font-size: .85rem }
.fault { padding: .5rem .75rem; border-left: 3px solid #c0392b }
.row { display: flex; justify-content: flex-end; gap: .75rem; margin-top: 1.5rem }
button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .4rem;
  color: var(--paper); background: var(--accent); border: 1px solid var(--accent) }
button.quiet { order: -1; color: var(--ink); background: transparent; border-color: var(--line) }
:is(input, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
