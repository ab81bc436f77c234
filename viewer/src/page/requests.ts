/** Requests: messages with a reply, and changed values, sent no more often than they can be used. */

import type { Channel } from "../channel/channel";
import type { Plain } from "../wire/contracts";
import type { PageMessage, ReplyMessage } from "../wire/messages";
import { t } from "../words";

const APART = 50; // milliseconds between two messages of changed values

export class Requests {
  private next = 1;
  private readonly pending = new Map<number, (reply: ReplyMessage) => void>();
  private changed: Record<string, Plain> = {};
  private timer = 0;
  private last = 0;

  constructor(
    private readonly channel: Channel,
    private readonly refused: (text: string, message: PageMessage) => void,
    /** Called after every reply. */
    private readonly settled: (message: PageMessage) => void = () => undefined,
  ) {}

  /** Send a message; its reply, if it comes. A refusal is shown on the page, unless it is `quiet`. */
  send(message: PageMessage, quiet = false): Promise<ReplyMessage> {
    this.flush(); // earlier changes are sent first
    const id = this.next++;
    return new Promise((done) => {
      this.pending.set(id, (reply) => {
        if (!reply.ok && !quiet) this.refused(reply.error ?? t("the request was refused"), message);
        this.settled(message);
        done(reply);
      });
      this.channel.send({ ...message, id });
    });
  }

  /** A reply has come. */
  resolve(reply: ReplyMessage): void {
    const call = this.pending.get(reply.to);
    this.pending.delete(reply.to);
    if (call) call(reply);
    else if (!reply.ok) this.refused(reply.error ?? t("the request was refused"), { type: "toml" });
  }

  /** Change values: together, and not more often than they can be used. */
  set(path: string, value: Plain, now: boolean): void {
    this.changed[path] = value;
    const since = performance.now() - this.last;
    if (now || since >= APART) this.flush();
    else if (!this.timer) this.timer = window.setTimeout(() => this.flush(), APART - since);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    const values = this.changed;
    if (Object.keys(values).length === 0) return;
    this.changed = {};
    this.last = performance.now();
    void this.send({ type: "set", values });
  }
}
