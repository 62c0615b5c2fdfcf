import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Slowest first, as measured; what is not named runs last. */
const slowest = [
  "story",
  "paymentWalk",
  "publicPages",
  "workspace",
  "faults",
  "leadWalk",
  "enquiries",
  "leadEdit",
  "serverAway",
  "profile",
];

/** Starts long files early, so that the workers end at about the same time. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowest.indexOf(basename(moduleId, ".test.ts"));
      return at < 0 ? slowest.length : at;
    };
    return [...files].sort((one, other) => rank(one) - rank(other));
  }
}
