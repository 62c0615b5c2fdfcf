/** A student at the API: what a walk needs to exist before a page is opened. */

interface RoomOption {
  inventory_id: string;
  move_in_date: string;
  lease_duration: number;
  lease_duration_unit: string;
  rooms_left: number;
}

/** A property page's data, as far as a walk reads it. */
export interface Home {
  id: string;
  name: string;
  canonical_name: string;
  available: boolean;
  bookable: boolean;
  room_types: { options: RoomOption[] }[];
}

/** One stay that can be booked. */
export interface Stay extends RoomOption {
  home: string;
}

/** A payment as far as a walk looks at it. */
export interface Paid {
  token: string;
  status: string;
  version: number;
  gateway: { client_secret: string | null };
  lead_uuid: string | null;
  inventory_root_id: string;
}

/** A payment intent as the sandbox keeps it. */
interface Intent {
  id: string;
  client_secret: string;
  attempts: number;
  charge: { amount_minor: number } | null;
}

interface Notice {
  id: string;
  type: string;
  body: string;
  delivered: number;
  dropped: boolean;
}

let people = 0;

/** What a lead says that wants this stay. */
export const wishFor = (stay: Stay) => ({
  move_in_date: stay.move_in_date,
  lease_duration: `${stay.lease_duration} ${stay.lease_duration_unit}`,
});

export class Marketplace {
  private readonly url: string;
  private stays: Promise<Stay[]> | null = null;

  constructor(url: string) {
    this.url = url;
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const answer: { data: T } = await response.json();
    return answer.data;
  }

  /** Homes of a city that can be booked, with all their stays. */
  async homes(city: string, limit: number): Promise<Home[]> {
    const found = await this.call<{ result: { canonical_name: string }[] }>(
      "GET",
      `/api/v1/inventories?region_canonical_name=${city}&limit=${limit}&available=true`,
    );
    const homes = await Promise.all(found.result.map(({ canonical_name }) => this.home(canonical_name)));
    return homes.filter(({ bookable }) => bookable);
  }

  async home(canonicalName: string): Promise<Home> {
    const response = await fetch(`${this.url}/_page?url=${encodeURIComponent(`/places/${canonicalName}`)}`);
    const answer: { data: Home | { data: Home } } = await response.json();
    return "data" in answer.data ? answer.data.data : answer.data;
  }

  /** A stay of a room nobody else uses in this run, with at least so many rooms, or exactly so many. */
  async stay(fits: (rooms: number) => boolean = (rooms) => rooms >= 2): Promise<Stay> {
    this.stays ??= this.allStays();
    const stays = await this.stays;
    const stay = stays.find(({ rooms_left }) => fits(rooms_left));
    if (!stay) throw new Error("no stay like that is left");
    // Stays that share nights share the rooms.
    const others = stays.filter(({ inventory_id }) => inventory_id !== stay.inventory_id);
    stays.splice(0, stays.length, ...others);
    return stay;
  }

  private async allStays(): Promise<Stay[]> {
    const homes = await this.homes("london", 60);
    return homes.flatMap((home) =>
      home.room_types.flatMap(({ options }) => options.map((option) => ({ ...option, home: home.canonical_name }))),
    );
  }

  /** Somebody new asks for a stay, or for its room without saying when; or a known address asks again. */
  async lead(
    stay: Stay,
    data: object = wishFor(stay),
    known?: string,
  ): Promise<{ uuid: string; reference: string; email: string }> {
    people += 1;
    const email = known ?? `walker${people}.${Date.now()}@example.org`;
    const lead = await this.call<{ uuid: string; reference: string }>("POST", "/api/v0/leads/", {
      lead: {
        state: "created",
        inventory_id: stay.inventory_id,
        user_details: { name: "Maya Ramos", email, phone: "+34612345678" },
        data,
      },
    });
    return { ...lead, email };
  }

  async payment(stay: Stay): Promise<Paid> {
    const { uuid } = await this.lead(stay);
    return this.call<Paid>("POST", "/api/v0/payments", {
      payment: { lead_uuid: uuid, inventory_id: stay.inventory_id, payment_types: [] },
    });
  }

  read(token: string): Promise<Paid> {
    return this.call<Paid>("GET", `/api/v0/payments/${token}`);
  }

  /** What the gateway knows of the intents whose secrets are given, and every notice it sent about them. */
  async sandbox(secret: string): Promise<{ intent: Intent; notices: Notice[] }> {
    const known = await this.call<{ intents: Intent[]; notices: Notice[] }>("GET", "/dev/sandbox");
    const intent = known.intents.find(({ client_secret }) => client_secret === secret);
    if (!intent) throw new Error("the gateway does not know this payment");
    return { intent, notices: known.notices.filter(({ body }) => body.includes(intent.id)) };
  }

  begin(token: string): Promise<Paid> {
    return this.call<Paid>("POST", `/api/v0/payments/${token}/intent`, {});
  }

  pay(token: string, card_number = "4242424242424242"): Promise<Paid> {
    return this.call<Paid>("POST", `/api/v0/payments/${token}/sandbox_confirm`, { card_number });
  }

  /** Others hold every room of a stay, until the next of them hears that it is sold out. */
  async fill(stay: Stay): Promise<void> {
    for (let others = 0; others < 40; others++) {
      const { status } = await this.begin((await this.payment(stay)).token);
      if (status === "sold_out") return;
    }
    throw new Error("this stay never sells out");
  }
}
