// Keys of lists and articles, over the borders of pages; marks without loading the page again, and of
// an article that was opened; times in the zone of the browser. Shows how far work is while it goes
// on. Takes a page that is handed over to be saved. Sends the form of settings after each change, and
// shows what it does. Starts the worker that keeps articles for reading without the network. The
// pages work without.
"use strict";
(() => {
  const entries = () => [...document.querySelectorAll(".entries > li")];
  const near = () => document.activeElement.closest(".entries > li") || document.querySelector("main:has(article)");
  const click = (selector) => near()?.querySelector(selector)?.click();

  const turn = (to) => document.querySelector(`main a[rel=${to}]`)?.click();

  // Steps over the border of a page go on at its first entry, or at its last one.
  const STEP = "step";

  function step(by) {
    const all = entries();
    const at = all.indexOf(document.activeElement.closest(".entries > li"));
    const next = all[at < 0 ? 0 : at + by];
    if (next) {
      next.querySelector("a").focus();
      return;
    }
    if (all.length) sessionStorage.setItem(STEP, by);
    turn(by > 0 ? "next" : "prev");
  }

  const stepped = sessionStorage.getItem(STEP);
  sessionStorage.removeItem(STEP);
  if (stepped) entries().at(stepped > 0 ? 0 : -1)?.querySelector("a").focus();

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    n: () => turn("next"),
    p: () => turn("prev"),
    o: () => document.activeElement.closest(".entries > li")?.querySelector("a").click(),
    m: () => click("button[value=read]"),
    s: () => click("button[value=starred]"),
    v: () => click("a[data-original]"),
    "/": () => {
      const field = document.querySelector("input[type=search]");
      if (field) field.focus();
      else document.querySelector("nav a[href$=search]")?.click();
    },
    "?": () => document.getElementById("keys").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const does = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });
})();
(() => {
  let isPlain = false;

  // What the server says now of an entry, put into that on this page.
  function take(now, entry, forms) {
    if (entry) {
      entry.className = now.className;
      for (const css of ["[data-unread]", "[data-star]"]) {
        entry.querySelector(css).replaceChildren(...now.querySelector(css).childNodes);
      }
    }
    for (const form of forms) {
      const value = form.querySelector("button").value;
      const other = now.querySelector(`button[value=${value}]`);
      form.querySelector("button").textContent = other.textContent;
      form.querySelector("input[name=on]").value = other.form.querySelector("input[name=on]").value;
    }
  }

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const place = form.closest("[data-marks]");
    if (!place || isPlain) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, submitter));
    const sent = fetch(`${form.getAttribute("action")}?part=entry`, { method: "POST", body: fields });
    const answer = await sent.catch(() => undefined);
    say(place, answer ? "" : " No network: this was not marked.");
    if (!answer) return;
    if (!answer.ok) {
      // As without the script.
      isPlain = true;
      form.requestSubmit(submitter);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const entry = place.closest("li");
    // An article has its marks at both ends.
    take(page.querySelector("li"), entry, (entry ?? document).querySelectorAll("[data-marks] form"));
    count();
  });

  let counts = 0;

  // The numbers of unread entries beside a list, as the server counts them now.
  async function count() {
    if (!document.getElementById("feeds")) return;
    const turn = ++counts;
    const answer = await fetch(location.href).catch(() => undefined);
    if (!answer?.ok || turn !== counts) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const css of ["#feeds", "main .tabs"]) {
      const now = page.querySelector(css);
      if (now) document.querySelector(css).replaceChildren(...now.childNodes);
    }
  }

  function say(place, text) {
    let said = place.querySelector("[role=status]");
    if (!said && text) {
      said = document.createElement("span");
      said.role = "status";
      said.className = "bad";
      place.append(said);
    }
    if (said) said.textContent = text;
  }
})();

