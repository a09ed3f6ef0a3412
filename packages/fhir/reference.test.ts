import { describe, expect, it } from 'vitest'
import { parseCanonical, parseReference, referencedType } from './reference.ts'

describe('a reference', () => {
  it.each([
    ['Patient/1', { kind: 'relative', type: 'Patient', id: '1', version: undefined }],
    ['Patient/1/_history/2', { kind: 'relative', type: 'Patient', id: '1', version: '2' }],
    [
      'https://example.org/fhir/Patient/a-b.c',
      { kind: 'absolute', base: 'https://example.org/fhir', type: 'Patient', id: 'a-b.c', version: undefined },
    ],
    [
      'http://example.org/Patient/1/_history/7',
      { kind: 'absolute', base: 'http://example.org', type: 'Patient', id: '1', version: '7' },
    ],
    ['#p1', { kind: 'contained', id: 'p1' }],
    ['#', { kind: 'contained', id: '' }],
    [
      'urn:uuid:c757873d-ec9a-4326-a141-556f43239520',
      { kind: 'urn', urn: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' },
    ],
    ['Patient?identifier=urn:x|1', { kind: 'conditional', type: 'Patient', query: 'identifier=urn:x|1' }],
    ['http://example.org/some/page.html', { kind: 'other', url: 'http://example.org/some/page.html' }],
    ['Patient/', { kind: 'other', url: 'Patient/' }],
    ['Patient/has space', { kind: 'other', url: 'Patient/has space' }],
    ['', { kind: 'other', url: '' }],
  ])('%s is read', (text, parsed) => {
    expect(parseReference(text)).toEqual(parsed)
  })

  it.each([
    [
      'http://example.org/ValueSet/x',
      { url: 'http://example.org/ValueSet/x', version: undefined, fragment: undefined },
    ],
    [
      'http://example.org/ValueSet/x|1.0',
      { url: 'http://example.org/ValueSet/x', version: '1.0', fragment: undefined },
    ],
    ['http://example.org/x|1.0#part', { url: 'http://example.org/x', version: '1.0', fragment: 'part' }],
    ['#inside', { url: '', version: undefined, fragment: 'inside' }],
  ])('%s is read as a canonical address', (text, parsed) => {
    expect(parseCanonical(text)).toEqual(parsed)
  })

  it.each<[{ reference?: string; type?: string; identifier?: object; display?: string }, string | undefined]>([
    [{ reference: 'Patient/1' }, 'Patient'],
    [{ reference: 'http://example.org/fhir/Group/1/_history/2' }, 'Group'],
    [{ reference: 'Device?identifier=1' }, 'Device'],
    [{ reference: '#d' }, 'Device'],
    [{ reference: '#missing' }, undefined],
    [{ type: 'Patient', identifier: { value: '1' } }, 'Patient'],
    [{ type: 'http://hl7.org/fhir/StructureDefinition/Patient' }, 'Patient'],
    [{ reference: 'urn:uuid:1', type: 'Patient' }, 'Patient'],
    [{ reference: 'urn:uuid:1' }, undefined],
    [{ display: 'someone' }, undefined],
  ])('%j leads to the type %s', (reference, type) => {
    expect(referencedType(reference, [{ resourceType: 'Device', id: 'd' }])).toBe(type)
  })

  it('looks through what is contained once, however many references lead there', () => {
    let looks = 0
    const seen = { get: (list: object[], name: keyof object[]) => (looks++, list[name]) }
    const resources = Array.from({ length: 100 }, (_none, index) => ({ resourceType: 'Device', id: `d${index}` }))
    const contained = new Proxy<object[]>(resources, seen as ProxyHandler<object[]>)
    for (const { id } of resources) expect(referencedType({ reference: `#${id}` }, contained)).toBe('Device')
    expect(looks).toBeLessThan(500)
  })
})
