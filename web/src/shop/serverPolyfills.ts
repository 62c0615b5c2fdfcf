/**
 * What React's renderer expects of its engine and QuickJS lacks. Nothing here waits: the synchronous renderer never
 * uses timers or channels, it only wants the names to exist.
 */

class SilentPort {
  onmessage: (() => void) | null = null;
  postMessage(): void {
    const deliver = this.onmessage;
    if (deliver) void Promise.resolve().then(deliver);
  }
  close(): void {}
}

class QueueChannel {
  readonly port1 = new SilentPort();
  readonly port2 = { postMessage: () => this.port1.postMessage(), close: () => {} };
}

class Utf8Encoder {
  encode(text = ""): Uint8Array {
    const escaped = encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Uint8Array.from(escaped, (char) => char.charCodeAt(0));
  }
}

const later = (task: () => void): number => {
  void Promise.resolve().then(task);
  return 0;
};

const absent: Record<string, unknown> = {
  MessageChannel: QueueChannel,
  TextEncoder: Utf8Encoder,
  setTimeout: later,
  clearTimeout: () => {},
  setImmediate: later,
  queueMicrotask: (task: () => void) => void Promise.resolve().then(task),
  console: { log: () => {}, warn: () => {}, error: () => {} },
};

for (const [name, stand] of Object.entries(absent)) {
  if (!(name in globalThis)) Object.assign(globalThis, { [name]: stand });
}
