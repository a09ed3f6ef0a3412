import { plainText } from '../content.ts'
import { route } from '../route.ts'
import { anyone } from '../who.ts'

/** For this folder's tests: a route that answers when told, and says when so many requests are in work. */
export function gate(count: number) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: isFull, resolve: fill } = Promise.withResolvers<void>()
  let inside = 0
  const slow = route({
    method: 'GET',
    path: '/slow',
    who: anyone,
    summary: 'Answers when told',
    output: { 200: plainText() },
    run: async () => {
      inside += 1
      if (inside === count) fill()
      await opened
      return 'done'
    },
  })
  return { slow, open, isFull }
}
