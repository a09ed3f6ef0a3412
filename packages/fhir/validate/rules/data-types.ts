import { startsBeforeEnd } from '../../date.ts'
import { containedType } from '../../reference.ts'
import type { Node, Report } from '../report.ts'
import { has, hasChoice, type Rule, type Rules } from './rule.ts'

const ucum = 'http://unitsofmeasure.org'

const codeNeedsSystem: Rule = {
  id: 'qty-3',
  holds: (quantity) => !has(quantity, 'code') || has(quantity, 'system'),
  advice: 'A quantity with a code needs the system of the code. Add it (UCUM is http://unitsofmeasure.org).',
}

export const dataTypeRules: Rules = {
  Extension: [
    {
      id: 'ext-1',
      holds: (extension) => has(extension, 'extension') !== hasChoice(extension, 'value'),
      advice: 'An extension has either a value[x] or extensions inside, not both and not neither.',
    },
  ],
  Reference: [
    {
      id: 'ref-1',
      holds: leadsSomewhere,
      advice: 'A reference that begins with # needs a contained resource with that id.',
    },
  ],
  Period: [{ id: 'per-1', holds: isInOrder, advice: 'The start of a period must not be after its end.' }],
  Quantity: [codeNeedsSystem],
  Age: [
    codeNeedsSystem,
    {
      id: 'age-1',
      holds: (age) => isMeasured(age) && !(Number(age['value']) <= 0),
      advice: 'An age is above 0 with a UCUM code for its unit of time (a, mo, wk, d, h, min).',
    },
  ],
  Duration: [
    codeNeedsSystem,
    {
      id: 'drt-1',
      holds: (duration) => !has(duration, 'code') || (duration['system'] === ucum && has(duration, 'value')),
      advice: 'A duration with a code needs a value and the system UCUM.',
    },
  ],
  Distance: [
    codeNeedsSystem,
    { id: 'dis-1', holds: isMeasured, advice: 'A distance with a value needs a UCUM code for its unit of length.' },
  ],
  Count: [
    codeNeedsSystem,
    {
      id: 'cnt-3',
      holds: (count) =>
        isMeasured(count) &&
        (!has(count, 'code') || count['code'] === '1') &&
        (!has(count, 'value') || !String(count['value']).includes('.')),
      advice: 'A count is a whole number with the UCUM code 1.',
    },
  ],
  Range: [{ id: 'rng-2', holds: isAscending, advice: 'The low end of a range must not be above its high end.' }],
  Ratio: [
    {
      id: 'rat-1',
      holds: (ratio) =>
        has(ratio, 'numerator') === has(ratio, 'denominator') && (has(ratio, 'numerator') || has(ratio, 'extension')),
      advice: 'A ratio has both numerator and denominator, or neither and an extension.',
    },
  ],
  Attachment: [
    {
      id: 'att-1',
      holds: (attachment) => !has(attachment, 'data') || has(attachment, 'contentType'),
      advice: 'An attachment with data needs its contentType.',
    },
  ],
  ContactPoint: [
    {
      id: 'cpt-2',
      holds: (contact) => !has(contact, 'value') || has(contact, 'system'),
      advice: 'A contact point with a value needs its system (phone, email, …).',
    },
  ],
  Expression: [
    {
      id: 'exp-1',
      holds: (expression) => has(expression, 'expression') || has(expression, 'reference'),
      advice: 'Give the expression itself or a reference to it.',
    },
  ],
  'Timing.repeat': [
    needs('tim-1', 'duration', 'durationUnit'),
    needs('tim-2', 'period', 'periodUnit'),
    notBelowZero('tim-4', 'duration'),
    notBelowZero('tim-5', 'period'),
    needs('tim-6', 'periodMax', 'period'),
    needs('tim-7', 'durationMax', 'duration'),
    needs('tim-8', 'countMax', 'count'),
    {
      id: 'tim-9',
      holds: (repeat) => !has(repeat, 'offset') || (has(repeat, 'when') && !isOnlyMeals(repeat['when'])),
      advice: 'An offset needs a when that is not just C, CM, CD or CV.',
    },
    {
      id: 'tim-10',
      holds: (repeat) => !has(repeat, 'timeOfDay') || !has(repeat, 'when'),
      advice: 'Give timeOfDay or when, not both.',
    },
  ],
}

function needs(id: string, name: string, other: string): Rule {
  return {
    id,
    holds: (node) => !has(node, name) || has(node, other),
    advice: `${name} needs ${other}. Add it.`,
  }
}

function notBelowZero(id: string, name: string): Rule {
  return { id, holds: (node) => !(Number(node[name]) < 0), advice: `${name} must not be below 0.` }
}

const isOnlyMeals = (when: unknown) =>
  Array.isArray(when) && when.length === 1 && ['C', 'CM', 'CD', 'CV'].some((code) => code === when[0])

function isMeasured(quantity: Node): boolean {
  return (has(quantity, 'code') || !has(quantity, 'value')) && (!has(quantity, 'system') || quantity['system'] === ucum)
}

/** `#` alone is the resource around, which a contained resource may point back to. */
function leadsSomewhere(reference: Node, report: Report): boolean {
  const text = reference['reference']
  if (typeof text !== 'string' || text.charCodeAt(0) !== 35 || text === '#') return true
  return containedType(text.slice(1), report.root['contained']) !== undefined
}

function isInOrder({ start, end }: Node): boolean {
  return typeof start !== 'string' || typeof end !== 'string' || startsBeforeEnd(start, end)
}

/** Ends of different units cannot be compared without converting them. */
function isAscending(range: Node): boolean {
  const low = range['low'] as Node | undefined
  const high = range['high'] as Node | undefined
  if (low === undefined || high === undefined || low['code'] !== high['code'] || low['unit'] !== high['unit'])
    return true
  return !(Number(low['value']) > Number(high['value']))
}
