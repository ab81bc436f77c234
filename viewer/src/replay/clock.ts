/** The playback clock of a replay: a frame number with a fraction, moved by real time. */

export const RATES = [1, 2, 4, 0.25, 0.5];

export class Clock {
  at = 0;
  playing = true;
  loop = true;
  rate = 1;

  constructor(
    private readonly frames: number,
    private readonly everySeconds: number,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.frames - 1;
  }

  seek(frame: number): void {
    this.at = Math.min(this.frames - 1, Math.max(0, frame));
  }

  /** Returns whether it continues. */
  go(seconds: number): boolean {
    const last = this.frames - 1;
    // A page that was hidden comes back where it was, not far ahead.
    this.at += (Math.min(seconds, 0.25) * this.rate) / Math.max(1e-6, this.everySeconds);
    if (this.at < last) return true;
    this.at = this.loop && last > 0 ? this.at % last : last;
    return this.loop;
  }
}
