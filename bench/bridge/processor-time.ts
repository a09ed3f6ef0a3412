import { readdir, readFile } from 'node:fs/promises'

/** Processor time of a process and all its threads, in ms; undefined where there is no `/proc`. */
export async function processorMs(pid: number): Promise<number | undefined> {
  const times = await timesOf(pid)
  return times === undefined ? undefined : times.ownMs
}

/** The same of a process with all its children, those that have ended included. */
export async function familyProcessorMs(pid: number): Promise<number | undefined> {
  const times = await timesOf(pid)
  if (times === undefined) return undefined
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const children = (await Promise.all(pids.map(timesOf))).filter((other) => other?.parent === pid)
  return children.reduce((sum, child) => sum + (child?.ownMs ?? 0), times.ownMs + times.endedChildrenMs)
}

interface Times {
  readonly parent: number
  readonly ownMs: number
  readonly endedChildrenMs: number
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // proc(5): the name may hold blanks and brackets; what follows its last bracket begins with the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ms = (field: number) => Number(fields[field - 3]) * msPerTick
  return { parent: Number(fields[1]), ownMs: ms(14) + ms(15), endedChildrenMs: ms(16) + ms(17) }
}

/** Linux shows 100 ticks a second on every machine, whatever its own are. */
const msPerTick = 10
