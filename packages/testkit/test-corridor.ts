import { inject } from 'vitest'
import { startCorridor, type TestCorridor, type TestCorridorOptions } from './run-corridor.ts'
import './vitest/provided.ts'

export type { TestCorridor }

/** A Corridor of the test's own, or a part of it. Outside vitest use run-corridor.ts. */
export function testCorridor(options: TestCorridorOptions = {}): Promise<TestCorridor> {
  return startCorridor({ url: inject('postgresUrl'), run: inject('postgresRun') }, options)
}
