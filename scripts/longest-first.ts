import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isLongRun } from '../packages/testkit/extent.ts'
import { faultSuites } from './fault-suites.js'

/**
 * What takes longest runs first, so that no worker is left alone with it in the end: every day the suites of the whole
 * platform, in the long run as its list has them. Vitest itself knows only where it has run before.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

const root = new URL('..', import.meta.url).pathname
const firstFolders = isLongRun ? faultSuites : ['test/']

function rankOf({ moduleId }: TestSpecification): number {
  const rank = firstFolders.findIndex((folder) => moduleId.startsWith(`${root}${folder}`))
  return rank === -1 ? firstFolders.length : rank
}
