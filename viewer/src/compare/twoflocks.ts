/** Two flocks side by side: each with its own numbers, in a panel of its own; both are at the same step. */

import type { Bytes, Channel, ChannelState, Numbered } from "../channel/channel";
import { FlightView, type FlightPage } from "../flightview";
import { CompareBar } from "../ui/comparebar";
import { differencesOf, wordsOf } from "../page/settings";
import { segments } from "../ui/dom";
import type { ServerMessage } from "../wire/messages";
import { Pair } from "./pair";
import { t, tm } from "../words";

/** The channel of the second simulation. A pair decides which frames are shown. */
class SecondChannel implements Channel {
  json: (message: ServerMessage) => void = () => undefined;
  binary: (data: Bytes) => void = () => undefined;

  constructor(private readonly flight: Channel) {}

  send(message: Numbered): void {
    this.flight.send(message);
  }
  onJson(call: (message: ServerMessage) => void): void {
    this.json = call;
  }
  onBinary(call: (data: Bytes) => void): void {
    this.binary = call;
  }
  onState(call: (state: ChannelState) => void): void {
    this.flight.onState(call);
  }
}

export class TwoFlocks {
  readonly other: FlightView;
  /** The one whose panel is shown. */
  current: FlightView;
  private readonly pair: Pair;
  private readonly bar = new CompareBar();
  private readonly tabs = segments("tab", t("Panel of flock"), [{ value: "0", label: "" }, { value: "1", label: "" }], (side) => this.choose(Number(side)));

  constructor(private readonly page: FlightPage & { main: FlightView }, flight: Channel, private readonly view: HTMLElement, private readonly ready: () => void) {
    const { main, shell } = page;
    this.current = main;
    const channel = new SecondChannel(flight);
    const { settings, transport } = page;
    this.other = new FlightView(channel, {
      shell, settings, transport,
      get status() {
        return page.status;
      },
      openPanel: (open) => page.openPanel(open),
      mount: (viewport) => shell.setBeside(viewport, (parts) => this.bar.place(parts), true),
      entered: (_, __, first) => this.entered(first),
      changed: () => this.sayNames(),
    }, { side: 1, comparable: false });
    this.other.channel.onJson((message) => this.receive(message));
    this.pair = new Pair(main.channel, flight, page.status, {
      frame: (data) => channel.binary(data),
      other: (message) => channel.json(message),
      again: () => void main.requests.send({ type: "restart" }),
    });
    main.boid.card.element.after(this.other.boid.card.element);
    for (const { panel } of [main, this.other]) panel.element.classList.add("tabbed");
    shell.frame.append(this.other.panel.element, this.bar.element);
    this.choose(0);
  }

  private receive(message: ServerMessage): void {
    const { notices } = this.page.shell;
    switch (message.type) {
      case "status": return this.other.panel.setTime(message.time);
      case "notice": return notices.receive({ ...message, about: `second-${message.about}` });
      case "bye": return notices.say(`${t("The second flock has ended.")} ${message.reason ?? ""}`, { level: "error", about: "second", sticky: true });
      default: return this.other.receive(message);
    }
  }

  private entered(first: boolean): void {
    this.page.settings.choose({});
    if (first) this.ready();
    this.updateNames();
  }

  /** The names of the two. */
  updateNames(): void {
    const { main, shell } = this.page;
    const { scene } = this.other;
    if (!scene || !main.scene) return;
    const names: [string, string] = [main.scene.name, scene.name];
    shell.title.textContent = main.scene.name === scene.name ? main.scene.title || main.scene.name : t("{one} and {other}", { one: names[0], other: names[1] });
    shell.charts.compare(names, scene.flocks.map(({ name }) => tm(name)));
    this.sayNames();
  }

  /** The names of the two over each half and on the tabs: of one model twice, their differences. */
  sayNames(): void {
    const { main } = this.page;
    const { scene } = this.other;
    if (!scene || !main.scene) return;
    const scenes = [main.scene, scene] as const;
    const differences = main.scene.name === scene.name ? differencesOf(main.scene, scene, main.scene.schemas) : [];
    const apart = (["one", "other"] as const).map((which) => wordsOf(differences, which)) as [string, string];
    const titles = scenes.map(({ name, title }, k) => apart[k] || title || name) as [string, string];
    this.bar.say([titles[0], ""], [titles[1], ""]);
    [...this.tabs.element.children].forEach((tab, k) => {
      tab.textContent = apart[k] || scenes[k]!.name;
      (tab as HTMLElement).title = titles[k]!;
    });
  }

  /** Shows the panel of one of the two. */
  private choose(side: number): void {
    const { element } = this.tabs;
    const focused = element.contains((element.getRootNode() as ShadowRoot).activeElement);
    const flights = [this.page.main, this.other];
    this.current = flights[side]!;
    for (const { panel } of flights) panel.element.hidden = panel !== this.current.panel;
    this.current.panel.header.prepend(element);
    this.current.viewSlot.append(this.view);
    this.tabs.set(String(side));
    this.page.openPanel(this.page.shell.panelOpen);
    if (focused) (element.children[side] as HTMLElement).focus();
  }

  dispose(): void {
    this.pair.end();
    this.other.dispose();
  }
}
