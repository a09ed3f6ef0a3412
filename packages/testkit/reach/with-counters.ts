import { parseSync, Visitor, type ESTree } from 'vite'

export interface Counted {
  readonly source: string
  /** How many places count, from the first number on. */
  readonly places: number
}

/** Where the counters of a thread are: sources that were read find them there, and nowhere else. */
export const countersName = 'corridorReach'

/**
 * A source text that counts how often it comes to each of its places: the beginning of a function, a branch, a loop or a
 * case, and what stands behind `?`, `:`, `&&`, `||` and `??`. It does otherwise what it did.
 */
export function withCounters(file: string, source: string, first: number): Counted {
  const { program, errors } = parseSync(file, source, { lang: 'ts' })
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const opened: Insertion[] = []
  const closed: Insertion[] = []
  let places = 0
  const count = () => `$reach[${first + places++}]++`
  const open = (at: number, text: string) => void opened.push({ at, text })
  const close = (at: number, text: string) => void closed.push({ at, text })

  const countIn = ({ start }: ESTree.Span) => open(start + 1, `${count()};`)
  const countExpression = ({ start, end }: ESTree.Span) => {
    open(start, `(${count()},`)
    close(end, ')')
  }
  const countStatement = (statement: ESTree.Statement | null) => {
    if (statement?.type === 'BlockStatement') countIn(statement)
    else if (statement !== null) {
      open(statement.start, `{${count()};`)
      close(statement.end, '}')
    }
  }
  const countFunction = ({ body }: { readonly body: ESTree.FunctionBody | null }) => {
    if (body !== null) countIn(body)
  }
  const countLoop = ({ body }: { readonly body: ESTree.Statement }) => countStatement(body)

  new Visitor({
    FunctionDeclaration: countFunction,
    FunctionExpression: countFunction,
    ArrowFunctionExpression: ({ body }) => (body.type === 'BlockStatement' ? countIn(body) : countExpression(body)),
    IfStatement({ consequent, alternate }) {
      countStatement(consequent)
      // An `else if` counts by its own branches.
      if (alternate?.type !== 'IfStatement') countStatement(alternate)
    },
    ForStatement: countLoop,
    ForOfStatement: countLoop,
    ForInStatement: countLoop,
    WhileStatement: countLoop,
    SwitchCase({ consequent: [beginning] }) {
      if (beginning !== undefined) open(beginning.start, `${count()};`)
    },
    ConditionalExpression({ consequent, alternate }) {
      countExpression(consequent)
      countExpression(alternate)
    },
    LogicalExpression: ({ right }) => countExpression(right),
  }).visit(program)

  // What is inner was visited later: it ends first, and begins last. An end stands before what begins at the same place.
  const insertions = [...closed.toReversed(), ...opened].toSorted((some, other) => some.at - other.at)
  return { source: `const $reach = globalThis.${countersName};${inserted(source, insertions)}`, places }
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function inserted(source: string, insertions: readonly Insertion[]): string {
  const pieces: string[] = []
  let end = 0
  for (const { at, text } of insertions) {
    pieces.push(source.slice(end, at), text)
    end = at
  }
  return pieces.join('') + source.slice(end)
}
