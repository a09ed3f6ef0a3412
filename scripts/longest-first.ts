import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLongRun } from '../packages/testkit/extent.ts'

/**
 * What takes longest runs first, so that no worker is left alone with it in the end: every day the suites of the whole
 * platform, in the long run those that try cases by the million. Vitest itself knows only where it has run before.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const platform = sorted.filter(isOfThePlatform)
    const parts = sorted.filter((file) => !isOfThePlatform(file))
    return isLongRun ? [...parts, ...platform] : [...platform, ...parts]
  }
}

const isOfThePlatform = ({ moduleId }: TestSpecification) => moduleId.startsWith(platformFolder)
const platformFolder = new URL('../test/', import.meta.url).pathname
