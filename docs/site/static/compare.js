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
