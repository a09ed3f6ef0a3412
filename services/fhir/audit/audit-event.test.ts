import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { createValidate } from '../../../packages/fhir/validate/validator.ts'
import { auditEventOf, type AuditedPart } from './audit-event.ts'
import type { AuditedAccess, Interaction } from './audited-access.ts'
import { patternOf } from './patterns.ts'
import { accessOf, clinician, program } from './testing/accesses.ts'

const validate = createValidate(await loadDefinitions())
const base = 'http://localhost:8080/fhir'

describe('an AuditEvent', () => {
  it.each(Object.keys(patternOf) as Interaction[])(
    'of %s is valid R4 and names the pattern it follows',
    (interaction) => {
      for (const patient of ['amina', undefined]) {
        const event = eventOf({ interaction, question: 'Observation?code=x' }, { patient })
        expect(validate(event)).toEqual([])
        const pattern = `${patient === undefined ? '' : 'Patient'}${patternOf[interaction]}`
        expect(event.meta?.profile).toEqual([
          `https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.${pattern}`,
        ])
        expect(event.subtype).toEqual([{ system: 'http://hl7.org/fhir/restful-interaction', code: interaction }])
      }
    },
  )

  it.each<[Interaction, string, string, string, string]>([
    ['create', 'C', '110153', '110152', 'AUT'],
    ['read', 'R', '110152', '110153', 'IRCP'],
    ['update', 'U', '110153', '110152', 'AUT'],
    ['delete', 'D', '110150', 'custodian', 'AUT'],
    ['search-type', 'E', '110153', '110152', 'IRCP'],
  ])('of %s has the action and the roles that BALP wants', (interaction, action, client, server, user) => {
    const event = eventOf({ interaction })
    expect(event.action).toBe(action)
    expect(event.agent.map(({ type }) => type?.coding?.[0]?.code)).toEqual([client, server, user])
  })

  it('says who asked, through what, from where, as whom and why', () => {
    const [client, server, user] = eventOf({}).agent
    expect(client).toMatchObject({
      who: { identifier: { value: 'demo-app' } },
      network: { address: '127.0.0.1', type: '2' },
      requestor: false,
    })
    expect(server).toMatchObject({ who: { identifier: { value: base } }, requestor: false })
    expect(user).toMatchObject({
      who: { reference: 'Practitioner/dr-amara' },
      altId: 'dr-amara',
      requestor: true,
      policy: ['urn:corridor:token:token-1'],
      role: [{ coding: [{ code: 'CLINICIAN' }] }],
      purposeOfUse: [{ coding: [{ code: 'TREAT' }] }],
    })
  })

  it('of a program has no user, and the program is the one who asked', () => {
    const { agent } = eventOf({ caller: program })
    expect(agent).toHaveLength(2)
    expect(agent[0]).toMatchObject({ requestor: true, purposeOfUse: [{ coding: [{ code: 'HOPERAT' }] }] })
  })

  it('of a call inside the process, or of nobody, is valid too', () => {
    const { peer: _peer, ...inside } = accessOf({ caller: program })
    expect(validate(auditEventOf({ access: inside, resources: [], patient: 'amina' }, base))).toEqual([])
    expect(validate(eventOf({ caller: undefined, outcome: { kind: 'refused', code: 'invalid_token' } }))).toEqual([])
  })

  it('names a person of another server by identifier', () => {
    const caller = { ...clinician, fhirUser: 'https://else.example/fhir/Practitioner/9' }
    const event = eventOf({ caller })
    expect(event.agent[2]?.who).toEqual({ identifier: { value: 'https://else.example/fhir/Practitioner/9' } })
    expect(validate(event)).toEqual([])
  })

  it('names the patient, the version and the request', () => {
    expect(eventOf({}).entity).toMatchObject([
      { what: { reference: 'Patient/amina' }, type: { code: '1' }, role: { code: '1' } },
      { what: { reference: 'Observation/glucose/_history/1' }, type: { code: '2' }, role: { code: '4' } },
      { what: { identifier: { value: 'request-1' } }, type: { code: 'XrequestId' } },
    ])
  })

  it.each<[AuditedAccess['outcome'], object]>([
    [{ kind: 'success' }, { outcome: '0' }],
    [
      { kind: 'refused', code: 'insufficient_scope' },
      { outcome: '4', outcomeDesc: 'insufficient_scope' },
    ],
    [{ kind: 'failed' }, { outcome: '8' }],
  ])('says how it ended: %j', (outcome, expected) => {
    expect(eventOf({ outcome })).toMatchObject(expected)
  })

  it('of a search tells what was asked without what was looked for', () => {
    const event = eventOf({
      interaction: 'search-type',
      question: 'Patient?name=Diallo&birthdate=1980-03-01&_id=amina',
    })
    const query = event.entity?.find(({ role }) => role?.code === '24')
    const text = 'Patient?name=*&birthdate=*&_id=amina'
    expect(query).toMatchObject({ description: text, query: Buffer.from(text).toString('base64') })
    expect(JSON.stringify(event)).not.toMatch(/Diallo|1980/)
  })
})

function eventOf(given: Partial<AuditedAccess>, part: Partial<AuditedPart> = {}) {
  const access = accessOf(given)
  return auditEventOf({ access, resources: access.touched.slice(0, 1), patient: 'amina', ...part }, base)
}
