/** Where a segment lies in the text: from its first sign to the end of its last field, without the line end. */
export interface Line {
  readonly start: number
  readonly end: number
}

/**
 * Finds the segments. CR ends a segment, as the standard says, and so does CRLF. A lone LF ends one where a segment
 * name follows; elsewhere it is text, because senders that end segments with CR put LF into their reports. There it is
 * text whatever follows, unless the message shows that its sender mixes both. Stops one line after the limit.
 */
export function findLines(text: string, from: number, separator: string, linesMax: number): Line[] {
  if (text.indexOf('\n', from) < 0) return splitAtCr(text, from, linesMax)
  const usesCr = endsWithCr(text, from, separator)
  const isHead = usesCr ? isStrictHead : isLooseHead
  let isMixed: boolean | undefined
  const lines: Line[] = []
  let start = from
  let cr = text.indexOf('\r', from)
  let lf = text.indexOf('\n', from)
  while ((cr >= 0 || lf >= 0) && lines.length <= linesMax) {
    const isCr = lf < 0 || (cr >= 0 && cr < lf)
    const at = isCr ? cr : lf
    if (isCr) cr = text.indexOf('\r', at + 1)
    else lf = text.indexOf('\n', at + 1)
    if (!isCr && at > start && !isEndAt(text, at + 1) && !isHead(text, at + 1, separator)) continue
    if (!isCr && usesCr && isReportLine(text, start, at, separator)) {
      isMixed ??= mixesEnds(text, from, separator, isReportLine)
      if (!isMixed) continue
    }
    addLine(lines, text, start, at)
    start = at + 1
  }
  addLine(lines, text, start, text.length)
  return lines
}

/** Whether a lone LF ends segments in a text that may hold several messages, or is a line of a report in all places. */
export function endsWithLf(text: string, from: number, separator: string): boolean {
  return !endsWithCr(text, from, separator) || mixesEnds(text, from, separator, isInReport)
}

function splitAtCr(text: string, from: number, linesMax: number): Line[] {
  const lines: Line[] = []
  let start = from
  for (let at = text.indexOf('\r', start); at >= 0 && lines.length <= linesMax; at = text.indexOf('\r', start)) {
    addLine(lines, text, start, at)
    start = at + 1
  }
  addLine(lines, text, start, text.length)
  return lines
}

/** Blank lines and indentation are skipped, and so is the frame that a stored message may still wear. */
function addLine(lines: Line[], text: string, start: number, end: number): void {
  let last = end
  while (last > start && isLfOrFs(text.charCodeAt(last - 1))) last--
  let first = start
  while (first < last && isBlank(text.charCodeAt(first))) first++
  if (first < last) lines.push({ start: first, end: last })
}

const isLfOrFs = (sign: number) => sign === 0x0a || sign === 0x1c
const isBlank = (sign: number) => sign === 0x20 || sign === 0x09 || isLfOrFs(sign)

const isEndAt = (text: string, at: number) => at >= text.length || text[at] === '\r' || text[at] === '\u001c'

/** True when a CR stands before a segment: then CR is what this sender ends segments with. */
function endsWithCr(text: string, from: number, separator: string): boolean {
  for (let at = text.indexOf('\r', from); at >= 0; at = text.indexOf('\r', at + 1)) {
    if (isStrictHead(text, text[at + 1] === '\n' ? at + 2 : at + 1, separator)) return true
  }
  return false
}

/** True when an LF stands before a segment that cannot be a line of a report: then LF ends segments here too. */
function mixesEnds(text: string, from: number, separator: string, isReport: typeof isInReport): boolean {
  for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r' || !isStrictHead(text, at + 1, separator)) continue
    const start = Math.max(text.lastIndexOf('\r', at) + 1, from)
    if (!isReport(text, start, at, separator)) return true
  }
  return false
}

/** A header is never a line of a report, because two messages read as one would give one patient's results to another. */
function isReportLine(text: string, start: number, at: number, separator: string): boolean {
  return !text.startsWith('MSH', at + 1) && isInReport(text, start, at, separator)
}

/**
 * Whether this place of a segment that begins at `start` lies in a result that has begun (OBX-5) and has no status yet
 * (OBX-11), which every result has. What follows it like a segment is a line that looks like one.
 */
function isInReport(text: string, start: number, at: number, separator: string): boolean {
  let first = start
  while (first < at && isBlank(text.charCodeAt(first))) first++
  if (!text.startsWith(`OBX${separator}`, first)) return false
  let fields = 0
  for (let next = text.indexOf(separator, first); next >= 0 && next < at; next = text.indexOf(separator, next + 1)) {
    if (++fields === resultStatus) return false
  }
  return fields >= resultValue
}

const resultValue = 5
const resultStatus = 11

function isStrictHead(text: string, at: number, separator: string): boolean {
  return text.startsWith(separator, at + 3) && /^[A-Z][A-Z0-9]{2}$/.test(text.slice(at, at + 3))
}

/** Where LF ends segments, a wrong name (too short, lower case) still begins one, so that it can be reported. */
function isLooseHead(text: string, from: number, separator: string): boolean {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  if (at > from) return isStrictHead(text, at, separator)
  const head = /^[A-Za-z][A-Za-z0-9]{0,3}/.exec(text.slice(at, at + 4))?.[0]
  if (head === undefined) return text[at] === '\n'
  if (text.startsWith(separator, at + head.length)) return true
  return head.length === 3 && (at + 3 >= text.length || text[at + 3] === '\n' || text[at + 3] === '\r')
}
