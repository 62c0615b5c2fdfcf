/** A platform whose recordings can be shown in a frame of ours. The server's Content-Security-Policy names the same frames. */
interface Platform {
  name: string;
  hosts: readonly string[];
  /** The address of its frame, or null where the page is none of a recording. */
  frame: (url: URL) => string | null;
}

/** The place where a recording is shown; without a `frame` a link alone leads there. */
export interface Player {
  platform: string;
  frame: string | null;
}

const lastOf = (url: URL): string => url.pathname.split("/").findLast((part) => part !== "") ?? "";

const platforms: readonly Platform[] = [
  {
    name: "YouTube",
    hosts: ["youtube.com", "m.youtube.com", "youtu.be", "youtube-nocookie.com"],
    frame: (url) => {
      const id = url.searchParams.get("v") ?? lastOf(url);
      return /^[\w-]{11}$/.test(id) ? `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0` : null;
    },
  },
  {
    name: "Vimeo",
    hosts: ["vimeo.com", "player.vimeo.com"],
    frame: (url) => {
      const [, id, path] = /\/(\d{5,})(?:\/(\w+))?\/?$/.exec(url.pathname) ?? [];
      if (!id) return null;
      // A video that is not listed is opened with its second number.
      const unlisted = path ?? url.searchParams.get("h");
      return `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${unlisted ? `&h=${encodeURIComponent(unlisted)}` : ""}`;
    },
  },
  {
    name: "Bilibili",
    hosts: ["bilibili.com", "m.bilibili.com", "player.bilibili.com"],
    frame: (url) => {
      const id = url.searchParams.get("bvid") ?? lastOf(url);
      return /^BV\w{10}$/.test(id) ? `https://player.bilibili.com/player.html?bvid=${id}&autoplay=1` : null;
    },
  },
  {
    name: "Youku",
    hosts: ["v.youku.com", "player.youku.com"],
    frame: (url) => {
      const [, id] = /\/(?:v_show\/id_|embed\/)(\w+)(?:={0,2})(?:\.html)?$/.exec(url.pathname) ?? [];
      return id ? `https://player.youku.com/embed/${id}` : null;
    },
  },
  {
    name: "Kuula",
    hosts: ["kuula.co"],
    frame: (url) => {
      const [, path] = /^\/(?:share|post)\/((?:collection\/)?\w+)\/?$/.exec(url.pathname) ?? [];
      return path ? `https://kuula.co/share/${path}` : null;
    },
  },
  {
    name: "Matterport",
    hosts: ["my.matterport.com", "matterport.com"],
    frame: (url) => {
      const id = url.searchParams.get("m") ?? lastOf(url);
      return /^[A-Za-z0-9]{11}$/.test(id) ? `https://my.matterport.com/show/?m=${id}&play=1` : null;
    },
  },
];

/** The player of a recording by its address; null where that is none of the web. */
export function findPlayer(address: string): Player | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/^www\./, "");
  const platform = platforms.find(({ hosts }) => hosts.includes(host));
  return platform ? { platform: platform.name, frame: platform.frame(url) } : { platform: host, frame: null };
}
