import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'
import type { RunAs } from './run-as.ts'

export async function stageBinaries(
  _packageFolder: string,
  _layout: Layout,
  _runAs: RunAs,
  _deps: { onProgress: (text: string) => void; probe: (folder: string) => Promise<Binaries | object> },
): Promise<Binaries | undefined> {
  return undefined
}
