import { Framer, frameBytesMaxDefault } from '../packages/hl7/index.ts'
import { benchmark, type Round } from './harness/benchmark.ts'

interface World extends AsyncDisposable {
  /** What a socket reads, again and again: whole frames in pieces of 64 KiB. */
  readonly small: readonly Buffer[]
  readonly large: readonly Buffer[]
}

/** Finds frames in what a socket reads. The copy alone is what no receiver can do without. */
export default benchmark<World>({
  name: 'hl7',
  title: 'the framer on messages of 1 KB and of 50 MB in reads of 64 KiB, against copying the reads into one piece',
  unit: 'MB/s',
  setup: async () => ({ small: reads(1_000, 10_000), large: reads(50e6, 1), [Symbol.asyncDispose]: async () => {} }),
  variants: {
    'copied only, 50 MB': ({ large }, round) => again(round, large, (chunks) => Buffer.concat(chunks).length),
    'framed, 50 MB': ({ large }, round) => again(round, large, frame),
    'framed, 1 KB': ({ small }, round) => again(round, small, frame),
  },
})

function frame(chunks: readonly Buffer[]): number {
  const framer = new Framer({ frameBytesMax: 4 * frameBytesMaxDefault })
  let bytes = 0
  for (const chunk of chunks) {
    for (const event of framer.push(chunk)) if (event.kind === 'frame') bytes += event.bytes.length
  }
  return bytes
}

function reads(messageBytes: number, messages: number): Buffer[] {
  const head = 'MSH|^~\\&|LAB|HOSP|HUB|CORRIDOR|20260304||ORU^R01|1|P|2.5.1\rOBX|1|ED|PDF||^application^pdf^Base64^'
  const frames = `\u000b${head.padEnd(messageBytes, 'QUJD')}\r\u001c\r`.repeat(messages)
  const stream = Buffer.from(frames, 'latin1')
  const count = Math.ceil(stream.length / readBytes)
  return Array.from({ length: count }, (_, index) => stream.subarray(index * readBytes, (index + 1) * readBytes))
}

const readBytes = 65_536

/** Million bytes a second. */
async function again(
  { clock, seconds }: Round,
  chunks: readonly Buffer[],
  work: (chunks: readonly Buffer[]) => number,
) {
  const startedMs = clock.monotonicMs()
  let bytes = 0
  while (clock.monotonicMs() < startedMs + seconds * 1_000) bytes += work(chunks)
  return bytes / 1e6 / ((clock.monotonicMs() - startedMs) / 1_000)
}
