import { incorrect, type Fault } from '../../../../packages/faults/fault.ts'

/**
 * The refusal of one parameter. It names the parameter and what is allowed, never the value: values of searches are
 * patient data, and faults are logged.
 */
export function refuse(name: string, message: string): Fault {
  const shown = short(name)
  return incorrect(`The parameter ${shown} ${message}`, {
    code: 'INVALID_SEARCH',
    fields: [{ path: `http.${shown}`, message: `The parameter ${shown} ${message}` }],
  })
}

/** R4 writes the place of a wrong parameter as `http.` and its name. Names come from outside and may be anything. */
export function short(name: string): string {
  const printable = name.replace(/[^\x20-\x7e]/g, '?')
  return printable.length <= 120 ? printable : `${printable.slice(0, 120)}…`
}

/** `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
