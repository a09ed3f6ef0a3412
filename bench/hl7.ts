import { tryParseMessage } from '../packages/hl7/index.ts'
import { benchmark, type Round } from './harness/benchmark.ts'

interface World extends AsyncDisposable {
  readonly admission: Buffer
  readonly results: Buffer
}

/** Reads what a mapping reads: six fields of PID and four of every OBX. */
export default benchmark<World>({
  name: 'hl7',
  title: 'mapping reads of an admission (1 KB) and of 60 results (14 KB): splitting everything against the lazy parser',
  unit: 'messages/s',
  setup: async () => ({ admission, results, [Symbol.asyncDispose]: async () => {} }),
  variants: {
    'split, 60 results': (world, round) => readAgain(round, () => readBySplitting(world.results)),
    'lazy, 60 results': (world, round) => readAgain(round, () => readLazily(world.results)),
    'split, admission': (world, round) => readAgain(round, () => readBySplitting(world.admission)),
    'lazy, admission': (world, round) => readAgain(round, () => readLazily(world.admission)),
  },
})

const header = 'MSH|^~\\&|LAB|HOSP^1.2.3^ISO|HUB|CORRIDOR|20260304050607||ADT^A01^ADT_A01|42|P|2.5.1'
const patient =
  'PID|1||1234567^4^M11^HOSP&1.2.3&ISO^MR~987654321^^^NAT&9.8.7&ISO^NI||MUSTERMANN^ERIKA^MARIA^^DR||19610615|F' +
  '||2106-3|1 HIGH STREET^^OXFORD^OXON^OX1 1AA^GBR||01865 200400|01865 200401|ENG|M||VN4711|123-45-6789'
const visit = `PV1|1|I|ICU^101^A^HOSP||||0007^HOUSE^GREGORY^^^DR|||MED||||ADM|A0|${'|'.repeat(30)}20260304050000`
const insurance = `IN1|1|PPO|${'POLICY^OF^MANY^WORDS|'.repeat(22)}`
const result = (number: number) =>
  `OBX|${number}|NM|718-7^Hemoglobin [Mass/volume] in Blood^LN^HGB^Haemoglobin^L||13.${number}|g/dL^gram per decilitre^UCUM` +
  '|12.0-16.0|N|||F|||20260304050607+0100||0007^HOUSE^GREGORY^^^DR|||20260304060000||||LAB^^^^^HOSP&1.2.3&ISO^XX^^^123'

const admission = Buffer.from(`${[header, 'EVN|A01|20260304', patient, visit, insurance].join('\r')}\r`)
const results = Buffer.from(
  `${[header, patient, 'OBR|1|P1|F1|58410-2^CBC^LN', ...Array.from({ length: 60 }, (_, index) => result(index))].join('\r')}\r`,
)

const patientFields = [3, 5, 7, 8, 11, 13]
const resultFields = [3, 5, 6, 11]

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

/** Asks for the time only every hundred messages, because asking costs as much as reading a field. */
async function readAgain({ clock, seconds }: Round, read: () => number): Promise<number> {
  const startedMs = clock.monotonicMs()
  const endMs = startedMs + seconds * 1_000
  let done = 0
  while (clock.monotonicMs() < endMs) {
    for (let count = 0; count < 100; count++) read()
    done += 100
  }
  return done / ((clock.monotonicMs() - startedMs) / 1_000)
}