// Times as the server says them, in the zone of the browser.
const showTimes = (within) => {
  const midnight = (time) => new Date(time.getFullYear(), time.getMonth(), time.getDate());
  const now = new Date();
  for (const shown of within.querySelectorAll("time[data-zone]")) {
    const kind = shown.dataset.zone;
    const at = new Date(kind === "day" ? `${shown.dateTime}T00:00` : shown.dateTime);
    const clock = `${at.getHours()}`.padStart(2, "0") + ":" + `${at.getMinutes()}`.padStart(2, "0");
    if (kind === "exact") {
      shown.textContent = `${at.toLocaleDateString("sv-SE")} ${clock}`;
      continue;
    }
    const days = Math.round((midnight(now) - midnight(at)) / 864e5);
    const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
    const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", ...year });
    const near = ["today", "yesterday"][days];
    shown.textContent = !near ? day : kind === "day" ? near : `${near} ${clock}`;
  }
};
showTimes(document);
(() => {
  // A picture that the server could not bring is a link, as one that it is not asked for.
  const brought = "article img[src*='/picture?']";
  function link(image) {
    const url = new URL(image.src).searchParams.get("url");
    const at = image.closest("a") ? document.createElement("span") : document.createElement("a");
    if (at.tagName === "A") {
      at.href = url;
      at.rel = "noreferrer";
    }
    at.className = "absent";
    at.textContent = image.alt ? `Picture: ${image.alt}` : "Picture";
    image.replaceWith(at);
  }
  for (const image of document.querySelectorAll(brought)) {
    if (image.complete && !image.naturalWidth) link(image);
    else image.addEventListener("error", () => link(image));
  }
})();
(() => {
  // An article that was opened is read.
  const buttons = document.querySelectorAll("[data-opened] button[value=read]");
  const button = buttons[0];
  const form = button?.form;
  if (form?.elements.on.value !== "true") return;
  const fields = new URLSearchParams(new FormData(form, button));
  fetch(form.action, { method: "POST", body: fields, redirect: "manual" }).then(({ type }) => {
    // The answer leads back to the page.
    if (type !== "opaqueredirect") return;
    for (const { form, firstChild } of buttons) {
      form.elements.on.value = "false";
      firstChild.data = "Mark as unread";
    }
  }, () => {});
})();
(() => {
  const main = document.querySelector("main[data-goes-on]");
  if (!main) return;

  // Only what is new is put in, so that a screen reader says nothing twice.
  function update(old, now) {
    const [was, is] = [[...old.children], [...now.children]];
    is.forEach((child, at) => {
      const known = was[at];
      if (!known) old.append(child);
      else if (known.isEqualNode(child)) return;
      else if (isLike(known, child)) update(known, child);
      else known.replaceWith(child);
    });
    was.slice(is.length).forEach((child) => child.remove());
  }

  // True if two elements differ in the elements in them alone.
  function isLike(one, other) {
    const holdsElements = ({ childNodes }) => [...childNodes].every(({ nodeType }) => nodeType === Node.ELEMENT_NODE);
    const isSame = one.cloneNode(false).isEqualNode(other.cloneNode(false));
    return isSame && holdsElements(one) && holdsElements(other);
  }

  let wait = 300;

  async function again() {
    if (document.hidden) {
      setTimeout(again, wait);
      return;
    }
    try {
      const answer = await fetch(location.href);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("main");
      showTimes(now);
      update(main, now);
      if (!("goesOn" in now.dataset)) return;
    } catch {
      // The server may be back in a moment.
    }
    wait = Math.min(wait * 1.2, 2000);
    setTimeout(again, wait);
  }
  setTimeout(again, wait);
})();
(() => {
  const form = document.getElementById("settings");
  if (!form) return;
  let last = 0;

  async function show() {
    const turn = ++last;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("action", "change");
    fields.delete("page");
    let answer;
    try {
      answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields });
    } catch {
      return;
    }
    if (turn !== last) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["notice-place", "result"]) {
      const now = page.getElementById(id);
      if (now) document.getElementById(id).replaceChildren(...now.childNodes);
    }
    const preview = page.getElementById("preview");
    if (preview && preview.value) document.getElementById("preview").value = preview.value;
  }

  form.addEventListener("change", (event) => {
    if (event.target.closest("details.screen")) show();
  });

  const pasted = document.getElementById("page");
  pasted.addEventListener("dragover", (event) => event.preventDefault());
  pasted.addEventListener("drop", async (event) => {
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    pasted.value = await file.text();
  });
})();
(() => {
  // Without https, a browser has no workers but for its own machine.
  const workers = navigator.serviceWorker;
  workers?.register(new URL("../worker.js", document.currentScript.src)).catch(() => {});
})();
(() => {
  // The bookmark "Save this page" opened this window, and hands its page over.
  const form = document.querySelector("form[data-handed]");
  if (!form) return;
  const said = form.querySelector("[role=status]");
  const { opener } = window;
  const none = "Only the address came with it: this site's policy forbids more.";
  let from;
  try {
    from = new URL(form.elements.url.value).origin;
  } catch {
    return;
  }
  if (!opener) {
    said.textContent = none;
    return;
  }
  const wait = setTimeout(() => end(none), 3000);

  function end(text) {
    clearTimeout(wait);
    removeEventListener("message", take);
    said.textContent = text;
  }

  // One message, of a page of the address that is to be saved.
  function take({ source, origin, data }) {
    if (source !== opener || origin !== from) return;
    const html = typeof data?.html === "string" ? data.html : "";
    const bytes = new Blob([html]).size;
    if (!bytes) return;
    if (bytes > 8e6) {
      end("Only the address came with it: the page has more than 8 MB.");
      return;
    }
    form.elements.page.value = html;
    form.elements.url.readOnly = true;
    end(`The page as your browser shows it (${Math.ceil(bytes / 1000)} kB) came with it.`);
  }
  addEventListener("message", take);
  opener.postMessage("forest", from);
})();
