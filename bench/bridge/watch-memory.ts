import { extname } from 'node:path'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Round } from '../harness/benchmark.ts'
import { slope } from '../harness/statistics.ts'
import type { RunningCorridor } from './running-corridor.ts'

/** The environment of a Corridor whose memory is watched. */
export const watched = {
  NODE_OPTIONS: `--import=${new URL(`tell-memory${extname(import.meta.url)}`, import.meta.url).href}`,
}

interface Look {
  readonly minutes: number
  readonly rssMb: number
  /** After a collection: what is really kept. */
  readonly heapMb: number
}

/** Looks at the process's memory for so long and notes how it grew; gives the MB of heap at the end. */
export async function watchMemory(
  corridor: RunningCorridor,
  { clock, note }: Pick<Round, 'clock' | 'note'>,
  seconds: number,
): Promise<number> {
  const startedMs = clock.monotonicMs()
  const looks: Look[] = []
  // A collection stops everything for a while: seldom enough not to be what is measured.
  const count = Math.min(looksMax, Math.floor(seconds / everySecondsMin))
  for (let number = 0; number <= count; number++) {
    const dueMs = startedMs + (number * seconds * 1_000) / count
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()))
    looks.push({ minutes: (clock.monotonicMs() - startedMs) / 60_000, ...(await look(corridor)) })
  }
  // Caches fill in the first third.
  const settled = looks.slice(Math.floor(looks.length / 3))
  const last = looks.slice(-lastLooks)
  note('minutes', seconds / 60)
  note('RSS MB', mean(last.map(({ rssMb }) => rssMb)))
  note('RSS MB/min', slope(settled.map(({ minutes, rssMb }) => [minutes, rssMb])))
  note('heap MB/min', slope(settled.map(({ minutes, heapMb }) => [minutes, heapMb])))
  return mean(last.map(({ heapMb }) => heapMb))
}

const looksMax = 60
const everySecondsMin = 2
const lastLooks = 5

async function look({ child }: RunningCorridor): Promise<Pick<Look, 'rssMb' | 'heapMb'>> {
  const told = () => child.lines.filter((line) => line.startsWith('memory '))
  const { length } = told()
  process.kill(child.pid, 'SIGUSR2')
  const line = await waitFor(() => told()[length], { what: 'the process to say what it has', deadlineMs: 30_000 })
  const [, rssBytes, heapBytes] = line.split(' ')
  return { rssMb: Number(rssBytes) / 2 ** 20, heapMb: Number(heapBytes) / 2 ** 20 }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
