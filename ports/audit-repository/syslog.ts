import type { AuditMessage } from './audit-repository.ts'

export interface SyslogSender {
  readonly host: string
  readonly app: string
}

/** RFC 5424: facility 10 (security), severity 5 (notice). */
const priority = 10 * 8 + 5
const byteOrderMark = '\ufeff'

/** The syslog message of an audit message, as ITI-20 wants it: `<85>1 time host app process IHE+RFC-3881 - BOM xml`. */
export function syslogMessage({ at, processId, xml }: AuditMessage, { host, app }: SyslogSender): string {
  const header = [`<${priority}>1`, at.toISOString(), word(host, 255), word(app, 48), word(processId, 128)]
  return `${header.join(' ')} IHE+RFC-3881 - ${byteOrderMark}${oneLine(xml)}`
}

/** RFC 5425 section 4.3: the length in bytes, a space, the message. */
export function syslogFrame(message: string): Buffer {
  const bytes = Buffer.from(message)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** A header field: printable ASCII without spaces; `-` where nothing is left. */
function word(text: string, max: number): string {
  const clean = text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, max)
  return clean === '' ? '-' : clean
}

/** One event is one line, whatever stands in it. */
const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')
