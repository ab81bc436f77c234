/** How many frames were drawn, and how many a second. */

export class FrameRate {
  drawn = 0;
  fps = 0;
  private marks: number[] = [];

  count(at: number): void {
    this.drawn++;
    this.marks.push(at);
    while (this.marks[0]! < at - 1000) this.marks.shift();
    const span = at - this.marks[0]!;
    this.fps = span > 0 ? ((this.marks.length - 1) * 1000) / span : 0;
  }
}
