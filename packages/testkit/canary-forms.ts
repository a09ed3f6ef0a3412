import type { Canary } from './log-canaries.ts'

interface CanaryForm {
  readonly name: string
  readonly text: string
  /** Base64 means something else in another case; every other form does not. */
  readonly caseMatters: boolean
}

/** The ways in which software writes a value down. The plain one comes first. */
export function canaryForms(canary: Canary): readonly CanaryForm[] {
  const { value } = canary
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [
    form('plain', value),
    form('JSON-escaped', json),
    form('JSON-escaped', asciiJson(json)),
    form('JSON-escaped twice', JSON.stringify(json).slice(1, -1)),
    form('JSON-escaped twice', JSON.stringify(asciiJson(json)).slice(1, -1)),
    form('URL-encoded', encodeURIComponent(value)),
    form('form-encoded', new URLSearchParams({ '': value }).toString().slice(1)),
    form('URL-encoded twice', encodeURIComponent(encodeURIComponent(value))),
    form('HTML-escaped', html(value)),
    form('hexadecimal', Buffer.from(value).toString('hex')),
    form('read as Latin-1', Buffer.from(value).toString('latin1')),
    ...compactForms(canary),
    ...base64Forms(value),
  ]
  return forms.filter(({ text }, index) => forms.findIndex((other) => other.text === text) === index)
}

const form = (name: string, text: string): CanaryForm => ({ name, text, caseMatters: false })

const asciiJson = (json: string) =>
  json.replaceAll(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const html = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** HL7 writes dates without dashes, and phones lose their spaces everywhere. */
function compactForms({ kind, value }: Canary): readonly CanaryForm[] {
  if (kind === 'birth date') return [form('without dashes', value.replaceAll('-', ''))]
  if (kind === 'phone') return [form('without spaces', value.replaceAll(' ', ''))]
  return []
}

/**
 * Base64 of a text that holds the value anywhere: what comes before shifts it by none, one or two bytes. Signs that also
 * carry bits of a neighbour are left out at both ends.
 */
function base64Forms(value: string): readonly CanaryForm[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
    const wholeBits = Math.floor((shifted.length * 8) / 6)
    const inner = shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), wholeBits)
    const urlSafe = inner.replaceAll('+', '-').replaceAll('/', '_')
    return [inner, urlSafe].map((text) => ({ name: 'base64', text, caseMatters: true }))
  })
}
