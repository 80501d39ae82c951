// The stream of events of a study. Of the tabs that show one study a single one holds the stream, since a browser has few connections to a
// server, and tells the others; when it goes, another takes its place.

const most = 100; // events that are kept

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
    this.stop = new AbortController();
    if (navigator.locks) {
      navigator.locks.request(key, { signal: this.stop.signal }, () => new Promise(done => { this.done = done; this.open(); })).catch(() => {});
    } else {
      this.open();
    }
  }

  open() {
    if (this.closed) return;
    const from = this.seq || Math.max(this.from - 50, 0);
    this.source = new EventSource(`/v1/studies/${encodeURIComponent(this.name)}/events?after=${from}`);
    const heard = m => {
      if (!m.data) return;
      const event = JSON.parse(m.data);
      this.take(event);
      this.channel?.postMessage(event);
    };
    for (const kind of kinds) this.source.addEventListener(kind, heard);
  }

  take(event) {
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
    this.source?.close();
    this.channel?.close();
    this.stop.abort();
    this.done?.();
  }
}

// kinds are the names of the events that a stream may have.
const kinds = ["gap", "paused", "proposed", "propose-failed", "fitted", "fit-failed", "feedback-arrived", "answer-follows", "evaluation-failed", "lease-renewed",
  "cancel-requested", "observation-arrived", "query-enqueued", "worker-freed", "budget-set", "resumed", "context-arrived", "woke", "stop-requested"];
