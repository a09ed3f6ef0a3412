import type { TSchema } from 'typebox'

/**
 * Reads the text of a path, query or header as its schema says: whole numbers, numbers, true and false, lists of them.
 * What cannot be read so stays text, and the schema check then names it. Deliberately narrower than Ajv's coercion,
 * which takes `0x10`, ` 5 ` and `1e3` for numbers. True and false in any case: Python's clients write `True`.
 */
export function valueOfText(text: string | readonly string[], schema: TSchema): unknown {
  const type = 'type' in schema ? schema.type : undefined
  if (type === 'array') {
    const items = 'items' in schema && typeof schema.items === 'object' && schema.items !== null ? schema.items : {}
    return (typeof text === 'string' ? [text] : text).map((item) => valueOfText(item, items))
  }
  if (typeof text !== 'string') return text
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'number' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}
