export interface BrokenBody {
  readonly name: string
  readonly body: string | Uint8Array
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** JSON that only an attacker or a broken program sends. */
export const brokenBodies: readonly BrokenBody[] = [
  { name: 'what is no JSON', body: '{"a":' },
  { name: 'what follows after the end', body: '{"a":1} {"b":2}' },
  { name: 'single quotes', body: "{'a':1}" },
  { name: 'comments', body: '{"a":1 /* b */}' },
  { name: 'a comma too many', body: '{"a":1,}' },
  { name: 'NaN', body: '{"a":NaN}' },
  { name: 'Infinity', body: '{"a":-Infinity}' },
  { name: 'a byte order mark alone', body: '\uFEFF' },
  {
    name: 'bytes that are no UTF-8',
    body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  },
  { name: 'UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
  { name: 'a NUL inside a word', body: '{"a\u0000":1}' },
  { name: 'a line break inside a text', body: '{"a":"b\nc"}' },
  { name: 'arrays nested 10,000 deep', body: nested('[', ']', 10_000) },
  { name: 'objects nested 10,000 deep', body: nested('{"a":', '}', 10_000).replace('}', '1}') },
  { name: '200,000 brackets that never close', body: '['.repeat(200_000) },
  { name: 'a field twice', body: '{"a":1,"a":2}' },
  { name: 'a field twice, once escaped', body: '{"a":1,"\\u0061":2}' },
  { name: '__proto__', body: '{"__proto__":{"isAdmin":true}}' },
  { name: '__proto__, escaped', body: '{"\\u005f\\u005fproto__":{"isAdmin":true}}' },
  { name: '__proto__ further inside', body: '{"a":[{"b":{"__proto__":{"isAdmin":true}}}]}' },
  { name: 'constructor.prototype', body: '{"constructor":{"prototype":{"isAdmin":true}}}' },
  { name: 'nothing at all', body: '' },
  { name: 'spaces', body: '   ' },
  { name: 'null', body: 'null' },
  { name: 'true', body: 'true' },
  { name: 'a number', body: '1e400' },
  { name: 'a text', body: '"text"' },
  { name: 'a list of lists', body: '[[[]]]' },
]
