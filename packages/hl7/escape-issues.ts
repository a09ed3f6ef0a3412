import { unescapeText } from './escapes.ts'
import type { EscapeFlag, Issue } from './issue.ts'
import type { Segment } from './segment.ts'
import type { Syntax } from './syntax.ts'

/** Fields with escape sequences that were kept as they were sent, or whose bytes had to be guessed. */
export function escapeIssues({ text, all, delimiters }: Syntax & { text: string; all: readonly Segment[] }): Issue[] {
  // Most sequences are of other kinds, and then there is no field to look into.
  if (!['C', 'M', 'Z', 'X'].some((first) => text.includes(`${delimiters.escape}${first}`))) return []
  const issues: Issue[] = []
  const seen = new Map<string, number>()
  for (const segment of all) {
    const sequence = (seen.get(segment.name) ?? 0) + 1
    seen.set(segment.name, sequence)
    addIssuesOf(segment, sequence, issues)
    if (issues.length >= issuesMax) break
  }
  return issues.slice(0, issuesMax)
}

/** After that many, one more says nothing new. */
const issuesMax = 100

function addIssuesOf(segment: Segment, sequence: number, issues: Issue[]): void {
  const { raw, name, syntax } = segment
  if (!raw.includes(syntax.delimiters.escape)) return
  const { lastField } = segment
  for (let field = 1; field <= lastField && issues.length < issuesMax; field++) {
    const kinds = new Set<EscapeFlag>()
    unescapeText(segment.rawField(field) ?? '', syntax, (kind) => kinds.add(kind))
    const location = name === '' ? {} : { location: { segment: name, sequence, field } }
    for (const kind of kinds) issues.push({ code: '102', severity: 'W', text: texts[kind], kind, ...location })
  }
}

const texts: Readonly<Record<EscapeFlag, string>> = {
  'kept-escape': 'An escape sequence that is private or switches the character set is kept as it was sent.',
  'guessed-bytes':
    'The bytes of an escape sequence mean nothing in the character set of the message; read as windows-1252.',
}
