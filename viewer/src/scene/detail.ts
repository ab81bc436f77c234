/** How finely a viewport is drawn. Where drawing takes long, pictures have fewer pixels while something moves, and all
 * of them when it rests. */

const LIMIT = 22; // milliseconds of a drawing: with the rest of the page, 30 pictures a second
const PATIENCE = 30; // long drawings in sequence: the first ones, in which much is prepared, do not tell
const REST = 150; // milliseconds without a drawing

export class Detail {
  coarse = false;
  private long = 0; // drawings in sequence
  private begun = 0;
  private ended = -Infinity;

  /** Whether the last picture was coarse and nothing moves any more. */
  isDue(at: number): boolean {
    return this.coarse && at - this.ended > REST;
  }

  /** Decide how to draw, and begin. Returns whether that differs from the last drawing. */
  begin(whole: boolean): boolean {
    const before = this.coarse;
    this.begun = performance.now();
    this.coarse = !whole && this.long >= PATIENCE && this.begun - this.ended <= REST;
    return this.coarse !== before;
  }

  end(): void {
    this.ended = performance.now();
    if (this.long < PATIENCE) this.long = this.ended - this.begun > LIMIT ? this.long + 1 : 0;
  }
}
