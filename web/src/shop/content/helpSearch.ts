import type { HelpQuestion, HelpTopic } from "../../contract/wire.ts";

/** Questions that hold every word of a text, those that name it in the question first. */
export function findAnswers(topics: readonly HelpTopic[], text: string): HelpQuestion[] {
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (asked.length === 0) return [];
  const holds = (said: string) => asked.every((word) => said.includes(word));
  const all = topics.flatMap((topic) => topic.questions);
  const inQuestion = all.filter((one) => holds(one.question.toLowerCase()));
  const inAnswer = all.filter((one) => !inQuestion.includes(one) && holds(wordsOf(one)));
  return [...inQuestion, ...inAnswer];
}

function wordsOf({ question, answer }: HelpQuestion): string {
  const runs = answer.flatMap((block) => [block.runs, ...block.items]).flat();
  return [question, ...runs.map((run) => run.text)].join(" ").toLowerCase();
}
