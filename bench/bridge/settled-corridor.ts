import type { BenchmarkSetup } from '../harness/benchmark.ts'
import { knownPatients } from './messages.ts'
import { RunningCorridor, type CorridorOptions } from './running-corridor.ts'

/** A benchmark's setup: a Corridor that has admitted the patients whom the messages are about. */
export const settledCorridor =
  (options: CorridorOptions = {}) =>
  async ({ progress }: BenchmarkSetup): Promise<RunningCorridor> => {
    progress('starting a Corridor')
    const corridor = await RunningCorridor.start(options)
    progress(`admitting ${knownPatients} patients`)
    await corridor.admitKnownPatients()
    return corridor
  }
