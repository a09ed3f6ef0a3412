import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'
import { shippedFiles } from '../../packaging/shipped-files.ts'

export interface SourcePattern {
  /** The path of its file in the repository. */
  readonly file: string
  readonly pattern: RegExp
}

/** Every pattern that is written in what ships, and the files that put patterns together from texts. */
export function sourcePatterns(): { readonly written: readonly SourcePattern[]; readonly builders: readonly string[] } {
  const written: SourcePattern[] = []
  const builders = new Set<string>()
  for (const file of shippedFiles('ts', 'tsx')) {
    const { program, errors } = parseSync(file, readFileSync(new URL(file, root), 'utf8'))
    if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
    const isPattern = (callee: { readonly type: string }) =>
      callee.type === 'Identifier' && 'name' in callee && callee.name === 'RegExp'
    new Visitor({
      Literal(node) {
        if ('regex' in node) written.push({ file, pattern: new RegExp(node.regex.pattern, node.regex.flags) })
      },
      NewExpression: ({ callee }) => void (isPattern(callee) && builders.add(file)),
      CallExpression: ({ callee }) => void (isPattern(callee) && builders.add(file)),
    }).visit(program)
  }
  return { written, builders: [...builders] }
}

const root = new URL('../../../', import.meta.url)
