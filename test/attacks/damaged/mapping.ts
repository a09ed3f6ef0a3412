import { tryParseMessage } from '../../../packages/hl7/index.ts'
import { caseMessages } from '../../../services/bridge/mapping/testing/case-files.ts'
import { mapInPasses } from '../../../services/bridge/mapping/testing/map-in-passes.ts'
import { makeUnsound } from '../../../services/bridge/mapping/testing/unsound.ts'
import { MessageChanges } from './changed-message.ts'
import type { Target } from './target.ts'

/** The mapping: what can be read becomes sound R4, or is refused. */
export async function makeTarget(): Promise<Target> {
  const seeds = caseMessages().map((text) => text.replaceAll('\n', '\r'))
  const changes = new MessageChanges(seeds)
  const unsound = await makeUnsound()
  return {
    seeds,
    change: (choose, from, kept) => changes.change(choose, from, kept),
    attempt(text) {
      const bytes = Buffer.from(text)
      if (tryParseMessage(bytes).message === undefined) return undefined
      return unsound(mapInPasses(bytes)).join('; ') || undefined
    },
  }
}
