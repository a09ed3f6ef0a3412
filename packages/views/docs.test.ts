import { describe, expect, it } from 'vitest'
import { exampleCall, exampleOf } from './example-call.ts'
import { consentDocs } from './fixtures/consent-docs.ts'
import { schemaRows, typeInWords } from './schema-rows.ts'

describe('a schema in words', () => {
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', maxLength: 64 }, 'text, at most 64 characters'],
    [{ type: 'string', format: 'date' }, 'text (date)'],
    [{ type: 'integer', minimum: 0, maximum: 9 }, 'whole number, from 0 to 9'],
    [{ type: ['string', 'null'] }, 'text or null'],
    [{ enum: ['a', 'b'] }, 'one of "a", "b"'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'one of "a", "b"'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'text or null'],
    [{ type: 'array', items: { type: 'boolean' } }, 'list of true or false'],
    [{}, 'anything'],
    [undefined, 'anything'],
  ])('%j is %s', (schema, words) => {
    expect(typeInWords(schema)).toBe(words)
  })

  it('lists nested members below their parent', () => {
    const item = { type: 'object', required: ['code'], properties: { code: { type: 'string' } } }
    const schema = { type: 'object', properties: { items: { type: 'array', items: item, description: 'All.' } } }
    expect(schemaRows(schema)).toEqual([
      { name: 'items', type: 'list of object', required: false, description: 'All.' },
      { name: 'items[].code', type: 'text', required: true, description: undefined },
    ])
  })

  it('ends at a bound however deep the schema is', () => {
    const deep: Record<string, unknown> = { type: 'object' }
    deep['properties'] = { again: deep }
    expect(schemaRows(deep)).toHaveLength(4)
  })
})

describe('an example', () => {
  it('holds what is required and nothing else', () => {
    const schema = {
      type: 'object',
      required: ['day', 'tags'],
      properties: {
        day: { type: 'string', format: 'date' },
        tags: { type: 'array', items: { enum: ['a'] } },
        more: {},
      },
    }
    expect(exampleOf(schema)).toEqual({ day: '2026-01-31', tags: ['a'] })
  })

  it('is a command to paste, with a token where one is needed', () => {
    const [record, revoke] = consentDocs.groups[0]?.operations ?? []
    expect(record && exampleCall(record, 'http://localhost:8082')).toBe(
      [
        "curl -X POST 'http://localhost:8082/api/consent'",
        '  -H "Authorization: Bearer $TOKEN"',
        "  -H 'Content-Type: application/json'",
        `  -d '{"id":1,"patientId":"text","status":"active","provision":{"type":"permit"}}'`,
      ].join(' \\\n'),
    )
    expect(revoke && exampleCall(revoke, 'http://x')).not.toContain('-d')
  })

  it('asks for no token where anyone may call, and carries the required query', () => {
    const operations = consentDocs.groups.flatMap((group) => group.operations)
    const [health, evaluate] = ['get-actuator-health', 'get-api-consent-evaluate'].map((id) =>
      operations.find((operation) => operation.id === id),
    )
    expect(health && exampleCall(health, 'http://x')).toBe("curl 'http://x/actuator/health'")
    expect(evaluate && exampleCall(evaluate, 'http://x')).toContain(
      '?patientId={patientId}&actorReference={actorReference}',
    )
  })
})
