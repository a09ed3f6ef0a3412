import type { Issue } from './issue.ts'
import { isName, type Segment } from './segment.ts'

/** Segments whose name is not one: too short, too long, in lower case, or no segment at all. */
export function segmentIssues(segments: readonly Segment[]): Issue[] {
  const issues: Issue[] = []
  for (const [index, segment] of segments.entries()) {
    const sent = nameSent(segment)
    if (!isName(sent)) issues.push(issueOf(sent, index + 1))
    if (issues.length === issuesMax) break
  }
  return issues
}

/** After that many, one more says nothing new. */
const issuesMax = 100

function nameSent({ raw, syntax }: Segment): string {
  const end = raw.indexOf(syntax.delimiters.field)
  return end < 0 ? raw : raw.slice(0, end)
}

function issueOf(sent: string, line: number): Issue {
  const isLowerCase = isName(sent.toUpperCase())
  const isNameLike = /^[A-Za-z0-9]{1,4}$/.test(sent)
  // A line that is no segment may be a piece of a report: its text stays out of the answer.
  const text = isLowerCase
    ? `Segment ${line} is named in lower case; it is read as ${sent.toUpperCase()}.`
    : isNameLike
      ? `Segment ${line} has the name ${sent}, but a name has three capital letters or digits.`
      : `Line ${line} does not begin with a segment name.`
  const segment = isLowerCase || isNameLike ? sent.toUpperCase() : ''
  return { code: '100', severity: 'W', text, ...(segment === '' ? {} : { location: { segment } }) }
}
