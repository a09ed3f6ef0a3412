import { expect, it } from 'vitest'
import { partOf } from './workspace-layout.tsx'

it.each([
  ['bridge', '/console/channels', ['ADMIN'], 'console'],
  ['bridge', '/console/alerts', ['ADMIN'], 'console'],
  ['bridge', '/console/alerts?status=open', ['CLINICIAN'], 'results'],
  ['bridge', '/console/alerts', ['CLINICIAN', 'ADMIN'], 'results'],
  ['bridge', '/console/channels', ['CLINICIAN'], 'results'],
  ['bridge', '/console', ['PATIENT'], 'console'],
  ['bridge', '/console/alerts/1/acknowledge', undefined, 'results'],
  ['bridge', '/console/channels', undefined, 'console'],
  ['consent', '/patients/amina', ['CLINICIAN'], 'consents'],
  ['fhir', '/fhir/Patient', ['CLINICIAN'], undefined],
])('a page of %s at %s belongs for %j to the part %s', (service, path, roles, part) => {
  expect(partOf(service, path, roles === undefined ? undefined : new Set(roles))).toBe(part)
})
