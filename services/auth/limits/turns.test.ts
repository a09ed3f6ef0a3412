import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

/** Callers of one key, and what became of them in order. */
function callers(room: () => number | Promise<number>, turns = new Turns()) {
  const events: string[] = []
  const come = async (name: string) => {
    const turn = await turns.take('key', room).catch((error: unknown) => String(error))
    events.push(typeof turn === 'string' ? `${name} ${turn}` : `${name} in`)
    return typeof turn === 'string' ? { end: () => {} } : { end: () => turn[Symbol.dispose]() }
  }
  return { turns, events, come }
}

describe('turns', () => {
  it('are as many at once as there is room, in the order of coming', async () => {
    const { events, come } = callers(() => 2)
    const [first, second] = await Promise.all([come('a'), come('b')])
    const others = [come('c'), come('d'), come('e')]
    second.end()
    const third = await others[0]
    expect(events).toEqual(['a in', 'b in', 'c in'])
    first.end()
    third?.end()
    await Promise.all(others)
    expect(events.slice(3)).toEqual(['d in', 'e in'])
  })

  it('grow and shrink with the room, of which each asks anew', async () => {
    const room = { places: 1 }
    const { events, come } = callers(() => room.places)
    const first = await come('a')
    const others = [come('b'), come('c'), come('d')]
    room.places = 3
    first.end()
    await Promise.all(others)
    expect(events).toEqual(['a in', 'b in', 'c in', 'd in'])
  })

  it('are refused as the room says, to everybody in the line', async () => {
    const room = () => {
      if (events.length > 0) throw new Error('closed')
      return 1
    }
    const { events, come } = callers(room)
    const first = await come('a')
    const others = [come('b'), come('c')]
    first.end()
    await Promise.all(others)
    expect(events).toEqual(['a in', 'b Error: closed', 'c Error: closed'])
  })

  it('are not given on an answer that changed while it was worked out', async () => {
    const answers = [5, 0, 1]
    const turns = new Turns()
    const { come, events } = callers(async () => {
      const answer = answers.shift() ?? 1
      if (answer === 5) turns.changed('key')
      if (answer === 0) throw new Error('closed')
      return answer
    }, turns)
    await come('a')
    await come('b')
    expect(events).toEqual(['a Error: closed', 'b in'])
  })

  it('have a line with an end', async () => {
    const { come, events, turns } = callers(() => 1)
    const first = await come('first')
    const line = Array.from({ length: 1_001 }, (_, at) => come(String(at)).then(({ end }) => end()))
    await expect(turns.take('key', () => 1)).rejects.toMatchObject({ kind: 'too-much', retryAfterSeconds: 1 })
    await using another = new AsyncDisposableStack()
    another.use(await turns.take('another', () => 1))
    first.end()
    await Promise.all(line)
    expect(events).toHaveLength(1_002)
  })
})
