import { oneOf, type Choose } from '../../testkit/cases.ts'

const header = 'MSH|^~\\&|A|B|C|D|2026||ADT^A01^ADT_A01|7|P|2.5.1||||||8859/1\r'

/** What messages, batches and their parts begin and end with, in sound and in broken forms. */
const pieces = [
  ...[
    header,
    'MSH|^~&|',
    'MSH',
    'MSH|',
    'FHS|^~\\&',
    '\rBTS|1',
    'PID|1|\\',
    '\r',
    '\n',
    '|',
    '^',
    '~',
    '&',
    '\\X',
    '""',
  ],
  ...['\ufeff', '\0', 'é', '\u001b$B', 'msh#', '\r\nMSH|^~\\&|x', '\rOBX|1|NM|', '20260230', '-1.5', '\\X0D\\', 'a'],
]

/** Bytes of any kind; pieces in one of two character sets; and in half of the cases pieces after a header. */
export function anyBytes(choose: Choose): Buffer {
  const kind = choose(8)
  if (kind === 0) return randomBytes(choose)
  let text = kind < 4 ? '' : damaged(choose, oneOf(choose, headers))
  for (let left = choose(6); left > 0; left--) text += oneOf(choose, pieces)
  return Buffer.from(text, kind % 2 === 0 ? 'utf8' : 'latin1')
}

const headers = [
  header,
  'MSH|^~\\&|A|B|||||ORU^R01|8|P|2.3\rPID|1',
  'MSH#:*@+#A#####ADT:A01#9#T#2.8#######UNICODE UTF-8\n',
]

/** In one of two, a piece stands where up to three signs stood. */
function damaged(choose: Choose, text: string): string {
  if (choose(2) === 0) return text
  const at = choose(text.length)
  return text.slice(0, at) + oneOf(choose, pieces) + text.slice(at + choose(4))
}

function randomBytes(choose: Choose): Buffer {
  const bytes = Buffer.allocUnsafe(choose(201))
  for (let at = 0; at < bytes.length; at++) bytes[at] = choose(256)
  return bytes
}
