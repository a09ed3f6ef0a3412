/** One small change of a source text, as somebody could make it by mistake. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Mutant extends Edit {
  /** From the root of the project. */
  readonly file: string
  readonly line: number
  /** The lines that it touches, as they are and as it makes them; white space counts as one space. */
  readonly before: string
  readonly after: string
}

export function mutantOf(edit: Edit, file: string, source: string): Mutant {
  const from = source.lastIndexOf('\n', edit.start) + 1
  const end = source.indexOf('\n', edit.end)
  const until = end === -1 ? source.length : end
  return {
    ...edit,
    file,
    line: source.slice(0, edit.start).split('\n').length,
    before: inOneLine(source.slice(from, until)),
    after: inOneLine(source.slice(from, edit.start) + edit.text + source.slice(edit.end, until)),
  }
}

export const mutated = (source: string, { start, end, text }: Edit): string =>
  source.slice(0, start) + text + source.slice(end)

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
