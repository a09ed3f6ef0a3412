export interface BrokenBody {
  readonly name: string
  readonly body: string | Uint8Array
  readonly expected: readonly number[]
}

const refused = [400]
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** JSON that only an attacker or a broken program sends. */
export const brokenBodies: readonly BrokenBody[] = [
  { name: 'what is no JSON', body: '{"a":', expected: refused },
  { name: 'what follows after the end', body: '{"a":1} {"b":2}', expected: refused },
  { name: 'single quotes', body: "{'a':1}", expected: refused },
  { name: 'comments', body: '{"a":1 /* b */}', expected: refused },
  { name: 'a comma too many', body: '{"a":1,}', expected: refused },
  { name: 'NaN', body: '{"a":NaN}', expected: refused },
  { name: 'Infinity', body: '{"a":-Infinity}', expected: refused },
  { name: 'a byte order mark alone', body: '\uFEFF', expected: refused },
  {
    name: 'bytes that are no UTF-8',
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    expected: refused,
  },
  { name: 'UTF-16', body: Buffer.from('{"a":1}', 'utf16le'), expected: refused },
  { name: 'a NUL inside a word', body: '{"a\u0000":1}', expected: refused },
  { name: 'a line break inside a text', body: '{"a":"b\nc"}', expected: refused },
  { name: 'arrays nested 10,000 deep', body: nested('[', ']', 10_000), expected: refused },
  { name: 'objects nested 10,000 deep', body: nested('{"a":', '}', 10_000).replace('}', '1}'), expected: refused },
  { name: '200,000 brackets that never close', body: '['.repeat(200_000), expected: refused },
  { name: 'a field twice', body: '{"a":1,"a":2}', expected: refused },
  { name: 'a field twice, once escaped', body: '{"a":1,"\\u0061":2}', expected: refused },
  { name: '__proto__', body: '{"__proto__":{"isAdmin":true}}', expected: refused },
  { name: '__proto__, escaped', body: '{"\\u005f\\u005fproto__":{"isAdmin":true}}', expected: refused },
  { name: '__proto__ further inside', body: '{"a":[{"b":{"__proto__":{"isAdmin":true}}}]}', expected: refused },
  { name: 'constructor.prototype', body: '{"constructor":{"prototype":{"isAdmin":true}}}', expected: refused },
  { name: 'nothing at all', body: '', expected: refused },
  { name: 'spaces', body: '   ', expected: refused },
  { name: 'null', body: 'null', expected: refused },
  { name: 'true', body: 'true', expected: refused },
  { name: 'a number', body: '1e400', expected: refused },
  { name: 'a text', body: '"text"', expected: refused },
  { name: 'a list of lists', body: '[[[]]]', expected: refused },
]
