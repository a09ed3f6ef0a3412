import { unavailable } from '../../../../packages/faults/fault.ts'
import type { FhirResource } from '../../../../packages/fhir/r4.ts'
import type { Guide } from './guide.ts'
import { resourceLines } from './resource-words.ts'
import { sendMessage, type Passage } from './send-message.ts'
import { stageLines } from './stage-lines.ts'
import type { TourMessage } from './tour-messages.ts'

/** Sends a message and shows how it passed. Anything but the expected answer ends the tour. */
export async function showMessage(message: TourMessage, expected: 'AA' | 'AR', guide: Guide): Promise<Passage> {
  const { narrator, progress, configuration } = guide
  narrator.segments(message.segments)
  narrator.lines([''])
  progress.step(`Sending ${message.type}`)
  const passage = await sendMessage(message, guide)
  progress.done()
  narrator.lines(stageLines(passage, narrator.colour))
  const address = `${configuration.bridge.url}/console/messages/${passage.transaction.transactionId}`
  narrator.lines([narrator.colour('faint', address)])
  if (passage.ackCode === expected) return passage
  throw unavailable(
    `The answer was ${passage.ackCode}, not ${expected}: ${passage.ackText ?? 'without a word'} ` +
      'The page above says why. On a demo whose data were changed, a fresh one helps: CORRIDOR_DATA_DIR=./tour-data npm start',
  )
}

/** What was stored of it, a line a resource. */
export async function showResources({ transaction }: Passage, guide: Guide): Promise<void> {
  const { narrator, admin } = guide
  const { entry } = await admin.get<{ readonly entry: readonly { readonly resource: FhirResource }[] }>(
    'bridge',
    `/api/transactions/${transaction.transactionId}/fhir`,
  )
  const { lines, others } = resourceLines(entry.map(({ resource }) => resource))
  const wide = Math.max(...lines.map(({ type }) => type.length))
  narrator.lines([
    '',
    'In FHIR it is',
    ...lines.map(({ type, words, isCritical }) => {
      const text = `${type.padEnd(wide)}  ${words}`
      return `  ${isCritical ? narrator.colour('red', text) : text}`
    }),
    ...(others === '' ? [] : [narrator.colour('faint', `  and ${others}`)]),
  ])
}
