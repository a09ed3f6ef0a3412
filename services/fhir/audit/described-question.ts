/**
 * What was asked, without what would tell of a person or of an illness: the names of all parameters, but values only
 * where they are ids or shape the answer. `Patient?name=Diallo&_id=1` becomes `Patient?name=*&_id=1`.
 */
export function describedQuestion(question: string): string {
  const at = question.indexOf('?')
  const path = (at === -1 ? question : question.slice(0, at)).split('/').map(pathPart).join('/')
  if (at === -1) return path
  const pairs = [...new URLSearchParams(question.slice(at + 1))].slice(0, parametersMax).map(described)
  return `${path}?${pairs.join('&')}`
}

const parametersMax = 64

const pathPart = (part: string) => (/^[$A-Za-z0-9._*-]{0,64}$/.test(part) ? part : '*')

function described([name, value]: readonly [string, string]): string {
  const shownName = /^[A-Za-z_][A-Za-z0-9_:.-]{0,99}$/.test(name) ? name : '*'
  return `${shownName}=${isTelling(shownName, value) ? '*' : value}`
}

function isTelling(name: string, value: string): boolean {
  const [code = ''] = name.split(':')
  if (shaping.has(code)) return !/^[A-Za-z0-9,:._*+-]{0,300}$/.test(value)
  // Behind a modifier or a chain it may be an identifier or a name.
  return !(references.has(name) && value.split(',').every(isReference))
}

const shaping: ReadonlySet<string> = new Set([
  '_count',
  '_elements',
  '_format',
  '_include',
  '_lastUpdated',
  '_pretty',
  '_revinclude',
  '_since',
  '_sort',
  '_summary',
  '_total',
  '_type',
])

const references: ReadonlySet<string> = new Set(['_id', 'encounter', 'patient', 'subject'])

const isReference = (text: string) => /^(?:[A-Z][A-Za-z]{1,63}\/)?[A-Za-z0-9.-]{1,64}$/.test(text)
