import { secret } from './records.ts'
import type { Request } from './two-worlds.ts'

const observation = (rest: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { text: 'written by a test' },
  subject: { reference: 'Patient/amina' },
  ...rest,
})
const identifier = (value: string) => ({ identifier: [{ system: 'urn:lab', value }] })
const patch = (path: string, operations: readonly object[], headers: object = {}): Request => ({
  method: 'PATCH',
  path,
  body: operations,
  headers: { 'content-type': 'application/json-patch+json', ...headers },
})
const put = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: 'PUT',
  path,
  body,
  headers,
})
const bundle = (type: 'batch' | 'transaction', ...entry: readonly object[]): Request => ({
  method: 'POST',
  path: '',
  body: { resourceType: 'Bundle', type, entry },
})
const entry = (method: string, url: string, resource?: object, more: object = {}) => ({
  request: { method, url, ...more },
  ...(resource === undefined ? {} : { resource }),
})

const patchData = (operations: readonly object[]) => ({
  resourceType: 'Binary',
  contentType: 'application/json-patch+json',
  data: Buffer.from(JSON.stringify(operations)).toString('base64'),
})

const isSecret = { op: 'test', path: '/valueString', value: secret }
const isFinal = { op: 'test', path: '/status', value: 'final' }
const isOther = { op: 'test', path: '/status', value: 'preliminary' }
const change = { op: 'replace', path: '/status', value: 'amended' }

