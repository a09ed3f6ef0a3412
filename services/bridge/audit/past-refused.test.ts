import { expect, it } from 'vitest'
import { unavailable } from '../../../packages/faults/fault.ts'
import { pastRefused } from './past-refused.ts'

const { signal } = new AbortController()
const record = (id: string, bytes = 10) => ({ id, at: new Date(0), processId: '1', xml: 'x'.repeat(bytes) })
const brokenOff = () => unavailable('Broken off.', { code: 'AUDIT_BROKEN_OFF' })

/** A repository that takes nothing longer than a hundred or of these ids, and nothing at all while it is in trouble. */
function repository(...refused: readonly string[]) {
  const state = { isInTrouble: false, taken: [] as string[], calls: [] as number[] }
  const send = pastRefused<ReturnType<typeof record>>(async (messages) => {
    state.calls.push(messages.length)
    const isRefused = messages.some(({ id, xml }) => xml.length > 100 || refused.includes(id))
    if (state.isInTrouble || isRefused) throw brokenOff()
    state.taken.push(...messages.map(({ id }) => id))
  })
  return { state, send: (...messages: ReturnType<typeof record>[]) => send(messages, signal) }
}

it('a record that is not taken among others that are is refused, and keeps nobody back', async () => {
  const { state, send } = repository()
  await expect(send(record('a'), record('long', 200), record('b', 5), record('c'))).rejects.toMatchObject({
    kind: 'unprocessable',
  })
  expect(state.taken.toSorted()).toEqual(['a', 'b', 'c'])
})

it('the same record tried alone after that is refused once: the next time it takes others again to find it out', async () => {
  const { send } = repository()
  await expect(send(record('a'), record('long', 200))).rejects.toMatchObject({ kind: 'unprocessable' })
  await expect(send(record('long', 200))).rejects.toMatchObject({ kind: 'unprocessable' })
  await expect(send(record('long', 200))).rejects.toMatchObject({ kind: 'unavailable' })
})

it.each([
  ['the smallest', ['tiny']],
  ['the two smallest', ['tiny', 'small']],
])(
  '%s of a batch that is not taken keeps the others back no longer than it takes to try another one',
  async (_, bad) => {
    const { state, send } = repository(...bad)
    const batch = [record('tiny', 1), record('small', 2), record('a'), record('b'), record('c')]
    for (const _each of bad) await expect(send(...batch)).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(send(...batch)).rejects.toMatchObject({ kind: 'unprocessable' })
    expect(state.taken.toSorted()).toEqual(['a', 'b', 'c', 'small'].filter((id) => !bad.includes(id)))
    // It is known by now: no later attempt at it makes others wait.
    await expect(send(record('tiny', 1), record('later'))).rejects.toMatchObject({ kind: 'unprocessable' })
  },
)

it('what was taken is not sent again because of another one that was not', async () => {
  const { state, send } = repository()
  const [one, other, long] = [record('one'), record('other'), record('long', 200)]
  await expect(send(one, long, other)).rejects.toMatchObject({ kind: 'unprocessable' })
  // As the worker goes on: each task alone, of which one holds two records, and that one again later.
  await send(other)
  await expect(send(one, long)).rejects.toMatchObject({ kind: 'unprocessable' })
  await expect(send(one, long, record('later'))).rejects.toMatchObject({ kind: 'unprocessable' })
  expect(state.taken.toSorted()).toEqual(['later', 'one', 'other'])
})

it('a task of which no record is taken is refused when it is tried alone, as one of a single record is', async () => {
  const { send } = repository()
  const [long, longer] = [record('long', 200), record('longer', 300)]
  await expect(send(record('a'), long, longer)).rejects.toMatchObject({ kind: 'unprocessable' })
  await expect(send(long, longer)).rejects.toMatchObject({ kind: 'unprocessable' })
})

it('while the repository is in trouble all of them wait, and it is asked twice at most', async () => {
  const { state, send } = repository()
  state.isInTrouble = true
  const many = Array.from({ length: 100 }, (_, n) => record(String(n)))
  await expect(send(...many)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(state.calls).toEqual([100, 1])
  await expect(send(record('0'))).rejects.toMatchObject({ kind: 'unavailable' })
})
