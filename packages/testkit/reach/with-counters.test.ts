import { expect, it } from 'vitest'
import { withCounters } from './with-counters.ts'

const counted = (source: string) => {
  const { source: text, places } = withCounters('some.ts', source, 7)
  return { text: text.replace('const $reach = globalThis.corridorReach;', ''), places }
}

it.each([
  ['function f() { return 1 }', 'function f() {$reach[7]++; return 1 }', 1],
  ['const f = (a: string) => a', 'const f = (a: string) => ($reach[7]++,a)', 1],
  ['const f = () => ({ a: 1 })', 'const f = () => ($reach[7]++,({ a: 1 }))', 1],
  ['const f = () => () => 1', 'const f = () => ($reach[7]++,() => ($reach[8]++,1))', 2],
  ['if (a) b()', 'if (a) {$reach[7]++;b()}', 1],
  [
    'if (a) b()\nelse if (c) d()\nelse e()',
    'if (a) {$reach[7]++;b()}\nelse if (c) {$reach[8]++;d()}\nelse {$reach[9]++;e()}',
    3,
  ],
  ['for (const a of b) c(a)', 'for (const a of b) {$reach[7]++;c(a)}', 1],
  ['switch (a) { case 1: case 2: b(); break }', 'switch (a) { case 1: case 2: $reach[7]++;b(); break }', 1],
  ['x = a ? b : c', 'x = a ? ($reach[7]++,b) : ($reach[8]++,c)', 2],
  ['x = a ? b : c ?? d', 'x = a ? ($reach[7]++,b) : ($reach[8]++,c ?? ($reach[9]++,d))', 3],
  ['type A = B extends C ? D : E', 'type A = B extends C ? D : E', 0],
])('%s', (source, text, places) => {
  expect(counted(source)).toEqual({ text, places })
})

it('says which file cannot be read', () => {
  expect(() => counted('if (')).toThrow('some.ts cannot be read')
})
