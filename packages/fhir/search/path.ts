import type { PathBranch, PathStep } from '../compiled.ts'
import { referencedType } from '../reference.ts'

/** Visits every node that a path selects. The root is the whole resource, for `%resource` and contained targets. */
export type Walk<Sink> = (node: unknown, root: Node, sink: Sink) => void

export type Node = Readonly<Record<string, unknown>>

/** Prepares a path as nested closures, so that a walk allocates nothing. */
export function preparePath<Sink>(branch: PathBranch, visit: Walk<Sink>): Walk<Sink> {
  let walk = visit
  for (let position = branch.steps.length - 1; position >= 0; position--) {
    const step = branch.steps[position]
    if (step !== undefined) walk = prepareStep(step, branch.steps[position + 1], walk)
  }
  return walk
}

function prepareStep<Sink>(step: PathStep, following: PathStep | undefined, next: Walk<Sink>): Walk<Sink> {
  if (typeof step === 'string') return child(step, indexIn(following), next)
  if ('where' in step) return filter((node) => node[step.where] === step.equals, next)
  if ('resolvesTo' in step) {
    return filter((node, root) => referencedType(node, root['contained']) === step.resolvesTo, next)
  }
  if ('extension' in step) {
    return child(
      'extension',
      undefined,
      filter((node) => node['url'] === step.extension, next),
    )
  }
  if ('hasExtension' in step) return filter((node) => hasExtension(node, step.hasExtension), next)
  if ('root' in step) return (_node, root, sink) => next(root, root, sink)
  // An index is taken together with the member before it.
  return next
}

const indexIn = (step: PathStep | undefined) => (typeof step === 'object' && 'index' in step ? step.index : undefined)

function child<Sink>(name: string, index: number | undefined, next: Walk<Sink>): Walk<Sink> {
  return (node, root, sink) => {
    if (!isNode(node)) return
    const value = node[name]
    if (value === undefined) return
    if (!Array.isArray(value)) next(value, root, sink)
    else if (index === undefined)
      for (let position = 0; position < value.length; position++) next(value[position], root, sink)
    else if (index < value.length) next(value[index], root, sink)
  }
}

function filter<Sink>(holds: (node: Node, root: Node) => boolean, next: Walk<Sink>): Walk<Sink> {
  return (node, root, sink) => {
    if (isNode(node) && holds(node, root)) next(node, root, sink)
  }
}

const isNode = (node: unknown): node is Node => typeof node === 'object' && node !== null

const hasExtension = (node: Node, url: string) =>
  Array.isArray(node['extension']) &&
  node['extension'].some((extension: { url?: unknown } | null) => extension?.url === url)
