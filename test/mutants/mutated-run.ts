import { join, relative } from 'node:path'
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from 'vitest/node'
import { mutated, type Mutant } from './mutant.ts'

export type Fate = 'killed' | 'timed out' | 'survived'

interface Ran {
  readonly fate: Fate
  readonly ms: number
  /** The test file that failed, where one did. */
  readonly noticedBy: string | undefined
}

/**
 * One vitest for all mutants: what has been read stays read, and only the file with the mutant is read anew. The mutant
 * is put in on the way from the disk to the test, so the checkout is never written to.
 */
export class MutatedRun {
  readonly #root: string
  readonly #vitest: Vitest
  #mutant: Mutant | undefined

  private constructor(root: string, vitest: Vitest) {
    this.#root = root
    this.#vitest = vitest
  }

  static async start(root: string): Promise<MutatedRun> {
    let made: MutatedRun | undefined
    const options = {
      root,
      watch: false,
      bail: 1,
      maxWorkers: 1,
      reporters: [{}],
      sequence: { sequencer: AsGiven },
      experimental: { viteModuleRunner: true },
      // The cache on disk is everybody's: a mutant must neither be missed because of it nor end up in it.
      fsModuleCache: false,
    }
    const mutating = {
      name: 'corridor-mutant',
      enforce: 'pre' as const,
      transform: (code: string, id: string) => made?.apply(code, id),
    }
    const vitest = await createVitest(options, { plugins: [mutating] })
    await vitest.standalone()
    made = new MutatedRun(root, vitest)
    return made
  }

  /** Runs the tests with the mutant, or without any, until the first one fails. */
  async run(mutant: Mutant | undefined, tests: readonly string[], timeLimitMs = timeLimitMsMax): Promise<Ran> {
    const changed = [this.#mutant, mutant].filter((one) => one !== undefined)
    this.#mutant = mutant
    for (const { file } of changed) this.#vitest.invalidateFile(join(this.#root, file))
    const project = this.#vitest.getRootProject()
    const specifications = tests.map((test) => project.createSpecification(join(this.#root, test)))

    const startedAtMs = performance.now()
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      void endRun(this.#vitest)
    }, timeLimitMs)
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications)
    clearTimeout(deadline)

    // The result also has the modules of runs before.
    const ran = new Set(specifications.map(({ moduleId }) => moduleId))
    const failed = testModules.find((module) => ran.has(module.moduleId) && !module.ok())
    const isKilled = failed !== undefined || unhandledErrors.length > 0
    return {
      fate: isLate ? 'timed out' : isKilled ? 'killed' : 'survived',
      ms: performance.now() - startedAtMs,
      noticedBy: failed && relative(this.#root, failed.moduleId),
    }
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }

  apply(code: string, id: string): string | undefined {
    const mutant = this.#mutant
    return mutant !== undefined && id === join(this.#root, mutant.file) ? mutated(code, mutant) : undefined
  }
}

const timeLimitMsMax = 600_000

/** Twice, because only the second call ends a thread that is in a loop and hears nothing. */
async function endRun(vitest: Vitest): Promise<void> {
  await Promise.all([vitest.cancelCurrentRun('keyboard-input'), vitest.cancelCurrentRun('keyboard-input')])
}

/** The quick tests stand first in their subject, so that most mutants are found at once. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}
