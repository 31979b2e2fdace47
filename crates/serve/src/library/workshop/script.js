(() => {
  const frame = document.getElementById("archived");
  const list = document.getElementById("node");
  if (!frame || !list) return;
  const around = document.getElementById("ancestors");
  let over = null;
  let chosen = null;

  const numbered = (element) => element?.closest?.("[data-forest-node]") || null;
  const nameOf = ({ localName, id, classList }) => {
    // The server gives this id to the element that is shown first.
    if (id && id !== "forest-place") return `${localName}#${id}`;
    return classList[0] ? `${localName}.${classList[0]}` : localName;
  };

  function outline(element) {
    over?.removeAttribute("data-forest-over");
    over = element;
    over?.setAttribute("data-forest-over", "");
  }

  function choose(element, scrolls) {
    if (!element) return;
    chosen?.removeAttribute("data-forest-chosen");
    chosen = element;
    chosen.setAttribute("data-forest-chosen", "");
    if (scrolls) chosen.scrollIntoView({ block: "nearest" });
    const number = chosen.dataset.forestNode;
    let option = [...list.options].find((option) => option.value === number);
    if (!option) {
      const words = chosen.textContent.trim().split(/\s+/).slice(0, 8).join(" ");
      option = new Option(nameOf(chosen) + ": " + words, number);
      list.prepend(option);
    }
    list.value = number;
    around.replaceChildren();
    const body = chosen.ownerDocument.body;
    for (let up = chosen; up && body.contains(up); up = numbered(up.parentElement)) {
      const button = document.createElement("button");
      const element = up;
      button.type = "button";
      button.textContent = nameOf(up);
      if (up === chosen) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => choose(element, true));
      around.prepend(button);
    }
  }

  const beside = (element, way) => {
    let next = element[way];
    while (next && !next.dataset?.forestNode) next = next[way];
    return next;
  };
  const moves = {
    ArrowUp: () => numbered(chosen.parentElement),
    ArrowDown: () => chosen.querySelector("[data-forest-node]"),
    ArrowLeft: () => beside(chosen, "previousElementSibling"),
    ArrowRight: () => beside(chosen, "nextElementSibling"),
  };

  // The place on the page and in the frame, which each step and each undo keep.
  const shownPage = document.querySelector("input[name=page]")?.value;
  const known = (() => {
    try {
      const place = JSON.parse(sessionStorage.getItem("workshop"));
      sessionStorage.removeItem("workshop");
      return place?.path === location.pathname && place.page === shownPage ? place : null;
    } catch {
      return null;
    }
  })();
  if (known && !location.hash) scrollTo(0, known.top);
  function keepPlace() {
    const place = { path: location.pathname, page: shownPage, top: scrollY, inFrame: frame.contentWindow.scrollY };
    sessionStorage.setItem("workshop", JSON.stringify({ ...place, node: list.value }));
  }
  addEventListener("submit", ({ submitter }) => {
    if (!["save", "reread"].includes(submitter?.value)) keepPlace();
  });
  document.getElementById("undo")?.addEventListener("click", keepPlace);

  function takePlace(page) {
    const number = list.value || known?.node;
    if (number) choose(page.querySelector(`[data-forest-node="${CSS.escape(number)}"]`), false);
    if (known) frame.contentWindow.scrollTo(0, known.inFrame);
  }

  function begin() {
    const page = frame.contentDocument;
    if (!page?.body || page.documentElement.dataset.forestReady) return;
    page.documentElement.dataset.forestReady = "on";
    page.body.tabIndex = 0;
    page.addEventListener("mouseover", (event) => outline(numbered(event.target)));
    page.addEventListener("mouseleave", () => outline(null));
    page.addEventListener("click", (event) => {
      event.preventDefault();
      choose(numbered(event.target), false);
    });
    page.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter") list.focus();
      else if (moves[event.key]) choose(chosen ? moves[event.key]() : numbered(page.body), true);
      else return;
      event.preventDefault();
    });
    takePlace(page);
  }

  list.addEventListener("change", () => {
    choose(frame.contentDocument?.querySelector(`[data-forest-node="${CSS.escape(list.value)}"]`), true);
  });
  frame.addEventListener("load", begin);
  if (frame.contentDocument?.readyState === "complete") begin();
})();
