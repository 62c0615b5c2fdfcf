import { expect, test } from "vitest";
import { findPlayer } from "./players.ts";

const youtube = { platform: "YouTube", frame: "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&rel=0" };
const vimeo = (path: string) => ({
  platform: "Vimeo",
  frame: `https://player.vimeo.com/video/76979871?autoplay=1&dnt=1${path}`,
});
const tour = { platform: "Matterport", frame: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1" };

test.each([
  ["https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=10s", youtube],
  ["http://youtu.be/aqz-KE-bpKQ?si=x", youtube],
  ["https://m.youtube.com/shorts/aqz-KE-bpKQ", youtube],
  ["https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ/", youtube],
  ["https://vimeo.com/76979871", vimeo("")],
  ["https://vimeo.com/76979871/8272103f6e", vimeo("&h=8272103f6e")],
  ["https://player.vimeo.com/video/76979871?h=8272103f6e", vimeo("&h=8272103f6e")],
  ["https://my.matterport.com/show/?m=SxQL3iGyoDo", tour],
  [
    "https://www.bilibili.com/video/BV1xx411c7mD/?p=1",
    { platform: "Bilibili", frame: "https://player.bilibili.com/player.html?bvid=BV1xx411c7mD&autoplay=1" },
  ],
  [
    "https://v.youku.com/v_show/id_XNDQ2MjYyNzY0OA==.html",
    { platform: "Youku", frame: "https://player.youku.com/embed/XNDQ2MjYyNzY0OA" },
  ],
  [
    "https://kuula.co/share/collection/7FGJ2?fs=1&vr=1",
    { platform: "Kuula", frame: "https://kuula.co/share/collection/7FGJ2" },
  ],
])("%s is shown in the frame of its platform", (address, player) => {
  expect(findPlayer(address)).toEqual(player);
});

test.each([
  ["https://www.youtube.com/@channel", "YouTube"],
  ["https://vimeo.com/about", "Vimeo"],
  ["https://my.matterport.com/", "Matterport"],
  ["https://kuula.co/explore", "Kuula"],
  ["https://tour.giraffe360.com/portland-court", "tour.giraffe360.com"],
  // No platform: only its name begins so.
  ["https://youtube.com.evil.example/watch?v=aqz-KE-bpKQ", "youtube.com.evil.example"],
])("%s is no recording that can be framed, and is a link", (address, platform) => {
  expect(findPlayer(address)).toEqual({ platform, frame: null });
});

test("an address that is none of the web has no player", () => {
  expect(findPlayer("javascript:alert(1)")).toBeNull();
  expect(findPlayer("our film")).toBeNull();
});
