import { Message as LibraryMessage } from 'node-hl7-client'
import { tryParseMessage } from '../packages/hl7/index.ts'
import type { MappingContext } from '../services/bridge/mapping/context.ts'
import { mapMessage } from '../services/bridge/mapping/map-message.ts'
import { termKey } from '../services/bridge/mapping/terms.ts'
import { testContext } from '../services/bridge/mapping/testing/context.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { admissions, reports } from './hl7-mapping/messages.ts'

interface World extends AsyncDisposable {
  /** With every code of the results looked up, as on the pipeline's last pass. */
  readonly context: MappingContext
}

/** Reads what a mapping reads, by three means, and then the whole mapping to FHIR. */
export default benchmark<World>({
  name: 'hl7-mapping',
  title:
    'admissions of 1 KB and reports of 60 results (10 KB): read by splitting, by node-hl7-client, by ours (goal: 5 times node-hl7-client), and mapped to R4 (goal: 10,000 admissions/s)',
  unit: 'messages/s',
  setup: async () => ({ context: contextWithTerms(), [Symbol.asyncDispose]: async () => {} }),
  variants: {
    'split, admission': (_world, round) => again(round, admissions, (bytes) => readBySplitting(bytes)),
    'node-hl7-client, admission': (_world, round) => again(round, admissions, (bytes) => readByLibrary(bytes)),
    'ours, admission': (_world, round) => again(round, admissions, (bytes) => readLazily(bytes)),
    'mapped, admission': ({ context }, round) => again(round, admissions, (bytes) => map(bytes, context)),
    'split, 60 results': (_world, round) => again(round, reports, (bytes) => readBySplitting(bytes)),
    'node-hl7-client, 60 results': (_world, round) => again(round, reports, (bytes) => readByLibrary(bytes)),
    'ours, 60 results': (_world, round) => again(round, reports, (bytes) => readLazily(bytes)),
    'mapped, 60 results': ({ context }, round) => again(round, reports, (bytes) => map(bytes, context)),
  },
})

const patientFields = [3, 5, 7, 8, 11, 13]
const resultFields = [3, 5, 6, 11]

/** What a script would do: cut everything at every separator, decode no escape, assume UTF-8 and standard delimiters. */
function readBySplitting(bytes: Buffer): number {
  const segments = bytes
    .toString('utf8')
    .split('\r')
    .map((segment) => segment.split('|').map((field) => field.split('~').map((repetition) => repetition.split('^'))))
  let length = 0
  for (const fields of segments) {
    const name = fields[0]?.[0]?.[0]
    const wanted = name === 'PID' ? patientFields : name === 'OBX' ? resultFields : []
    for (const field of wanted) length += fields[field]?.[0]?.[0]?.length ?? 0
  }
  return length
}

function readByLibrary(bytes: Buffer): number {
  const message = new LibraryMessage({ text: bytes.toString('utf8') })
  let length = 0
  for (const field of patientFields) length += message.get(`PID.${field}`).toString().length
  const observations = message.get('OBX')
  if (observations.isEmpty()) return length
  observations.forEach((obx) => {
    for (const field of resultFields) length += obx.get(field).toString().length
  })
  return length
}

function readLazily(bytes: Buffer): number {
  const { message } = tryParseMessage(bytes)
  const pid = message?.segment('PID')
  let length = 0
  for (const field of patientFields) length += pid?.text(field)?.length ?? 0
  for (const obx of message?.segments('OBX') ?? []) {
    for (const field of resultFields) length += obx.text(field)?.length ?? 0
  }
  return length
}

function map(bytes: Buffer, context: MappingContext): number {
  const { message } = tryParseMessage(bytes)
  const mapping = message && mapMessage(message, context)
  return mapping?.refused === undefined ? (mapping?.writes.length ?? 0) : 0
}

function contextWithTerms(): MappingContext {
  const context = testContext()
  const { message } = tryParseMessage(reports[0] ?? Buffer.alloc(0))
  const first = message && mapMessage(message, context)
  const needs = first?.refused === undefined ? (first?.needs ?? []) : []
  const terms = needs.map((need) => [termKey(need), [{ system: need.target, code: need.code }]] as const)
  return { ...context, terms: new Map(terms) }
}

/** Each message in turn. Asks for the time only after all of them, because asking costs as much as reading a field. */
async function again(
  { clock, seconds }: Round,
  messages: readonly Buffer[],
  read: (bytes: Buffer) => number,
): Promise<number> {
  const startedMs = clock.monotonicMs()
  const endMs = startedMs + seconds * 1_000
  let done = 0
  while (clock.monotonicMs() < endMs) {
    for (const bytes of messages) read(bytes)
    done += messages.length
  }
  return done / ((clock.monotonicMs() - startedMs) / 1_000)
}
