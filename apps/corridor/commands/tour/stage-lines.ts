import { stages, type Stage } from '../../../../services/bridge/pipeline/stage.ts'
import { durationWords } from '../../../../services/bridge/console/transaction/transaction-words.ts'
import type { Colour } from '../hl7/paint.ts'
import type { Passage } from './send-message.ts'

type Paint = (colour: Colour, text: string) => string

/** The seven stages of a message, each with its time; those that it did not reach are said to be so. */
export function stageLines(passage: Passage, paint: Paint): string[] {
  const longestMs = Math.max(...Object.values(passage.transaction.stageMs))
  return stages.map((stage) => {
    const name = stage.toLowerCase().padEnd(9)
    if (!wasReached(stage, passage)) return paint('faint', `${name}  ${''.padEnd(9 + 2 + barCells)}  not reached`)
    const ms = passage.transaction.stageMs[stage]
    const bar = (ms === undefined ? '' : barOf(ms / longestMs)).padEnd(barCells)
    const time = timeOf(stage, passage).padStart(9)
    return [paint(colourOf(stage, passage), name), time, paint('blue', bar), words[stage](passage)].join('  ')
  })
}

/** A message that is refused goes from the refusing stage straight to its answer. */
const wasReached = (stage: Stage, { transaction }: Passage): boolean =>
  stage === 'ACK' ||
  transaction.status !== 'ERROR' ||
  stages.findIndex((known) => known === transaction.stage) >= stages.indexOf(stage)

const isRefusedAt = (stage: Stage, { transaction }: Passage): boolean =>
  transaction.status === 'ERROR' && transaction.stage === stage

const colourOf = (stage: Stage, passage: Passage): Colour =>
  isRefusedAt(stage, passage) || (stage === 'ACK' && passage.ackCode !== 'AA') ? 'red' : 'green'

const words: Readonly<Record<Stage, (passage: Passage) => string>> = {
  RECEIVE: () => 'in the journal before anything else',
  ENRICH: ({ transaction }) => `${transaction.facilityCode ?? 'facility'} and the patient are looked up`,
  TRANSFORM: () => 'HL7v2 becomes FHIR R4',
  GOVERN: (passage) => `the consent service says ${isRefusedAt('GOVERN', passage) ? 'no' : 'yes'}`,
  PERSIST: ({ transaction }) => `${transaction.resources.length} resources in one transaction`,
  DISPATCH: ({ deliveries }) => deliveryWords(deliveries),
  ACK: ({ ackCode }) => `${ackCode}, as the sender sees it`,
}

/** When it came, how long a stage took, how much later the last receiver had it, and when the sender had its answer. */
function timeOf(stage: Stage, passage: Passage): string {
  const { transaction, roundTripMs } = passage
  if (stage === 'RECEIVE') return transaction.startedAt.slice(11, 19)
  if (stage === 'DISPATCH') return afterwards(passage)
  return timeWords(stage === 'ACK' ? roundTripMs : (transaction.stageMs[stage] ?? 0))
}

function afterwards({ transaction, deliveries }: Passage): string {
  const settled = deliveries.flatMap(({ settledAt }) => (settledAt === null ? [] : [Date.parse(settledAt)]))
  if (settled.length === 0) return ''
  return `+${durationWords(Math.max(0, Math.max(...settled) - Date.parse(transaction.completedAt ?? '')))}`
}

function deliveryWords(deliveries: readonly Passage['deliveries'][number][]): string {
  if (deliveries.length === 0) return 'nobody has subscribed to this'
  const each = deliveries.map(({ channel, status, answered }) => `${channel} ${answered ?? status}`)
  return `told ${deliveries.length}: ${each.join(', ')}`
}

const timeWords = (ms: number): string => (ms < 0.1 ? '<0.1 ms' : durationWords(ms))

const barCells = 12
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Also the shortest time is seen. */
function barOf(share: number): string {
  const parts = Math.max(1, Math.round(share * barCells * 8))
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}