/** Every way to write that names, or could find, something of the other patient. */
export const writings: Readonly<Record<string, readonly Request[]>> = {
  create: [
    { method: 'POST', path: '/Observation', body: observation({ subject: { reference: 'Patient/kofi' } }) },
    {
      method: 'POST',
      path: '/Observation',
      body: observation({ subject: { reference: 'Patient/kofi' }, performer: [{ reference: 'Patient/amina' }] }),
    },
    { method: 'POST', path: '/Patient', body: { resourceType: 'Patient' } },
    { method: 'POST', path: '/Device', body: { resourceType: 'Device', patient: { reference: 'Patient/kofi' } } },
  ],
  'update by id': [
    ...['b-glucose', 'b-deleted', 'b-never'].flatMap((id) => [
      put(`/Observation/${id}`, observation({ id })),
      put(`/Observation/${id}`, observation({ id, subject: { reference: 'Patient/kofi' } })),
      put(`/Observation/${id}`, observation({ id }), { 'if-match': 'W/"1"' }),
      put(`/Observation/${id}`, observation({ id }), { 'if-match': 'W/"7"' }),
      put(`/Observation/${id}`, observation({ id }), { 'if-none-match': '*' }),
    ]),
    put('/Patient/kofi', { resourceType: 'Patient', id: 'kofi' }),
    put('/Patient/never', { resourceType: 'Patient', id: 'never' }),
    put('/Device/b-implant', { resourceType: 'Device', id: 'b-implant', patient: { reference: 'Patient/amina' } }),
    put('/AuditEvent/b-audit', { resourceType: 'AuditEvent', id: 'b-audit' }),
  ],
  'patch by id': ['b-glucose', 'b-deleted', 'b-never'].flatMap((id) => [
    patch(`/Observation/${id}`, [isSecret, change]),
    patch(`/Observation/${id}`, [isFinal, change]),
    patch(`/Observation/${id}`, [isOther, change]),
    patch(`/Observation/${id}`, [{ op: 'copy', from: '/valueString', path: '/id' }]),
    patch(`/Observation/${id}`, [{ op: 'remove', path: '/nothing' }]),
    patch(`/Observation/${id}`, [change], { 'if-match': 'W/"1"' }),
  ]),
  'delete by id': ['b-glucose', 'b-deleted', 'b-never'].flatMap((id): Request[] => [
    { method: 'DELETE', path: `/Observation/${id}` },
    { method: 'DELETE', path: `/Observation/${id}`, headers: { 'if-match': 'W/"1"' } },
    { method: 'DELETE', path: `/Observation/${id}`, headers: { 'if-match': 'W/"7"' } },
  ]),
  'conditional create': [
    'identifier=urn:lab|b-glucose',
    'identifier=urn:lab|b-glucose&status=final',
    'patient=kofi',
    'value-string=Zebrafinch',
    'subject:Patient.identifier=urn:mrn|b',
  ].map((query): Request => ({
    method: 'POST',
    path: '/Observation',
    body: observation(identifier('b-glucose')),
    headers: { 'if-none-exist': query },
  })),
  'conditional update': [
    put('/Observation?identifier=urn:lab|b-pulse', observation(identifier('b-pulse'))),
    put('/Observation?identifier=urn:lab|b-pulse&status=final', observation(identifier('b-pulse'))),
    put('/Observation?patient=kofi', observation(identifier('b-other'))),
    put('/Observation?identifier=urn:lab|nobody', observation({ id: 'b-glucose', ...identifier('nobody') })),
    put('/Observation?identifier=urn:lab|nobody', observation({ id: 'b-never', ...identifier('nobody') })),
    put('/Patient?identifier=urn:mrn|b', { resourceType: 'Patient', identifier: [{ system: 'urn:mrn', value: 'b' }] }),
    put('/Patient?identifier=urn:ward|bed-1', { resourceType: 'Patient', active: true }),
  ],
  'conditional patch and delete': [
    patch('/Observation?identifier=urn:lab|b-pulse&value-string=Zebrafinch', [isSecret, change]),
    patch('/Observation?value-string=Zebrafinch', [change]),
    patch('/Patient?identifier=urn:mrn|b', [{ op: 'add', path: '/active', value: false }]),
    { method: 'DELETE', path: '/Observation?value-string=Zebrafinch' },
    { method: 'DELETE', path: '/Observation?patient=kofi' },
    { method: 'DELETE', path: '/Patient?identifier=urn:mrn|b' },
  ],
  'entries of batches': [
    bundle(
      'batch',
      entry('PUT', 'Observation/b-glucose', observation({ id: 'b-glucose' })),
      entry('DELETE', 'Observation/b-glucose'),
      entry('DELETE', 'Observation/b-never'),
      entry('DELETE', 'Observation?value-string=Zebrafinch'),
      entry('PUT', 'Observation/b-never', observation({ id: 'b-never' })),
    ),
    bundle('batch', entry('PUT', 'Patient?identifier=urn:mrn|b', { resourceType: 'Patient' })),
    bundle(
      'batch',
      entry('PUT', 'Patient?identifier=urn:mrn|b', {
        resourceType: 'Patient',
        identifier: [{ system: 'urn:mrn', value: 'b' }],
      }),
    ),
  ],
  'entries of transactions': [
    bundle('transaction', entry('PUT', 'Observation/b-glucose', observation({ id: 'b-glucose' }))),
    bundle('transaction', entry('PUT', 'Observation/b-never', observation({ id: 'b-never' }))),
    bundle('transaction', entry('DELETE', 'Observation/b-glucose')),
    bundle('transaction', entry('DELETE', 'Observation/b-never')),
    bundle('transaction', entry('DELETE', 'Observation?value-string=Zebrafinch')),
    bundle(
      'transaction',
      entry('PUT', 'Observation/b-glucose', observation({ id: 'b-glucose' }), { ifMatch: 'W/"1"' }),
    ),
    bundle(
      'transaction',
      entry('PUT', 'Observation/b-glucose', observation({ id: 'b-glucose' }), { ifMatch: 'W/"7"' }),
    ),
    bundle('transaction', entry('POST', 'Observation', observation(), { ifNoneExist: 'value-string=Zebrafinch' })),
    ...['b-glucose', 'b-deleted', 'b-never'].flatMap((id) => [
      bundle(
        'transaction',
        entry('PUT', 'Observation?identifier=urn:lab|nobody', observation({ id, ...identifier('nobody') })),
      ),
      bundle('transaction', entry('PUT', `Observation/${id}`, observation({ id }), { ifNoneMatch: '*' })),
      bundle('transaction', entry('PATCH', `Observation/${id}`, patchData([isFinal, change]))),
      bundle('transaction', entry('PATCH', `Observation/${id}`, patchData([isOther, change]))),
      bundle('transaction', entry('PATCH', `Observation/${id}`, patchData([change]), { ifMatch: 'W/"7"' })),
      bundle('transaction', entry('GET', `Observation/${id}`, undefined, { ifNoneMatch: 'W/"1"' })),
      bundle(
        'transaction',
        entry('POST', 'Observation', observation({ hasMember: [{ reference: `Observation/${id}` }] })),
        entry('GET', 'Observation?has-member:Observation.value-string=Zebrafinch&_include=Observation:has-member'),
      ),
    ]),
    bundle(
      'transaction',
      entry('PUT', 'Observation?identifier=urn:lab|b-pulse', observation(identifier('b-pulse'))),
      entry('DELETE', 'Observation?identifier=urn:lab|b-glucose'),
    ),
    bundle('transaction', entry('PATCH', 'Observation?value-string=Zebrafinch', patchData([change]))),
  ],
  'conditional references in transactions': [
    'Patient?identifier=urn:mrn|b',
    'Patient?identifier=urn:ward|bed-1',
    'Patient?given=Zebrafinch',
    'Practitioner?_has:Observation:performer:value-string=Zebrafinch',
  ].map((reference) =>
    bundle('transaction', entry('POST', 'Observation', observation({ performer: [{ reference }] }))),
  ),
  operations: [
    {
      method: 'POST',
      path: '/Patient/$match',
      body: {
        resourceType: 'Parameters',
        parameter: [
          {
            name: 'resource',
            resource: {
              resourceType: 'Patient',
              identifier: [{ system: 'urn:mrn', value: 'b' }],
              birthDate: '1980-03-01',
            },
          },
        ],
      },
    },
    // One's own name and the other's: whether the match is certain and how likely would tell whether the other is here.
    ...[true, false].map((onlyCertain): Request => ({
      method: 'POST',
      path: '/Patient/$match',
      body: {
        resourceType: 'Parameters',
        parameter: [
          {
            name: 'resource',
            resource: {
              resourceType: 'Patient',
              name: [
                { family: 'Diallo', given: ['Amina'] },
                { family: 'Diallo', given: [secret] },
              ],
              gender: 'female',
              birthDate: '1980-03-01',
            },
          },
          { name: 'onlyCertainMatches', valueBoolean: onlyCertain },
        ],
      },
    })),
    { method: 'POST', path: '/Observation/b-glucose/$validate', body: observation() },
  ],
}
