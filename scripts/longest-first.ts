import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The suites of the whole platform, which take longest, run first, so that no worker is left alone with one in the end.
 * Vitest itself knows that only where it has run before.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isOfThePlatform), ...sorted.filter((file) => !isOfThePlatform(file))]
  }
}

const isOfThePlatform = ({ moduleId }: TestSpecification) => moduleId.startsWith(platformFolder)
const platformFolder = new URL('../test/', import.meta.url).pathname
