/** Messages that want an answer, and values that change faster than they should be sent. */

import type { Channel } from "./channel/channel";
import type { PageMessage, Plain, ReplyMessage } from "./wire/messages";

const APART = 50; // milliseconds between two messages of changed values

export class Asker {
  private next = 1;
  private readonly open = new Map<number, (reply: ReplyMessage) => void>();
  private waiting: Record<string, Plain> = {};
  private timer = 0;
  private last = 0;

  constructor(
    private readonly channel: Channel,
    private readonly refused: (text: string, message: PageMessage) => void,
  ) {}

  /** Send; the answer, if it comes. A refusal is said on the page. */
  ask(message: PageMessage): Promise<ReplyMessage> {
    const id = this.next++;
    return new Promise((resolve) => {
      this.open.set(id, (reply) => {
        if (!reply.ok) this.refused(reply.error ?? "it was refused", message);
        resolve(reply);
      });
      this.channel.send({ ...message, id });
    });
  }

  answer(reply: ReplyMessage): void {
    const call = this.open.get(reply.to);
    this.open.delete(reply.to);
    if (call) call(reply);
    else if (!reply.ok) this.refused(reply.error ?? "it was refused", { type: "toml" });
  }

  /** Change values: together, and not more often than they can be used. */
  set(path: string, value: Plain, now: boolean): void {
    this.waiting[path] = value;
    const since = performance.now() - this.last;
    if (now || since >= APART) this.flush();
    else if (!this.timer) this.timer = window.setTimeout(() => this.flush(), APART - since);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.last = performance.now();
    const values = this.waiting;
    this.waiting = {};
    if (Object.keys(values).length > 0) void this.ask({ type: "set", values });
  }
}
