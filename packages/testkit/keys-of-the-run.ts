import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One folder of signing keys for everything in a run that may share them. */
export const keysOfTheRun = (run: string): string => join(tmpdir(), `${run}_keys`)
