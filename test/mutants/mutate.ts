import { parseSync, Visitor } from 'vite'
import { expressionEdits } from './expression-edits.ts'
import { literalEdits } from './literal-edits.ts'
import { mutantOf, mutated, type Edit, type Mutant } from './mutant.ts'
import { statementEdits } from './statement-edits.ts'
import { untouchedParts } from './untouched-parts.ts'

/** Every mutant of a source text, in the order of the text, each once. Types, imports and sentences have none. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { program, errors } = parseSync(file, source, { lang: 'ts' })
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const untouched = untouchedParts(program)
  const edits = new Map<string, Edit>()
  const add = (...some: readonly Edit[]) => {
    for (const edit of some) {
      const isTouchable = !untouched.some(({ start, end }) => start <= edit.start && edit.end <= end)
      if (isTouchable) edits.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
    }
  }
  for (const visitor of [expressionEdits(source, add), literalEdits(add), statementEdits(add)]) {
    new Visitor(visitor).visit(program)
  }
  return [...edits.values()]
    .toSorted((some, other) => some.start - other.start || some.end - other.end)
    .map((edit) => readable(mutantOf(edit, file, source), source))
}

/** What cannot even be read would fail every test and prove nothing. */
function readable(mutant: Mutant, source: string): Mutant {
  const { errors } = parseSync(mutant.file, mutated(source, mutant), { lang: 'ts' })
  if (errors.length > 0) throw new Error(`${mutant.file}:${mutant.line} cannot be read as: ${mutant.after}`)
  return mutant
}
