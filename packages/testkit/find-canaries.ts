import { bug } from '../faults/fault.ts'
import { canaryForms } from './canary-forms.ts'
import type { Canaries, Canary } from './log-canaries.ts'

interface FoundCanary extends Canary {
  /** How it was written: `plain`, `base64`, `URL-encoded`, … */
  readonly form: string
  /** What stands around it. */
  readonly excerpt: string
}

/** Every canary in the text, in whatever form it hides. An empty list is what every test hopes for. */
export function findCanaries(where: string | Buffer | readonly string[], canaries: Canaries): FoundCanary[] {
  const text = textOf(where)
  const lower = text.toLowerCase()
  const found: FoundCanary[] = []
  for (const canary of canaries.all) {
    for (const { name, text: form, caseMatters } of canaryForms(canary)) {
      const at = caseMatters ? text.indexOf(form) : lower.indexOf(form.toLowerCase())
      if (at < 0) continue
      found.push({ ...canary, form: name, excerpt: text.slice(Math.max(0, at - 40), at + form.length + 40) })
      break
    }
  }
  return found
}

/** Throws a sentence for every canary that is in there. */
export function assertNoCanaries(where: string | Buffer | readonly string[], canaries: Canaries): void {
  const found = findCanaries(where, canaries)
  if (found.length === 0) return
  const lines = found.map(({ kind, value, form, excerpt }) => `- ${kind} ${value} (${form}): …${excerpt}…`)
  throw bug(`${found.length} canaries leaked:\n${lines.join('\n')}`)
}

function textOf(where: string | Buffer | readonly string[]): string {
  if (typeof where === 'string') return where
  // Both readings, since bytes that are no UTF-8 would hide what follows them.
  if (Buffer.isBuffer(where)) return `${where.toString('utf8')}\n${where.toString('latin1')}`
  return where.join('\n')
}
