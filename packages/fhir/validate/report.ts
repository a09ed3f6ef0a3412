import type { Issue, IssueCode } from './issue.ts'

export type Node = Readonly<Record<string, unknown>>

/** Checks a value at the report's place and tells the report what is wrong. */
export type Check = (value: unknown, report: Report) => void

/** Deeper than any real resource, and far from the end of the stack. */
export const depthMax = 100
const issuesMax = 100
const noIssues: readonly Issue[] = []

/**
 * Where a validation is and what it found. The place is kept in arrays that grow once and stay, so that a valid
 * resource costs no memory; the path is written only for an issue.
 */
export class Report {
  /** The outermost resource around the place that is not a bundle's: local references point into its `contained`. */
  root: Node = {}
  /** The place is in an entry of a transaction, whose conditional references are looked up before it is written. */
  isInTransaction = false
  private readonly names: string[] = []
  /** The place in a list, or -1. */
  private readonly indexes: number[] = []
  private depth = 0
  private found: Issue[] | undefined
  private errors = 0

  start(root: Node, name: string): void {
    this.root = root
    this.isInTransaction = false
    this.found = undefined
    this.errors = 0
    this.names[0] = name
    this.indexes[0] = -1
    this.depth = 1
  }

  enter(name: string): void {
    this.names[this.depth] = name
    this.indexes[this.depth] = -1
    this.depth++
  }

  at(index: number): void {
    this.indexes[this.depth - 1] = index
  }

  leave(): void {
    this.depth--
  }

  /** The name of the member whose value is looked at. */
  get member(): string | undefined {
    return this.names[this.depth - 1]
  }

  get isTooDeep(): boolean {
    return this.depth > depthMax
  }

  get isFull(): boolean {
    return this.found !== undefined && this.found.length >= issuesMax
  }

  error(code: IssueCode, message: string, rule?: string): void {
    this.errors++
    this.add('error', code, message, rule)
  }

  warning(code: IssueCode, message: string): void {
    this.add('warning', code, message)
  }

  /** An error at a member of this place. */
  errorAt(name: string, code: IssueCode, message: string): void {
    this.enter(name)
    this.error(code, message)
    this.leave()
  }

  get errorCount(): number {
    return this.errors
  }

  get issues(): readonly Issue[] {
    return this.found ?? noIssues
  }

  private add(severity: Issue['severity'], code: IssueCode, message: string, rule?: string): void {
    if (this.isFull) return
    this.found ??= []
    this.found.push({ severity, code, path: this.path(), message, ...(rule === undefined ? {} : { rule }) })
  }

  private path(): string {
    let path = ''
    for (let level = 0; level < this.depth; level++) {
      const index = this.indexes[level] ?? -1
      path += (level === 0 ? '' : '.') + this.names[level] + (index === -1 ? '' : `[${index}]`)
    }
    return path
  }
}
