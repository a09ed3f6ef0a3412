import type { ESTree, VisitorObject } from 'vite'
import type { Edit } from './mutant.ts'

/** Statements that are left out. The only one behind an `if` has its mutant already: the condition that never holds. */
export function statementEdits(add: (...edits: Edit[]) => void): VisitorObject {
  const behindIf = new Set<ESTree.Statement>()
  const leaveOut = (node: ESTree.ExpressionStatement | ESTree.ThrowStatement) => {
    if (!behindIf.has(node)) add({ start: node.start, end: node.end, text: '{}' })
  }
  return {
    IfStatement({ consequent, alternate }) {
      for (const branch of [consequent, alternate]) {
        const only = branch?.type === 'BlockStatement' && branch.body.length === 1 ? branch.body[0] : branch
        if (only !== null && only !== undefined) behindIf.add(only)
      }
    },
    ThrowStatement: leaveOut,
    ExpressionStatement(node) {
      if (!isAssertion(node)) leaveOut(node)
    },
  }
}

/** It says what cannot happen, so no test can see it gone. */
const isAssertion = ({ expression }: ESTree.ExpressionStatement) =>
  expression.type === 'CallExpression' && expression.callee.type === 'Identifier' && expression.callee.name === 'assert'
