import { choiceName } from '../choice-name.ts'
import type { PathBranch, PathStep } from '../compiled.ts'
import { findElement, isKindOf, type Types } from './type-tree.ts'

/**
 * Turns the expression of a search parameter into branches, by the structure of the types: choices are taken apart
 * into their JSON names, branches of other types are dropped. R4 uses a small part of FHIRPath; anything beyond it
 * stops the build.
 *
 *     union   := item ('|' item)*
 *     item    := path ('as' Type)?
 *     path    := ('(' union ')' | Name | '%resource') ('.' call | '[' number ']')*
 *     call    := name | as(Type) | ofType(Type) | extension('url') | where(condition)
 *     condition := name = 'value' | resolve() is Type | hasExtension('url')
 */
export function compilePath(expression: string, contextType: string, rootType: string, types: Types): PathBranch[] {
  const tokens = expression.match(tokenPattern) ?? []
  const compiler = new PathCompiler(tokens, { steps: [], type: contextType }, rootType, types)
  const branches = compiler.union()
  if (!compiler.isAtEnd) throw new Error(`The path ${expression} ends in something unknown.`)
  return branches
}

const tokenPattern = /'[^']*'|%?[A-Za-z_][A-Za-z0-9_]*|[0-9]+|!=|[^\s]/g

class PathCompiler {
  private readonly tokens: readonly string[]
  private readonly context: PathBranch
  private readonly rootType: string
  private readonly types: Types
  private position = 0

  constructor(tokens: readonly string[], context: PathBranch, rootType: string, types: Types) {
    this.tokens = tokens
    this.context = context
    this.rootType = rootType
    this.types = types
  }

  get isAtEnd(): boolean {
    return this.position === this.tokens.length
  }

  union(): PathBranch[] {
    const branches = this.item()
    while (this.skip('|')) branches.push(...this.item())
    return branches
  }

  private item(): PathBranch[] {
    const branches = this.path()
    return this.skip('as') ? this.ofType(branches, this.next()) : branches
  }

  private path(): PathBranch[] {
    let branches = this.start()
    for (;;) {
      if (this.skip('.')) branches = this.call(branches)
      else if (this.skip('[')) {
        branches = withStep(branches, { index: Number(this.next()) })
        this.expect(']')
      } else return branches
    }
  }

  private start(): PathBranch[] {
    if (this.skip('(')) {
      const branches = this.union()
      this.expect(')')
      return branches
    }
    const name = this.next()
    if (name === '%resource') return [{ steps: [{ root: true }], type: this.rootType }]
    if (!/^[A-Z]/.test(name)) return this.child([this.context], name)
    return isKindOf(this.rootType, name, this.types) ? [this.context] : []
  }

  private call(branches: PathBranch[]): PathBranch[] {
    const name = this.next()
    if (!this.skip('(')) return this.child(branches, name)
    const result = this.callWithArgument(branches, name)
    this.expect(')')
    return result
  }

  private callWithArgument(branches: PathBranch[], name: string): PathBranch[] {
    switch (name) {
      case 'as':
      case 'ofType':
        return this.ofType(branches, this.next())
      case 'extension':
        return withStep(branches, { extension: this.text() }, 'Extension')
      case 'where':
        return withStep(branches, this.condition())
      default:
        throw new Error(`The function ${name} is not supported in search parameters.`)
    }
  }

  private condition(): PathStep {
    const name = this.next()
    if (name === 'resolve') {
      for (const token of ['(', ')', 'is']) this.expect(token)
      return { resolvesTo: this.next() }
    }
    if (name === 'hasExtension') {
      this.expect('(')
      const url = this.text()
      this.expect(')')
      return { hasExtension: url }
    }
    this.expect('=')
    return { where: name, equals: this.text() }
  }

  /** One step down; a choice leads to one branch a type. */
  private child(branches: PathBranch[], name: string): PathBranch[] {
    return branches.flatMap((branch) => {
      const element = findElement(branch.type, name, this.types)
      if (element === undefined) throw new Error(`${branch.type} has no element ${name}.`)
      return element.types.map((type) => ({
        steps: [...branch.steps, element.choice === true ? choiceName(name, type) : name],
        type,
        ...(element.codes === undefined ? {} : { codes: element.codes }),
      }))
    })
  }

  /** A subtype is of the type as well. One official expression writes dateTime with a capital. */
  private ofType(branches: PathBranch[], written: string): PathBranch[] {
    const type = written === 'DateTime' ? 'dateTime' : written
    return branches.filter((branch) => isKindOf(branch.type, type, this.types))
  }

  private next(): string {
    const token = this.tokens[this.position++]
    if (token === undefined) throw new Error('The path ends too early.')
    return token
  }

  private text(): string {
    return this.next().slice(1, -1)
  }

  private skip(token: string): boolean {
    if (this.tokens[this.position] !== token) return false
    this.position++
    return true
  }

  private expect(token: string): void {
    const found = this.next()
    if (found !== token) throw new Error(`Expected ${token} and found ${found}.`)
  }
}

function withStep(branches: PathBranch[], step: PathStep, type?: string): PathBranch[] {
  return branches.map(({ steps, type: ownType, codes }) => {
    const longer = steps.concat(step)
    return codes === undefined || type !== undefined
      ? { steps: longer, type: type ?? ownType }
      : { steps: longer, type: ownType, codes }
  })
}
