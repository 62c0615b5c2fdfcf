import { expect, test } from "vitest";
import { joinSentences } from "./sentences.ts";

// The server's `Language::join_sentences` sets Chinese sentences apart by their marks alone, too.
test("no space follows a mark as wide as a character", () => {
  expect(joinSentences("The room is free.", "Book it.", "")).toBe("The room is free. Book it.");
  expect(joinSentences("房间空出。", "请预订！", "谢谢？", "好。")).toBe("房间空出。请预订！谢谢？好。");
  expect(joinSentences("房间空出。", "Book it.", "请预订。")).toBe("房间空出。Book it. 请预订。");
  expect(joinSentences()).toBe("");
});
