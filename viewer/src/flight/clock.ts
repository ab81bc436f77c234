/** The clock: which steps are due at a rate, and how fast they are simulated. Times are in milliseconds.
 * Like live_view/runner.py. */

const MOMENT = 20; // milliseconds of steps between two checks for messages
const BEHIND = 0.25; // seconds of steps that may be caught up on
const MAX_BLOCK = 20_000;

export class Clock {
  playing = false;
  /** Steps a second that are simulated. */
  perSecond = 0;
  private more = 0; // steps still to make before it rests
  private block = 1;
  private since = 0;
  private owedFrom = 0;
  private total = 0;
  private counted: [number, number][] = [];

  /** `moment`: milliseconds of steps that are due at once, at most. */
  constructor(public rate: number | null, private readonly moment = MOMENT) {}

  get active(): boolean {
    return this.playing || this.more > 0;
  }

  play(now: number): void {
    [this.playing, this.more] = [true, 0];
    this.reset(now);
  }
  pause(): void {
    [this.playing, this.more] = [false, 0];
  }
  runSteps(steps: number): void {
    [this.playing, this.more] = [false, Math.min(this.more + steps, 1_000_000)];
  }
  setRate(rate: number | null, now: number): void {
    this.rate = rate;
    this.reset(now);
  }
  /** Steps are due from now on, whatever was due before. */
  reset(now: number): void {
    [this.since, this.owedFrom] = [now, this.total];
  }
  /** Another flight: how long its steps take is not known. */
  restart(now: number): void {
    [this.block, this.more] = [1, 0];
    this.reset(now);
  }

  /** How many steps to make now, and how long to wait after them. */
  due(now: number): [number, number] {
    if (!this.active) return [0, 200];
    if (this.more > 0) return [Math.min(this.more, this.block), 0];
    if (this.rate === null) return [this.block, 0];
    let owed = ((now - this.since) / 1000) * this.rate - (this.total - this.owedFrom);
    if (owed < 1) return [0, Math.min(200, (1000 * (1 - owed)) / this.rate)];
    if (owed > Math.max(2, BEHIND * this.rate)) {
      this.reset(now); // it is too slow: lost time is not made up for
      owed = this.block;
    }
    return [Math.max(1, Math.min(Math.floor(owed), this.block)), 0];
  }

  /** Record that some steps were made, and how long they took. */
  advance(steps: number, took: number): void {
    this.block = Math.max(1, Math.min(4 * steps, Math.floor((steps * this.moment) / Math.max(took, 0.001)), MAX_BLOCK));
    this.total += steps;
    this.more = Math.max(0, this.more - steps);
  }

  /** Notes how many steps were made by now. */
  count(now: number): void {
    const last = this.counted[this.counted.length - 1];
    if (last && now - last[0] < 20) return;
    this.counted.push([now, this.total]);
    while (this.counted.length > 2 && now - this.counted[0]![0] > 1000) this.counted.shift();
    const [then, before] = this.counted[0]!;
    this.perSecond = this.active && now > then ? (1000 * (this.total - before)) / (now - then) : 0;
  }
}
