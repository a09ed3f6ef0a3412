// Messages of PostgreSQL's wire protocol, as bytes: a letter, a length that counts itself, and a body.

/** What ends a session: severity, code and message, each behind its letter and ended by a zero. */
export function fatalError(sqlState: string, message: string): Buffer {
  const fields = ['SFATAL', `C${sqlState}`, `M${message}`, ''].map((field) => `${field}\0`).join('')
  const error = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)])
  error.writeInt32BE(error.length - 1, 1)
  return error
}

/** The server waits for a statement, outside of a transaction: also the last thing it says when a session begins. */
export const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** The first message of a session without its options: a length, the protocol, then names and values that end in zeros. */
export function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0')
  const at = words.indexOf('options')
  const body = Buffer.from(words.toSpliced(at, at < 0 ? 0 : 2).join('\0'))
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}
