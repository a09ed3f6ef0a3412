import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../log/log.ts'
import { testDatabase, type TestDatabase } from '../testkit/test-database.ts'
import { BinaryArray } from './array-parameter.ts'
import { isBigintText, writeBigintText } from './bigint-text.ts'
import { openDatabase, type Database } from './database.ts'
import { sql, type Statement } from './sql.ts'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await testDatabase()
  database = await openDatabase({ url: server.url, poolMax: 2, log: silentLog })
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

/** What the server makes of it, each element as its text. */
async function seenBy(statement: Statement): Promise<(string | null)[]> {
  const rows = await database.many<{ item: string | null }>(
    sql`select item::text as item from unnest(${statement}) with ordinality as a (item, at) order by at`,
  )
  return rows.map(({ item }) => item)
}

describe('an array that is sent in binary', () => {
  it('of texts is what was given, whatever stands in them', async () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))))
    await fc.assert(
      fc.asyncProperty(texts, async (items) => {
        expect(await seenBy(sql`${items}::text[]`)).toEqual(items)
      }),
      { numRuns: 50, examples: [[['"', '\\', '{}', ',', 'NULL', '', ' ', null, 'محمد', '😀']], [[]], [[null]]] },
    )
  })

  it('of whole numbers is what was given, to the ends of their range', async () => {
    const ends = ['9223372036854775807', '-9223372036854775808', '0', '-1', null]
    expect(await seenBy(sql`${ends}::bigint[]`)).toEqual(ends)
    expect(await seenBy(sql`${[2 ** 53, -(2 ** 53)]}::bigint[]`)).toEqual(['9007199254740992', '-9007199254740992'])
    expect(await seenBy(sql`${[2 ** 31 - 1, -(2 ** 31), null]}::integer[]`)).toEqual([
      '2147483647',
      '-2147483648',
      null,
    ])
  })

  it('of keys is what was given', () => {
    const ends = [-(2n ** 63n), -(2n ** 32n), -1n, 0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n - 1n]
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...ends), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (key) => {
        const buffer = Buffer.alloc(8)
        writeBigintText(String(key), buffer, 0)
        expect(buffer.readBigInt64BE(0)).toBe(key)
        expect(isBigintText(String(key))).toBe(key > -(2n ** 63n))
      }),
      { numRuns: 2_000 },
    )
    for (const text of ['', '-', '1.5', '١', '9223372036854775808', '00000000000000000000', ' 1', '1e3'])
      expect(isBigintText(text)).toBe(false)
  })

  it('of bytes and of JSON is what was given', async () => {
    expect(await seenBy(sql`${[Buffer.from([0, 92, 255]), Buffer.alloc(0), null]}::bytea[]`)).toEqual([
      String.raw`\x005cff`,
      String.raw`\x`,
      null,
    ])
    expect(await seenBy(sql`${['{"a": "\\""}', '[]']}::json[]`)).toEqual(['{"a": "\\""}', '[]'])
  })

  it('of numbers, truths, ids and times is what was given', async () => {
    expect(await seenBy(sql`${[0.1, -1e300, 0, null]}::double precision[]`)).toEqual(['0.1', '-1e+300', '0', null])
    expect(await seenBy(sql`${[32_767, -32_768, null]}::smallint[]`)).toEqual(['32767', '-32768', null])
    expect(await seenBy(sql`${[true, false, null]}::boolean[]`)).toEqual(['true', 'false', null])
    const ids = ['00000000-0000-0000-0000-000000000000', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', null]
    expect(await seenBy(sql`${ids}::uuid[]`)).toEqual(ids)
    const dates = ['1999-12-31T23:59:59.999Z', '2026-11-15T12:00:00.001Z', '0044-03-15T00:00:00.000Z'].map(
      (text) => new Date(text),
    )
    expect(await seenBy(sql`${[...dates, null]}::timestamptz[]`)).toEqual([
      '1999-12-31 23:59:59.999+00',
      '2026-11-15 12:00:00.001+00',
      '0044-03-15 00:00:00+00',
      null,
    ])
    expect(await seenBy(sql`${['{"b": "\\u00e9", "a": 1}', null]}::jsonb[]`)).toEqual(['{"a": 1, "b": "é"}', null])
  })

  it.each([
    ['a number beyond the range of integer', [2 ** 31], '::integer[]'],
    ['a number beyond the range of bigint', ['9223372036854775808'], '::bigint[]'],
    ['a fraction', [1.5], '::integer[]'],
    ['an infinite number as text', ['Infinity'], '::double precision[]'],
    ['a time as text', ['infinity'], '::timestamptz[]'],
    ['no time', [new Date(Number.NaN)], '::timestamptz[]'],
    ['something else than an id', ['f81d4fae'], '::uuid[]'],
    ['a number among texts', ['1', 2], '::text[]'],
    ['an array of arrays', [['1']], '::text[][]'],
    ['a type that has no binary form here', ['2026-11-15'], '::date[]'],
    ['no cast', ['1'], ') as n (id)'],
  ])('is not made of %s', (_what, items, rest) => {
    expect(BinaryArray.of(items, rest)).toBeUndefined()
  })

  it('that is refused is refused as its text would be', async () => {
    await expect(seenBy(sql`${['9223372036854775808']}::bigint[]`)).rejects.toMatchObject({ code: 'VALUE_REFUSED' })
    await expect(seenBy(sql`${['{']}::json[]`)).rejects.toMatchObject({ code: 'VALUE_REFUSED' })
    await expect(seenBy(sql`${['\0']}::text[]`)).rejects.toMatchObject({ code: 'VALUE_REFUSED' })
  })
})
