import { expect, it } from 'vitest'
import { chosenBy, type Choose } from '../cases.ts'
import { ledSearch } from './led-search.ts'
import { Reach } from './reach.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** One sign is another one. */
function change(choose: Choose, from: string): string {
  const at = choose(from.length)
  return from.slice(0, at) + letters.charAt(choose(letters.length)) + from.slice(at + 1)
}

it('finds what stands behind five conditions, one condition after the other', async () => {
  using reach = new Reach((path) => path.endsWith('/five-doors.ts'))
  const { open } = await import('./testing/five-doors.ts')
  const searched = { seeds: ['aaaaa'], change, attempt: open }

  const led = ledSearch({ ...searched, wentFurther: () => reach.takeNew() }, 20_000, chosenBy(1))
  expect(led.found).toEqual([{ what: 'opened by "doors"', input: 'doors' }])
  // The seed, and each door.
  expect(led.kept).toHaveLength(6)
  expect(reach.reached).toBe(reach.places)

  const blind = ledSearch({ ...searched, wentFurther: () => false }, 20_000, chosenBy(1))
  expect(blind.found).toEqual([])
})

it('tells each fault once, and what was thrown', () => {
  let tries = 0
  const attempt = (input: string) => {
    if (++tries % 2 === 0) throw new TypeError(`no ${tries}`)
    return `wrong "${input}"`
  }
  const { found } = ledSearch({ seeds: ['a'], change, attempt, wentFurther: () => false }, 10, chosenBy(1))
  expect(found.map(({ what }) => what.split('\n')[0])).toEqual(['wrong "a"', 'TypeError: no 2'])
})
