/** How many steps a device is given at once. Drivers end submissions of seconds, and a long one delays the picture, so
 * one has at most LONGEST milliseconds of steps, by the time that steps took before. */

const LONGEST = 50; // milliseconds of steps of a submission, at most
const WAITING = 2; // submissions that may wait, so that the device always has work
const FIRST = 20; // milliseconds that a step is taken to need before one was measured

export class Pace {
  private perStep = 0; // milliseconds; 0: not measured
  private waiting = 0;
  private lastDone = -Infinity;

  constructor(private readonly most: number, private readonly clock: () => number = () => performance.now()) {}

  /** Steps that may be submitted now. */
  get room(): number {
    if (this.waiting >= (this.perStep > 0 ? WAITING : 1)) return 0;
    if (this.perStep === 0) return 1;
    return Math.max(1, Math.min(this.most, Math.floor(LONGEST / this.perStep)));
  }

  /** Milliseconds that steps need. */
  estimate(steps: number): number {
    return steps * (this.perStep || FIRST);
  }

  /** Steps were submitted; `done`: when the device has finished all that was. */
  submitted(steps: number, done: Promise<unknown>, then: () => void): void {
    this.waiting++;
    const begun = this.clock();
    const finish = (): void => {
      this.waiting--;
      const now = this.clock();
      const each = Math.max(0.001, now - Math.max(begun, this.lastDone)) / steps;
      this.lastDone = now;
      // Shorter times count at once: the device was busy with something else before.
      this.perStep = this.perStep === 0 ? each : Math.min(each, this.perStep + 0.3 * (each - this.perStep));
      then();
    };
    done.then(finish, () => undefined); // a lost device is noticed elsewhere
  }
}
