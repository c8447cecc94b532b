/** One conversation on the page: what was said, the call, the view, and what crosses the bridge. */

/** Lines of the log that are kept. */
const LINES = 200;

/**
 * Adds a conversation to the page.
 *
 * @param options The words of the user, and the call of the model.
 */
export function createPanel({ said, call }) {
  const root = document.querySelector("#panel").content.cloneNode(true).firstElementChild;
  const find = (selector) => root.querySelector(selector);
  const [view, log, talk, end] = [find(".view"), find(".log"), find(".talk"), find(".end")];
  let count = 0;
  find(".said").textContent = said;
  find(".call code").textContent = call;
  end.disabled = true;
  document.querySelector("#panels").append(root);
  return {
    /** Names the server. */
    title(name, facts) {
      find("h2").textContent = name;
      find(".facts").textContent = facts;
    },
    /** Puts the frame of the view where it belongs. */
    show(frame, bordered) {
      view.classList.toggle("plain", !bordered);
      view.append(frame);
      end.disabled = false;
    },
    /** Adds words of the user. */
    say(words) {
      const bubble = document.createElement("p");
      bubble.className = "said";
      bubble.textContent = words;
      talk.append(bubble);
    },
    askToOpen,
    /** Notes a message on the bridge. */
    log(from, message) {
      const line = document.createElement("li");
      line.className = `from-${from}`;
      const [who, what] = [document.createElement("b"), document.createElement("span")];
      who.textContent = from === "view" ? "view →" : "host ←";
      what.textContent = outlineOf(message);
      line.append(who, what);
      log.append(line);
      if (log.childElementCount > LINES) log.firstElementChild?.remove();
      log.scrollTop = log.scrollHeight;
      find(".count").textContent = `${++count} messages`;
    },
    /** Calls a function when the person ends the view; it says how that went. */
    onEnd(ending) {
      end.onclick = async () => {
        end.disabled = true;
        view.textContent = await ending();
        view.className = "view ended";
      };
    },
  };
}

/** One line for one message. What a view sent may be anything. */
function outlineOf(message) {
  const { id, method, params, error } = message ?? {};
  if (method === undefined) return error === undefined ? `result of ${word(id)}` : `error ${word(error?.code)} of ${word(id)}`;
  const name = method === "tools/call" ? ` ${word(params?.name)}` : "";
  return id === undefined ? word(method) : `${word(method)}${name} (${word(id)})`;
}

function word(value) {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 80) : "?";
}

/** Asks the person for a link; true when it was opened. */
function askToOpen(url) {
  const dialog = document.querySelector("#link");
  // One question at a time: a view cannot bury the person under them.
  if (dialog.open) return false;
  dialog.querySelector(".url").textContent = url;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      const agreed = dialog.returnValue === "yes";
      if (agreed) open(url, "_blank", "noopener,noreferrer");
      resolve(agreed);
    };
  });
}
