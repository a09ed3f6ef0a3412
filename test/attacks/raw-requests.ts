/** A request as bytes. `HOST` stands for the server's own name. */
interface RawRequest {
  readonly name: string
  readonly bytes: string
  /** The only answers that may come back; hanging up without one is always right. */
  readonly allowed: readonly number[]
}

const inner = 'GET /actuator/info HTTP/1.1\r\nHost: HOST\r\n\r\n'
const start = 'POST /oauth2/token HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\n'
const post = (headers: string, body: string) => `${start}${headers}\r\n${body}`
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: HOST\r\n${headers}\r\n`
const rows = (allowed: readonly number[], all: Readonly<Record<string, string>>): RawRequest[] =>
  Object.entries(all).map(([name, bytes]) => ({ name, bytes, allowed }))

/** Two readers of these bytes would see two different requests; the second of them would be anybody's. */
export const smuggled: readonly RawRequest[] = rows([400], {
  'length and chunks': post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`),
  'chunks and length': post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${inner}`),
  'two lengths': post('Content-Length: 0\r\nContent-Length: 44\r\n', inner),
  'two lengths in one': post('Content-Length: 0, 44\r\n', inner),
  'a length with a sign': post('Content-Length: +0\r\n', inner),
  'a negative length': post('Content-Length: -1\r\n', inner),
  'a hexadecimal length': post('Content-Length: 0x0\r\n', inner),
  'a length beyond all numbers': post('Content-Length: 99999999999999999999\r\n', inner),
  'a length with a space inside': post('Content-Length: 0 0\r\n', inner),
  'a space before the colon': post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${inner}`),
  'chunked that is not the last': post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inner}`),
  'an encoding that only ends alike': post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inner}`),
  'two encodings': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${inner}`),
  'an encoding with a vertical tab': post('Transfer-Encoding:\x0bchunked\r\n', `0\r\n\r\n${inner}`),
  'a folded header': post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${inner}`),
  'a chunk of negative size': post('Transfer-Encoding: chunked\r\n', `-1\r\n\r\n0\r\n\r\n${inner}`),
  'a chunk of endless size': post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\nx\r\n0\r\n\r\n${inner}`),
  'a chunk of a size with 0x': post('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${inner}`),
  'a chunk without its line break': post('Transfer-Encoding: chunked\r\n', `1\r\nAA0\r\n\r\n${inner}`),
  'a chunk that ends with a line feed': post('Transfer-Encoding: chunked\r\n', `1\nA\n0\n\n${inner}`),
  'a header that ends with a carriage return': `GET /docs HTTP/1.1\r\nHost: HOST\r\nX-A: b\rX-C: d\r\n\r\n`,
  'a NUL in a header': get('/docs', 'X-A: b\x00c\r\n'),
  'a name with a space': get('/docs', 'X A: b\r\n'),
  'a name with a NUL': get('/docs', 'X\x00A: b\r\n'),
  'a header without a name': get('/docs', ': b\r\n'),
  'a line before the request': `\x00GET /docs HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  'no host': 'GET /docs HTTP/1.1\r\n\r\n',
  'version 9': 'GET /docs HTTP/9.9\r\nHost: HOST\r\n\r\n',
  'version 2 with its preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a method in lower case': 'get /docs HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an unknown method': 'GETT /docs HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'a space in the address': 'GET /do cs HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'TLS on a plain port': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
})

/** Addresses that some servers take for `/api/consent/admin/stats`. Without a token none of them leads there. */
export const disguised: readonly RawRequest[] = rows([400, 401, 404, 405, 414], {
  'two slashes': get('//api/consent/admin/stats'),
  'a slash at the end': get('/api/consent/admin/stats/'),
  'a dot': get('/api/consent/./admin/stats'),
  'two dots': get('/docs/../api/consent/admin/stats'),
  'two dots, encoded': get('/docs/%2e%2e/api/consent/admin/stats'),
  'two dots, encoded twice': get('/docs/%252e%252e/api/consent/admin/stats'),
  'two dots beyond the root': get('/../../../../etc/passwd'),
  'a slash, encoded': get('/api/consent/admin%2fstats'),
  'a backslash': get('/api\\consent\\admin\\stats'),
  'another case': get('/API/consent/admin/stats'),
  'a parameter of the path': get('/api/consent;jsessionid=1/admin/stats'),
  'a NUL': get('/api/consent/admin/stats%00'),
  'a bad percent sign': get('/api/consent/%zz'),
  'half of a character': get('/api/consent/%c0%ae%c0%ae/admin/stats'),
  'the address of another server': get('http://evil.example/api/consent/admin/stats'),
  'a fragment': get('/none#/api/consent/admin/stats'),
  'no version': 'GET /api/consent/admin/stats\r\n\r\n',
  'another address in a header': get('/none', 'X-Original-URL: /actuator/info\r\nX-Rewrite-URL: /actuator/info\r\n'),
  'another method in a header': get('/sign-out', 'X-HTTP-Method-Override: POST\r\nX-Method-Override: POST\r\n'),
  'another method in the query': get('/sign-out?_method=POST'),
  TRACE: 'TRACE /docs HTTP/1.1\r\nHost: HOST\r\nCookie: a=b\r\n\r\n',
  CONNECT: 'CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n',
  PROPFIND: 'PROPFIND / HTTP/1.1\r\nHost: HOST\r\n\r\n',
  'an upgrade': get('/api/consent/admin/stats', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'),
  'a web socket': get('/api/consent/admin/stats', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
})
