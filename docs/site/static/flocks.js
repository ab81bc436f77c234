/* Flocks in pages: a still picture becomes a live flock in a frame while it is visible, and pauses otherwise.
 * At most MOST of those that are looked at fly at a time: a browser has few WebGL contexts and few processors. */
(() => {
  "use strict";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const MOST = Math.max(1, Math.min(4, Math.floor((navigator.hardwareConcurrency || 4) / 2)));

  /** A picture with a button, and the frame that takes its place. */
  class Flock {
    constructor(element) {
      this.element = element;
      this.frame = null;
      this.wanted = false;
      element.querySelector(".fly").addEventListener("click", () => this.fly());
      element.murmurate = this;
    }
    get address() {
      const { live, show = "", flock = "" } = this.element.dataset;
      const parts = [show, flock && `flock=${flock}`, still.matches && "play"].filter(Boolean).join("&");
      return new URL(live, location.href).href.split("#")[0] + (parts ? `#${parts}` : "");
    }
    fly() {
      if (this.frame) return;
      this.frame = document.createElement("iframe");
      this.frame.title = this.element.querySelector("img").alt || this.element.querySelector(".fly").ariaLabel || "A flock";
      this.frame.allow = "clipboard-write; fullscreen";
      this.frame.src = this.address;
      this.element.append(this.frame);
    }
    rest() {
      this.frame?.remove();
      this.frame = null;
      this.element.classList.remove("flies");
    }
    /** The same flock with other settings; the page of a live flock reads its address again. */
    set(flock) {
      this.element.dataset.flock = flock;
      if (this.frame) this.frame.contentWindow.location.replace(this.address);
      else this.fly();
    }
    /** To the page of the live flock, which checks what it hears. */
    tell(message) {
      this.frame?.contentWindow.postMessage(message, "*");
    }
    receive(message) {
      const { murmurate, flock, seconds, step, playing, begun, orders } = message;
      const dispatch = (name, detail) => this.element.dispatchEvent(new CustomEvent(name, { detail }));
      if (murmurate === "flies") {
        this.element.classList.add("flies");
        dispatch("flies");
      }
      if (murmurate === "link" && typeof flock === "string") dispatch("flock", flock);
      if (murmurate === "reached" && typeof playing === "boolean" && [seconds, step, begun, orders].every(Number.isFinite)) {
        dispatch("reached", { seconds, step, playing, begun, orders });
      }
    }
  }

  const runnable = [...document.querySelectorAll(".flock")].filter((element) => element.querySelector(".fly"));
  const flocks = runnable.map((element) => new Flock(element));
  addEventListener("message", ({ source, data }) => {
    const from = flocks.find(({ frame }) => frame && frame.contentWindow === source);
    if (from && data && typeof data === "object") from.receive(data);
  });

  /* Those that fly as soon as they are seen stay: their own page rests when it is out of sight. */
  const first = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting && !still.matches) {
        first.unobserve(target);
        target.murmurate.fly();
      }
    }
  });
  for (const { element } of flocks) if (element.dataset.fly === "seen") first.observe(element);

  /* Of the tiles in sight those fly that are nearest to the pointer or, without one, to the middle of the screen. */
  const tiles = flocks.filter(({ element }) => element.dataset.fly === "looked-at");
  let pointer = null;
  let due = 0;
  function choose() {
    due = 0;
    const [x, y] = pointer ?? [innerWidth / 2, innerHeight / 2];
    const seen = [];
    for (const tile of tiles) {
      const box = tile.element.getBoundingClientRect();
      const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const inside = box.width > 0 && middle[1] > 0 && middle[1] < innerHeight;
      if (inside) seen.push([Math.hypot(middle[0] - x, middle[1] - y), tile]);
    }
    seen.sort(([a], [b]) => a - b);
    const chosen = new Set(still.matches ? [] : seen.slice(0, MOST).map(([, tile]) => tile));
    for (const tile of tiles) {
      if (chosen.has(tile)) tile.fly();
      else if (!still.matches || !seen.some(([, one]) => one === tile)) tile.rest();
    }
  }
  const later = () => {
    if (!due) due = setTimeout(choose, 250);
  };
  if (tiles.length > 0) {
    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", later);
    addEventListener("pointermove", ({ pointerType, clientX, clientY }) => {
      pointer = pointerType === "mouse" ? [clientX, clientY] : null;
      later();
    });
    document.addEventListener("focusin", ({ target }) => {
      const box = target.closest?.(".tile")?.getBoundingClientRect();
      if (!box) return;
      pointer = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      later();
    });
    choose();
    filters(later);
  }

  /** The gallery's buttons and its field: only tiles that fit are shown. */
  function filters(changed) {
    const buttons = [...document.querySelectorAll("[data-filter]")];
    const field = document.querySelector(".filters input");
    const count = document.querySelector(".filters .count");
    const all = [...document.querySelectorAll(".tile")];
    const empty = document.querySelector(".empty");
    /* 'predators' finds 'predator' too; words are found where they begin. */
    const isIn = (part, text) => ` ${text}`.search(new RegExp(`[^\\p{L}\\p{N}]${part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`, "u")) >= 0;
    const finds = (text, part) => isIn(part, text) || (part.length > 3 && part.endsWith("s") && isIn(part.slice(0, -1), text));
    const press = (pressed) => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === pressed));
      show();
    };
    const show = () => {
      const word = buttons.find((one) => one.getAttribute("aria-pressed") === "true").dataset.filter;
      const typed = field.value.trim().toLowerCase().split(/\s+/);
      let shown = 0;
      for (const tile of all) {
        const fits = (!word || tile.dataset.words.split(" ").includes(word)) && typed.every((part) => finds(tile.dataset.text, part));
        tile.hidden = !fits;
        shown += fits;
      }
      count.textContent = shown === all.length ? "" : `${shown} of ${all.length}`;
      empty.hidden = shown > 0;
      empty.querySelector("q").textContent = [field.value.trim(), word].filter(Boolean).join(", ");
      changed();
    };
    for (const button of buttons) button.addEventListener("click", () => press(button));
    empty.querySelector("button").addEventListener("click", () => {
      field.value = "";
      press(buttons[0]);
      field.focus();
    });
    field.addEventListener("input", show);
  }

  /* Things to try: buttons that set the sliders of the flock above them. */
  for (const group of document.querySelectorAll(".tries")) {
    const flock = group.previousElementSibling.murmurate;
    const buttons = [...group.querySelectorAll("button")];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
        flock.set(button.dataset.flock);
      });
    }
  }
})();
