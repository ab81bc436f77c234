/** A page inside CODAP, as a data interactive: tables go there as cases.
 *
 * CODAP's plug-in API over the messages of iframe-phone: both sides say hello; then each call has a uuid, which its
 * answer repeats. https://github.com/concord-consortium/codap/wiki/CODAP-Data-Interactive-Plugin-API */

import { hearPageAround } from "./embedding";
import { t } from "../words";

const PHONE = "data-interactive";
const [APART, TRIES, PATIENCE] = [400, 25, 5000]; // milliseconds between two hellos, hellos, milliseconds for an answer
const RUN = "run";

interface Answer {
  success: boolean;
  values?: { error?: string };
}

interface Said {
  type?: string;
  content?: { messageType?: string; uuid?: string; value?: Answer };
}

export interface DataTable {
  columns: string[];
  rows: (string | number | null)[][];
}

export class Codap {
  connected = false;
  private readonly waiting = new Map<string, (answer: Answer | null) => void>();
  private readonly runs = new Map<string, number>();
  private next = 1;
  private timer = 0;

  constructor(private readonly title: string) {}

  /** Say hello to the page around, if there is one, until it answers. */
  connect(): void {
    if (window.parent === window) return;
    this.unhear = hearPageAround((data) => this.hear(data as Said | null));
    let tries = 0;
    const hello = (): void => {
      this.post({ type: "hello" });
      if (++tries >= TRIES) clearInterval(this.timer);
    };
    this.timer = window.setInterval(hello, APART);
    hello();
  }

  private unhear = (): void => undefined;

  dispose(): void {
    clearInterval(this.timer);
    this.unhear();
  }

  private post(message: unknown): void {
    window.parent.postMessage(message, "*");
  }

  private hear(said: Said | null): void {
    if (said?.type === "hello" && !this.connected) {
      this.connected = true;
      clearInterval(this.timer);
      void this.call("update", "interactiveFrame", { title: this.title, dimensions: { width: 900, height: 600 }, preventDataContextReorg: false });
    }
    if (said?.type !== PHONE || !said.content) return;
    const { messageType, uuid = "", value } = said.content;
    // CODAP's own requests need an answer: the page has no state for it.
    if (messageType === "call") this.post({ type: PHONE, content: { messageType: "returnValue", uuid, value: { success: false } } });
    else if (value) this.answer(uuid, value);
  }

  private answer(uuid: string, answer: Answer | null): void {
    this.waiting.get(uuid)?.(answer);
    this.waiting.delete(uuid);
  }

  private call(action: string, resource: string, values?: unknown): Promise<Answer | null> {
    const uuid = `murmurate-${this.next++}`;
    return new Promise((done) => {
      this.waiting.set(uuid, done);
      setTimeout(() => this.answer(uuid, null), PATIENCE);
      this.post({ type: PHONE, content: { messageType: "call", uuid, value: { action, resource, ...(values !== undefined && { values }) } } });
    });
  }

  /** Add a table to the data set of that name, as a run of its own, and show it. Returns why it failed; empty if it
   * did not. */
  async send(name: string, title: string, { columns, rows }: DataTable): Promise<string> {
    const context = `murmurate_${name}`;
    const found = await this.call("get", `dataContext[${context}]`);
    if (!found?.success) {
      const collections = [
        { name: "runs", attrs: [{ name: RUN, type: "categorical" }] },
        { name: title.toLowerCase(), parent: "runs", attrs: columns.map((column, k) => ({ name: column, type: typeof rows[0]?.[k] === "string" ? "categorical" : "numeric" })) },
      ];
      const made = await this.call("create", "dataContext", { name: context, title: `${this.title}: ${title}`, collections });
      if (!made?.success) return refusal(made);
    }
    const run = (this.runs.get(name) ?? 0) + 1;
    const items = rows.map((row) => ({ [RUN]: run, ...Object.fromEntries(row.map((value, k) => [columns[k]!, value])) }));
    const added = await this.call("create", `dataContext[${context}].item`, items);
    if (!added?.success) return refusal(added);
    this.runs.set(name, run);
    await this.call("create", "component", { type: "caseTable", name: context, dataContext: context });
    return "";
  }
}

const refusal = (answer: Answer | null): string => (answer ? t("CODAP refuses the data. {why}", { why: answer.values?.error ?? "" }) : t("CODAP does not answer."));
