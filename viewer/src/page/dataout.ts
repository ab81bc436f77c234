/** Data of a page for other programs: what charts show and the boids of this moment, as CSV or in CODAP. */

import type { Codap, DataTable } from "./codap";
import { copyText, download } from "./copying";
import type { LiveView } from "./livepart";
import { h } from "../ui/dom";
import { openSheet } from "../ui/help";
import { decimals, t } from "../words";
import type { SceneCore } from "../wire/contracts";
import type { ReplyMessage } from "../wire/messages";

/** Comma-separated values (RFC 4180); numbers with all their digits, and a decimal point in every language. */
export function csvOf({ columns, rows }: DataTable): string {
  const cell = (value: string | number | null): string => (typeof value === "string" && /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? ""));
  return `${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** All boids with their positions and velocities, in the order of ids. */
export function boidsTable({ step, time, flocks }: NonNullable<ReplyMessage["controlled"]>, scene: Pick<SceneCore, "dims">): DataTable {
  const axes = ["x", "y", "z"].slice(0, scene.dims);
  const rows = Object.entries(flocks).flatMap(([flock, { ids, positions, velocities }]) =>
    Array.from(ids, (id, k) => {
      const own = (numbers: Float32Array): number[] => Array.from(numbers.subarray(k * axes.length, (k + 1) * axes.length));
      return [step, time, flock, id, ...own(positions), ...own(velocities)];
    }),
  );
  return { columns: ["step", "time", "flock", "id", ...axes, ...axes.map((axis) => `v${axis}`)], rows };
}

/** Open the sheet that saves, copies or sends the data. */
export async function openData(live: LiveView, name: string, codap: Codap): Promise<void> {
  const { shell, scene } = live;
  const reply = await live.requests.send({ type: "control", steps: 0, controls: {} });
  if (!reply.controlled || !scene) return;
  const { time } = reply.controlled;
  const part = (title: string, file: string, about: string, table: DataTable): HTMLElement => {
    const button = (label: string, test: string, go: () => unknown, strong = false): HTMLElement =>
      h("button", { type: "button", class: `button${strong ? " strong" : ""}`, "data-test": `${test}-${file}`, "aria-label": t("{act}: {what}", { act: label, what: title }), onClick: () => void go() }, label);
    return h(
      "section", { class: "data" },
      h("h3", {}, title), h("p", { class: "quiet" }, about),
      h("footer", {},
        codap.connected && button(t("Send to CODAP"), "send", async () => {
          const failed = await codap.send(file, title, table);
          shell.notices.say(failed || t("{what}: sent to CODAP.", { what: title }), { about: "codap", level: failed ? "error" : "info" });
        }, true),
        button(t("Save CSV"), "save", () => download(csvOf(table), "text/csv", `${name}-${file}.csv`), !codap.connected),
        button(t("Copy"), "copy", () => copyText(shell, csvOf(table), title, t("The table is copied to the clipboard.")))),
    );
  };
  const charts = shell.charts.table();
  const boids = boidsTable(reply.controlled, scene);
  openSheet(
    shell.frame, t("Data"),
    part(t("Charts"), "charts", t("{n} times: {columns}", { n: charts.rows.length, columns: charts.columns.slice(1).join(", ") }), charts),
    part(t("Boids"), "boids", t("{n} boids at time {time}: positions and velocities", { n: boids.rows.length, time: decimals(time.toFixed(1)) }), boids),
  );
}
