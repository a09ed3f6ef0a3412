import type { TestDatabase } from './fresh-database.ts'
import { corridorDatabase, startCorridor, type TestCorridor, type TestCorridorOptions } from './run-corridor.ts'
import { testServer } from './test-database.ts'

export type { TestCorridor }

/** A Corridor of the test's own, or a part of it. Outside vitest use run-corridor.ts. */
export function testCorridor(options: TestCorridorOptions = {}): Promise<TestCorridor> {
  return startCorridor(testServer(), options)
}

/** The database alone, for Corridors that run in processes of their own. */
export function testCorridorDatabase(): Promise<TestDatabase> {
  return corridorDatabase(testServer())
}
