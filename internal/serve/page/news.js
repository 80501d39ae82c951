// The stream of events of a study. A browser has few connections to a server, six for all its tabs together. So of the tabs that show one
// study a single one holds the stream, and tells the others; a tab that nobody sees holds none; and of all studies a few have one. The
// others are looked at now and then.

const most = 100; // events that are kept
const streams = 3; // at once, in all tabs

export class News {
  constructor(name, from, heard) {
    this.from = from; // event from which on, less a few
    this.name = name;
    this.heard = heard;
    this.events = []; // the latest, in order
    this.seq = 0;
    this.closed = false;
    const key = "tarry:" + name;
    if ("BroadcastChannel" in self) {
      this.channel = new BroadcastChannel(key);
      this.channel.onmessage = m => this.take(m.data);
    }
    this.key = key;
    this.seen = () => document.hidden ? this.rest() : this.hold();
    document.addEventListener("visibilitychange", this.seen);
    this.seen();
  }

  // hold waits for the turn of this tab, and then has the stream until it rests.
  hold() {
    if (this.stop || this.closed) return;
    if (!navigator.locks) {
      this.open();
      return;
    }
    const stop = this.stop = new AbortController();
    const signal = stop.signal;
    const streaming = () => signal.aborted ? undefined : new Promise(done => { this.done = done; this.open(); });
    const place = async () => {
      for (let i = 0; i < streams; i++) {
        const got = await navigator.locks.request("tarry stream " + i, { ifAvailable: true }, lock => lock && Promise.resolve(streaming()).then(() => true));
        if (got) return;
      }
      await navigator.locks.request("tarry stream " + Math.floor(Math.random() * streams), { signal }, streaming);
    };
    navigator.locks.request(this.key, { signal }, place).catch(() => {});
  }

  // rest gives the stream to another tab.
  rest() {
    this.source?.close();
    this.source = undefined;
    this.stop?.abort();
    this.stop = undefined;
    this.done?.();
    this.done = undefined;
  }

  open() {
    if (this.closed || this.source) return;
    const from = this.seq || Math.max(this.from - 50, 0);
    this.source = new EventSource(`/v1/studies/${encodeURIComponent(this.name)}/events?after=${from}`);
    const heard = m => {
      if (!m.data) return;
      const event = m.type === "gap" ? { gap: true } : JSON.parse(m.data);
      this.take(event);
      this.channel?.postMessage(event);
    };
    for (const kind of kinds) this.source.addEventListener(kind, heard);
  }

  take(event) {
    if (event.gap) this.seq = 0; // it may be another study of this name
    if (event.seq) {
      if (event.seq <= this.seq) return;
      this.seq = event.seq;
      this.events.push(event);
      if (this.events.length > most) this.events.splice(0, this.events.length - most);
    }
    this.heard(event);
  }

  close() {
    this.closed = true;
    document.removeEventListener("visibilitychange", this.seen);
    this.rest();
    this.channel?.close();
  }
}

// kinds are the names of the events that a stream may have.
const kinds = ["gap", "paused", "proposed", "propose-failed", "fitted", "fit-failed", "feedback-arrived", "answer-follows", "evaluation-failed", "reported", "lease-renewed",
  "cancel-requested", "observation-arrived", "query-enqueued", "worker-freed", "budget-set", "resumed", "context-arrived", "woke", "stop-requested"];
