/** Storage of results: the learning platform around the page (SCORM 1.2 or 2004), or this tab alone. */

export interface Report {
  text: string;
  score: number;
  complete: boolean;
  passed: boolean;
}

export interface Place {
  /** The name of the platform's interface; empty without one. */
  readonly platform: "" | "1.2" | "2004";
  /** Stored progress, and the pupil's name. */
  readonly text: string;
  readonly name: string;
  save(report: Report): void;
}

type Api = Record<string, (...values: string[]) => unknown>;

const DEPTH = 10; // frames up to the one with the interface

/** Find an interface by its name, in a frame around the page or in the window that opened it. */
function interfaceIn(name: string): Api | null {
  for (let from: Window | null = window, k = 0; from && k < 2; from = window.opener as Window | null, k++) {
    for (let frame: Window = from, depth = 0; depth < DEPTH; depth++) {
      try {
        const found = (frame as unknown as Record<string, Api>)[name];
        if (found) return found;
      } catch {
        // a frame of another origin
      }
      if (frame.parent === frame) break;
      frame = frame.parent;
    }
  }
  return null;
}

/** Hours, minutes and seconds as SCORM 1.2 writes them. */
const clockOf = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((x) => String(Math.floor(x)).padStart(2, "0")).join(":").padStart(10, "0");

class Platform implements Place {
  readonly text: string;
  readonly name: string;
  private readonly begun = Date.now();
  private complete = false;
  private ended = false;

  constructor(private readonly api: Api, readonly platform: "1.2" | "2004") {
    this.call("Initialize", "");
    this.text = this.get("suspend_data");
    const name = this.get(this.is2004 ? "learner_name" : "core.student_name");
    this.name = name.includes(",") ? name.split(",").reverse().join(" ").trim() : name;
    if (!this.text) {
      this.status("incomplete", "unknown");
      this.call("Commit", "");
    }
    addEventListener("pagehide", () => this.end());
  }

  private get is2004(): boolean {
    return this.platform === "2004";
  }

  private call(name: string, ...values: string[]): string {
    const own = this.is2004 ? name : `LMS${name === "Terminate" ? "Finish" : name}`;
    return String(this.api[own]?.(...values) ?? "");
  }

  private get(key: string): string {
    return this.call("GetValue", `cmi.${key}`);
  }

  private set(key: string, value: string | number): void {
    this.call("SetValue", `cmi.${key}`, String(value));
  }

  private status(complete: string, success: string): void {
    if (!this.is2004) return this.set("core.lesson_status", complete === "completed" ? success : complete);
    this.set("completion_status", complete);
    this.set("success_status", success);
  }

  save({ text, score, complete, passed }: Report): void {
    const before = this.is2004 ? "" : "core.";
    this.set("suspend_data", text);
    this.set(`${before}score.min`, 0);
    this.set(`${before}score.max`, 100);
    this.set(`${before}score.raw`, score);
    if (this.is2004) this.set("score.scaled", score / 100);
    this.complete = complete;
    this.status(complete ? "completed" : "incomplete", complete ? (passed ? "passed" : "failed") : "unknown");
    this.call("Commit", "");
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const seconds = Math.round((Date.now() - this.begun) / 1000);
    if (this.is2004) this.set("session_time", `PT${seconds}S`);
    else this.set("core.session_time", clockOf(seconds));
    this.set(this.is2004 ? "exit" : "core.exit", this.complete ? (this.is2004 ? "normal" : "") : "suspend");
    this.call("Commit", "");
    this.call("Terminate", "");
  }
}

/** Storage of a tab, which survives a reload and ends with the tab. */
class Tab implements Place {
  readonly platform = "";
  readonly name = "";

  constructor(private readonly key: string) {}

  get text(): string {
    try {
      return sessionStorage.getItem(this.key) ?? "";
    } catch {
      return ""; // pages in frames may have none
    }
  }

  save({ text }: Report): void {
    try {
      sessionStorage.setItem(this.key, text);
    } catch {
      // as above
    }
  }
}

export function placeOfResults(digest: string): Place {
  const [later, first] = [interfaceIn("API_1484_11"), interfaceIn("API")];
  if (later) return new Platform(later, "2004");
  return first ? new Platform(first, "1.2") : new Tab(`murmurate-${digest.slice(0, 8)}`);
}
