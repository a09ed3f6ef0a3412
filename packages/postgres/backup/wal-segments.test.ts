import { expect, it } from 'vitest'
import { segmentsBetween } from './wal-segments.ts'

it.each([
  ['one', '000000010000000000000002', '000000010000000000000002', 16, ['000000010000000000000002']],
  [
    'some, over the end of a part',
    '0000000100000000000000FE',
    '000000010000000100000001',
    16,
    [
      ...['0000000100000000000000FE', '0000000100000000000000FF'],
      ...['000000010000000100000000', '000000010000000100000001'],
    ],
  ],
  [
    'larger ones, of which a part has fewer',
    '000000010000000A00000003',
    '000000010000000B00000000',
    1_024,
    ['000000010000000A00000003', '000000010000000B00000000'],
  ],
])('names the segments from the first to the last: %s', (_what, first, last, megabytes, names) => {
  expect(segmentsBetween(first, last, megabytes * 1024 * 1024)).toEqual(names)
})
