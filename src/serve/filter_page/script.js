// Sends the form after each change, and shows what it does. The page works without.
"use strict";
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
