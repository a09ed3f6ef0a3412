import type { ESTree, VisitorObject } from 'vite'
import type { Edit } from './mutant.ts'

/** Operators, conditions, chains, spreads and methods. */
export function expressionEdits(source: string, add: (...edits: Edit[]) => void): VisitorObject {
  const textOf = ({ start, end }: ESTree.Span) => source.slice(start, end)
  const always = (test: ESTree.Span, ...values: readonly boolean[]) =>
    add(...values.map((value) => ({ ...rangeOf(test), text: String(value) })))
  /** Puts another text where the first one stands between two parts. */
  const between = (left: number, right: number, from: string, to: string): Edit => {
    const start = source.indexOf(from, left)
    if (start < 0 || start >= right) throw new Error(`There is no ${from} where the syntax tree has one.`)
    return { start, end: start + from.length, text: to }
  }

  return {
    IfStatement: ({ test }) => always(test, true, false),
    ConditionalExpression: ({ test }) => always(test, true, false),
    // One that never ends is no mistake that a test has to find.
    WhileStatement: ({ test }) => always(test, false),
    ForStatement: ({ test }) => {
      if (test !== null) always(test, false)
    },
    BinaryExpression({ left, right, operator }) {
      for (const other of otherBinary[operator] ?? []) add(between(left.end, right.start, operator, other))
    },
    LogicalExpression(node) {
      const [left, right] = [textOf(node.left), textOf(node.right)]
      const other = { '&&': '||', '||': '&&', '??': undefined }[node.operator]
      const texts = [left, right, ...(other === undefined ? [] : [`(${left} ${other} ${right})`])]
      add(...texts.map((text) => ({ ...rangeOf(node), text })))
    },
    UnaryExpression(node) {
      if (node.operator === '!' || node.operator === '-') add({ ...rangeOf(node), text: textOf(node.argument) })
    },
    UpdateExpression(node) {
      add({ ...rangeOf(node), text: textOf(node).replace(node.operator, node.operator === '++' ? '--' : '++') })
    },
    AssignmentExpression({ left, right, operator }) {
      const other = otherAssignment[operator]
      if (other !== undefined) add(between(left.end, right.start, operator, other))
    },
    MemberExpression({ object, optional, computed }) {
      if (optional) add(between(object.end, source.length, '?.', computed ? '' : '.'))
    },
    CallExpression(node) {
      const { callee, optional, arguments: given } = node
      if (optional) add(between(callee.end, source.length, '?.', ''))
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { name } = callee.property
      const other = otherMethod.get(name)
      if (other !== undefined) add({ ...rangeOf(callee.property), text: other })
      if (removable.has(name) && !callee.optional) add({ ...rangeOf(node), text: textOf(callee.object) })
      if (given.length === 0 || !negatable.has(name) || optional) return
      add({ ...rangeOf(node), text: `!${textOf(node)}` })
    },
    ArrayExpression: ({ elements }) => add(...elements.flatMap((one) => withoutSpread(one, '...[]'))),
    ObjectExpression: ({ properties }) => add(...properties.flatMap((one) => withoutSpread(one, '...{}'))),
  }
}

const rangeOf = ({ start, end }: ESTree.Span) => ({ start, end })

const withoutSpread = (node: ESTree.ArrayExpressionElement | ESTree.ObjectPropertyKind, text: string): Edit[] =>
  node?.type === 'SpreadElement' ? [{ ...rangeOf(node), text }] : []

/** The limit itself, and the other side of it. */
const otherBinary: Readonly<Partial<Record<ESTree.BinaryOperator, readonly string[]>>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
}

const otherAssignment: Readonly<Partial<Record<ESTree.AssignmentOperator, string>>> = {
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
  '||=': '&&=',
  '&&=': '||=',
}

const otherMethod: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
])

const removable: ReadonlySet<string> = new Set([
  'filter',
  'replace',
  'replaceAll',
  'slice',
  'sort',
  'toLowerCase',
  'toSorted',
  'toUpperCase',
  'trim',
])

const negatable: ReadonlySet<string> = new Set(['includes', 'has', 'test'])
