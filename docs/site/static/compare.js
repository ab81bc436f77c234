/* Two flocks side by side: which, and with which settings, stands in the address after #, as
 * a=NAME&b=NAME&fa=SETTINGS&fb=SETTINGS. */
(() => {
  "use strict";
  const data = document.getElementById("flocks");
  const tries = JSON.parse(data.textContent);
  const asked = new URLSearchParams(location.hash.slice(1));
  const now = { a: "vicsek-1995", b: "couzin-2002", fa: "", fb: "" };
  for (const side of ["a", "b"]) {
    if (Object.hasOwn(tries, asked.get(side) ?? "")) now[side] = asked.get(side);
    if (/^[\w-]{0,8000}$/.test(asked.get(`f${side}`) ?? "")) now[`f${side}`] = asked.get(`f${side}`) ?? "";
  }

  function write() {
    const given = Object.entries(now).filter(([, value]) => value);
    history.replaceState(null, "", `#${new URLSearchParams(given)}`);
  }

  /* Both fly in lockstep: a page that flies says at which second it is, and both are let fly a stretch further when
   * both are where the last one ended. What is restarted or paused on one side is on the other too. Messages are under
   * way for a while: a page that has been given an order that was not heard of here yet leaves what it is told. */
  const STRETCH = 0.1; // seconds
  const NONE = -1;
  const flying = new Map(); // flock -> where it is; `awaited`: it was asked to begin anew
  let until = NONE;
  let playing = true;
  let said = "";

  function restart(others) {
    until = NONE;
    for (const flock of others) {
      flying.get(flock).awaited = true;
      flock.tell({ murmurate: "restart" });
    }
  }
  const but = (flock) => [...flying.keys()].filter((one) => one !== flock);
  function tell(flock, seconds) {
    const { begun, orders } = flying.get(flock);
    flock.tell({ murmurate: "until", seconds, playing, begun, orders });
  }
  function join(flock) {
    flying.set(flock, { seconds: 0, step: 0, begun: 0, orders: 0, awaited: false });
    tell(flock, 0);
    restart(but(flock));
    letFly();
  }
  function reached(flock, now) {
    const before = flying.get(flock);
    if (!before) return;
    const anew = now.begun !== before.begun;
    if (before.awaited && !anew) return;
    if (now.orders !== before.orders) playing = now.playing;
    flying.set(flock, { ...now, awaited: false });
    if (anew && !before.awaited) restart(but(flock));
    letFly();
  }
  function letFly() {
    const all = [...flying.values()];
    if (all.some(({ awaited }) => awaited)) return;
    const furthest = Math.max(...all.map(({ seconds }) => seconds));
    const level = all.every(({ seconds, step }) => seconds + 1.001 * step > until);
    const next = playing ? furthest + Math.max(STRETCH, ...all.map(({ step }) => step)) : furthest;
    const orders = [playing, ...all.map((one) => one.orders)].join();
    if (said === orders && (playing ? !level : next === until)) return;
    [until, said] = [next, orders];
    for (const flock of flying.keys()) tell(flock, until);
  }

  for (const section of document.querySelectorAll(".side")) {
    const { side } = section.dataset;
    const [names, settings] = section.querySelectorAll("select");
    const element = section.querySelector(".flock");
    const flock = element.murmurate;
    const option = (label, value) => Object.assign(document.createElement("option"), { textContent: label, value });

    const list = () => {
      const known = tries[now[side]];
      settings.replaceChildren(option("As published", ""), ...known.map(({ words, link }) => option(words, link)));
      if (now[`f${side}`] && !known.some(({ link }) => link === now[`f${side}`])) settings.append(option("As set here", now[`f${side}`]));
      settings.value = now[`f${side}`];
    };
    const fly = () => {
      flock.rest();
      flying.delete(flock);
      element.dataset.live = `${data.dataset.live}${now[side]}.html`;
      element.dataset.flock = now[`f${side}`];
      element.querySelector("img").src = `${data.dataset.live}${now[side]}.png`;
      element.querySelector("img").alt = `${now[side]}, a still picture`;
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches) flock.fly();
    };
    names.value = now[side];
    names.addEventListener("change", () => {
      [now[side], now[`f${side}`]] = [names.value, ""];
      list();
      write();
      fly();
    });
    settings.addEventListener("change", () => {
      now[`f${side}`] = settings.value;
      write();
      flock.set(settings.value);
    });
    element.addEventListener("flies", () => join(flock));
    element.addEventListener("reached", ({ detail }) => reached(flock, detail));
    element.addEventListener("flock", ({ detail }) => {
      now[`f${side}`] = detail;
      list();
      write();
    });
    list();
    fly();
  }

  const copied = document.querySelector(".copied");
  document.querySelector(".copy").addEventListener("click", async () => {
    write();
    try {
      await navigator.clipboard.writeText(location.href);
      copied.textContent = "copied";
    } catch {
      copied.textContent = location.href;
    }
  });
})();
