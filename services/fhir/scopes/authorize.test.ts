import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { roles, type Caller, type Role } from '../../../packages/tokens/caller.ts'
import type { AccessConditions, Right, TypeAccess } from './access.ts'
import { createAuthorizeRequest } from './authorize.ts'
import { insufficientScope } from './insufficient-scope.ts'

const definitions = await loadDefinitions()
const authorizeRequest = createAuthorizeRequest(definitions, {
  ownBases: ['https://corridor.example/fhir'],
  copies: [],
})

describe('patient/ scopes', () => {
  const reach = (scope: string, type: string, right: Right, given: Partial<Caller> = {}) =>
    accessOf({ scope, patient: 'amina', roles: new Set(['CLINICIAN']), ...given }, type, right)

  it.each<[string, string, Right, TypeAccess]>([
    ['patient/Observation.rs', 'Observation', 'r', [{ patient: 'amina' }]],
    ['patient/Observation.rs', 'Observation', 's', [{ patient: 'amina' }]],
    ['patient/*.rs', 'Condition', 's', [{ patient: 'amina' }]],
    ['patient/*.read', 'Condition', 's', [{ patient: 'amina' }]],
    ['patient/*.*', 'Condition', 'r', [{ patient: 'amina' }]],
    ['patient/Observation.r', 'Observation', 's', 'none'],
    ['patient/Observation.rs', 'Observation', 'u', 'none'],
    ['patient/Observation.rs', 'Condition', 'r', 'none'],
    ['patient/*.rs', 'NoSuchType', 'r', 'none'],
    ['patient/*.rs', 'constructor', 'r', 'none'],
    ['patient/Observation.sr', 'Observation', 'r', 'none'],
    ['openid launch', 'Observation', 'r', 'none'],
    ['', 'Observation', 'r', 'none'],
  ])('%s on %s, %s', (scope, type, right, expected) => {
    expect(reach(scope, type, right)).toEqual(expected)
  })

  it.each<[string, Right, TypeAccess]>([
    ['patient/Observation.rs?category=a|b', 's', [{ patient: 'amina', query: 'category=a|b' }]],
    [
      'patient/Observation.rs?category=a|b patient/Observation.s?code=x',
      's',
      [
        { patient: 'amina', query: 'category=a|b' },
        { patient: 'amina', query: 'code=x' },
      ],
    ],
    ['patient/Observation.s?category=a|b', 'r', 'none'],
    ['patient/Observation.rs?category=a|b patient/*.rs', 's', [{ patient: 'amina' }]],
    [
      'patient/Observation.c?category=a|b',
      'c',
      [{ patient: 'amina', onlyPatient: 'amina', query: 'patient=Patient/amina&category=a|b' }],
    ],
  ])('become conditions where they are granular: %s, %s', (scope, right, expected) => {
    expect(reach(scope, 'Observation', right)).toEqual(expected)
  })

  it('give nothing without a patient in the token, or with one that is no id', () => {
    const { patient: _patient, ...withoutPatient } = caller({ scope: 'patient/*.cruds' })
    expect(authorizeRequest({ ...withoutPatient, patient: undefined }).of('Observation', 'r')).toBe('none')
    expect(reach('patient/*.rs', 'Device', 's', { patient: 'amina,Patient/kofi' })).toBe('none')
    expect(reach('patient/*.rs', 'Observation', 's', { patient: '' })).toBe('none')
  })

  it('mean the very Patient of the token, and never one that links to it', () => {
    for (const right of ['r', 's', 'c'] as const) {
      expect(reach('patient/*.cruds', 'Patient', right)).toEqual([{ id: 'amina' }])
    }
  })

  it('let it be changed but for what says who it is, and not be deleted', () => {
    const keeps = ['identifier', 'link', 'meta.tag']
    expect(reach('patient/*.cruds', 'Patient', 'u')).toEqual([{ id: 'amina', keeps }])
    expect(reach('patient/Patient.u?active=true', 'Patient', 'u')).toEqual([
      { id: 'amina', keeps, query: 'active=true' },
    ])
    expect(reach('patient/*.cruds', 'Patient', 'd')).toBe('none')
    const own = { roles: new Set<Role>(['PATIENT']), fhirUser: 'Patient/amina', patient: undefined }
    expect(reach('user/*.cruds', 'Patient', 'd', own)).toBe('none')
  })

  it('leave to a patient, and to who acts for one, neither the name nor the birth date, nor a death', () => {
    const keeps = [
      ...['identifier', 'link', 'meta.tag', 'name', 'birthDate', '_birthDate'],
      ...['deceasedBoolean', '_deceasedBoolean', 'deceasedDateTime', '_deceasedDateTime', 'active', 'gender'],
      ...['multipleBirthBoolean', 'multipleBirthInteger', 'managingOrganization', 'extension', 'meta.extension'],
    ]
    const itself = { roles: new Set<Role>(['PATIENT']), fhirUser: 'Patient/amina' }
    const relative = { roles: new Set<Role>(), fhirUser: 'RelatedPerson/mother' }
    for (const who of [itself, relative])
      expect(reach('patient/*.cruds', 'Patient', 'u', who)).toEqual([{ id: 'amina', keeps }])
    expect(reach('user/*.cruds', 'Patient', 'u', { ...itself, patient: undefined })).toEqual([{ id: 'amina', keeps }])
  })

  it('leave it to others who acts for a patient, and how long', () => {
    const bound = { patient: 'amina', onlyPatient: 'amina', query: 'patient=Patient/amina' }
    const keeps = ['patient', 'active', 'period', 'identifier', 'name', 'meta.tag', 'meta.extension']
    const own = { roles: new Set<Role>(['PATIENT']), fhirUser: 'Patient/amina', patient: undefined }
    const words: [string, Partial<Caller>][] = [
      ['patient/*.cruds', { roles: new Set(), fhirUser: 'RelatedPerson/mother' }],
      ['patient/*.cruds', { roles: new Set(), fhirUser: undefined }],
      ['user/*.cruds', own],
    ]
    for (const [scope, who] of words) {
      expect(reach(scope, 'RelatedPerson', 'u', who)).toEqual([{ ...bound, keeps }])
      for (const right of ['c', 'd'] as const) expect(reach(scope, 'RelatedPerson', right, who)).toBe('none')
      for (const right of ['r', 's'] as const) {
        expect(reach(scope, 'RelatedPerson', right, who)).toEqual([{ patient: 'amina' }])
      }
    }
    const granular = reach('patient/RelatedPerson.u?active=true', 'RelatedPerson', 'u', words[0]?.[1])
    expect(granular).toEqual([{ ...bound, keeps, query: 'patient=Patient/amina&active=true' }])
    const other = reach('patient/*.cruds', 'Observation', 'd', words[0]?.[1])
    expect(other, 'and nothing else').toEqual([bound])
    // Who treats them has seen papers.
    for (const right of ['c', 'u', 'd'] as const)
      expect(reach('patient/*.cruds', 'RelatedPerson', right)).toEqual([bound])
  })

  it('leave it to the bridge when something was said', () => {
    const bound = { patient: 'amina', onlyPatient: 'amina', query: 'patient=Patient/amina' }
    const keeps = ['meta.extension']
    const itself = { roles: new Set<Role>(['PATIENT']), fhirUser: 'Patient/amina' }
    const relative = { roles: new Set<Role>(), fhirUser: 'RelatedPerson/mother' }
    for (const who of [itself, relative]) {
      for (const right of ['c', 'u'] as const) {
        expect(reach('patient/*.cruds', 'Observation', right, who)).toEqual([{ ...bound, keeps }])
        expect(reach('patient/*.cruds', 'Task', right, who)).toEqual([{ query: 'patient=Patient/amina', keeps }])
      }
      expect(reach('patient/*.cruds', 'Observation', 'd', who)).toEqual([bound])
    }
  })

  it.each<[string, Right, TypeAccess]>([
    // Whoever names their patient as the performer must not write about another one.
    ['Observation', 'c', [{ patient: 'amina', onlyPatient: 'amina', query: 'patient=Patient/amina' }]],
    ['Observation', 'u', [{ patient: 'amina', onlyPatient: 'amina', query: 'patient=Patient/amina' }]],
    ['AdverseEvent', 'd', [{ patient: 'amina', onlyPatient: 'amina', query: 'subject=Patient/amina' }]],
    ['Schedule', 'u', [{ patient: 'amina', onlyPatient: 'amina' }]],
    // In no compartment of R4, and a patient's all the same.
    ['Device', 's', [{ query: 'patient=Patient/amina' }]],
    ['Task', 'u', [{ query: 'patient=Patient/amina' }]],
    // Several patients may be its subjects, and no compartment tells.
    ['Contract', 's', [{ query: 'patient=Patient/amina' }]],
    ['Contract', 'c', 'none'],
    ['Contract', 'u', 'none'],
    ['Contract', 'd', 'none'],
    // Everybody's members see each other.
    ['Group', 'r', 'none'],
    // May hold anybody's record, and nothing says whose.
    ['Binary', 'r', 'none'],
    ['Bundle', 's', 'none'],
    ['MessageHeader', 'r', 'none'],
    ['Linkage', 'r', 'none'],
  ])('reach %s, %s, only as far as it is the patient’s', (type, right, expected) => {
    expect(reach('patient/*.cruds', type, right)).toStrictEqual(expected)
  })

  it('let nothing be written that may name several patients without being in their compartments', () => {
    const repeats = (type: string) => {
      const parameter = ['patient', 'subject']
        .map((code) => definitions.parameter(type, code))
        .find((each) => each !== undefined)
      const [first] = parameter?.branches?.[0]?.steps ?? []
      return definitions.elementsOf(type).some(({ name, max }) => name === first && max === '*')
    }
    const outside = [...definitions.resourceTypes].filter(
      (type) => definitions.compartmentParameters('Patient', type).length === 0,
    )
    const written = outside.filter((type) => reach('patient/*.cruds', type, 'c') !== 'none')
    expect(written.toSorted()).toEqual(['Device', 'GuidanceResponse', 'Task'])
    expect(written.filter(repeats)).toEqual([])
    expect(repeats('Contract')).toBe(true)
  })

  it.each(['Organization', 'Location', 'Practitioner', 'PractitionerRole', 'Medication', 'ValueSet'])(
    'let %s be read, which is about no patient, and not be changed',
    (type) => {
      expect(reach('patient/*.cruds', type, 'r')).toBe('unrestricted')
      expect(reach('patient/*.cruds', type, 's')).toBe('unrestricted')
      for (const right of ['c', 'u', 'd'] as const) expect(reach('patient/*.cruds', type, right)).toBe('none')
      expect(reach('patient/Observation.rs', type, 'r')).toBe('none')
    },
  )

  it('let of what is about no patient as much be read as they find, where they are granular', () => {
    const scope = 'patient/Organization.rs?name=central patient/Organization.s?active=true'
    expect(reach(scope, 'Organization', 's')).toEqual([{ query: 'name=central' }, { query: 'active=true' }])
    expect(reach('patient/Organization.cud?name=central', 'Organization', 'u')).toBe('none')
  })

  it('open no type that the definitions put into no compartment, unless it is shared or has a patient', () => {
    const open = [...definitions.resourceTypes].filter((type) => reach('patient/*.rs', type, 'r') === 'unrestricted')
    // By name: whoever adds one lets every patient's app read all of it.
    expect(open.toSorted()).toEqual([
      ...['ActivityDefinition', 'CapabilityStatement', 'CodeSystem', 'CompartmentDefinition', 'ConceptMap'],
      ...['DeviceDefinition', 'Endpoint', 'HealthcareService', 'InsurancePlan', 'Library', 'Location', 'Measure'],
      ...['Medication', 'MedicationKnowledge', 'NamingSystem', 'ObservationDefinition', 'OperationDefinition'],
      ...['Organization', 'OrganizationAffiliation', 'PlanDefinition', 'Practitioner', 'PractitionerRole'],
      ...['Questionnaire', 'SearchParameter', 'SpecimenDefinition', 'StructureDefinition', 'Substance', 'ValueSet'],
    ])
    const inCompartment = open.filter((type) => definitions.compartmentParameters('Patient', type).length > 0)
    expect(inCompartment).toEqual([])
    expect(open.filter((type) => definitions.parameter(type, 'patient') !== undefined)).toEqual([])
  })
})

describe('user/ scopes', () => {
  const reach = (scope: string, type: string, right: Right, role: Role, given: Partial<Caller> = {}) =>
    accessOf({ scope, roles: new Set([role]), fhirUser: 'Practitioner/dr-amara', ...given }, type, right)

  it.each(['CLINICIAN', 'ADMIN', 'SYSTEM'] as const)('give a %s what they say', (role) => {
    expect(reach('user/*.cruds', 'Observation', 'd', role)).toBe('unrestricted')
    expect(reach('user/Observation.rs', 'Observation', 's', role)).toBe('unrestricted')
    expect(reach('user/Observation.rs', 'Observation', 'c', role)).toBe('none')
    expect(reach('user/Observation.rs?category=a|b', 'Observation', 's', role)).toEqual([{ query: 'category=a|b' }])
  })

  it('give a patient their own record, whatever patient the token was launched for', () => {
    const own = { fhirUser: 'Patient/amina' }
    expect(reach('user/*.rs', 'Observation', 's', 'PATIENT', own)).toEqual([{ patient: 'amina' }])
    expect(reach('user/*.rs', 'Patient', 'r', 'PATIENT', own)).toEqual([{ id: 'amina' }])
    expect(reach('user/*.rs', 'Observation', 's', 'PATIENT', { ...own, patient: 'kofi' })).toEqual([
      { patient: 'amina' },
    ])
    expect(reach('user/*.rs', 'Organization', 'r', 'PATIENT', own)).toBe('unrestricted')
    expect(reach('user/*.cruds', 'Organization', 'u', 'PATIENT', own)).toBe('none')
  })

  it('give nothing to who is neither staff nor a patient of this store', () => {
    expect(accessOf({ scope: 'user/*.cruds', roles: new Set() }, 'Observation', 'r')).toBe('none')
    const former = { scope: 'user/*.cruds', roles: new Set<Role>(), fhirUser: 'Patient/amina' }
    expect(accessOf(former, 'Observation', 'r')).toBe('none')
    expect(reach('user/*.rs', 'Observation', 'r', 'PATIENT', { fhirUser: undefined })).toBe('none')
    expect(reach('user/*.rs', 'Observation', 'r', 'PATIENT', { fhirUser: 'RelatedPerson/mother' })).toBe('none')
    expect(reach('user/*.rs', 'Observation', 'r', 'PATIENT', { fhirUser: 'https://else.example/Patient/amina' })).toBe(
      'none',
    )
  })
})

describe('system/ scopes', () => {
  it('give a program what they say, with or without a role', () => {
    for (const given of [new Set<Role>(), new Set<Role>(['SYSTEM'])]) {
      expect(accessOf({ scope: 'system/*.read', roles: given }, 'Observation', 's')).toBe('unrestricted')
      expect(accessOf({ scope: 'system/*.read', roles: given }, 'Observation', 'u')).toBe('none')
      expect(accessOf({ scope: 'system/*.write', roles: given }, 'Observation', 'u')).toBe('unrestricted')
      expect(accessOf({ scope: 'system/*.cruds', roles: given }, 'NoSuchType', 'r')).toBe('none')
    }
  })

  it('give a person nothing, should one ever hold them', () => {
    const person = { scope: 'system/*.cruds', roles: new Set<Role>(['CLINICIAN']) }
    expect(accessOf({ ...person, fhirUser: 'Practitioner/dr-amara' }, 'Observation', 'r')).toBe('none')
    expect(accessOf({ ...person, patient: 'amina' }, 'Observation', 'r')).toBe('none')
  })
})

describe('the scope fhirUser', () => {
  const reach = (fhirUser: string, type: string, right: Right, scope = 'openid fhirUser') =>
    accessOf({ scope, roles: new Set(['CLINICIAN']), fhirUser }, type, right)

  it.each(['Practitioner/dr-amara', 'https://corridor.example/fhir/Practitioner/dr-amara'])(
    'lets %s be read, and nothing else',
    (fhirUser) => {
      expect(reach(fhirUser, 'Practitioner', 'r')).toEqual([{ id: 'dr-amara' }])
      for (const right of ['c', 'u', 'd', 's'] as const) expect(reach(fhirUser, 'Practitioner', right)).toBe('none')
      expect(reach(fhirUser, 'Patient', 'r')).toBe('none')
    },
  )

  it.each([
    ['without the scope', 'Practitioner/dr-amara', 'openid'],
    ['of another server', 'https://else.example/fhir/Practitioner/dr-amara', 'fhirUser'],
    ['of a server whose address begins like ours', 'https://corridor.example/fhirx/Practitioner/dr-amara', 'fhirUser'],
    ['with a longer path', 'Practitioner/dr-amara/_history/1', 'fhirUser'],
    ['without an id', 'Practitioner/', 'fhirUser'],
    ['that is a type alone', 'Practitioner', 'fhirUser'],
    ['with an id that is none', 'Practitioner/dr-amara,kofi', 'fhirUser'],
    ['with an id that is too long', `Practitioner/${'a'.repeat(65)}`, 'fhirUser'],
    ['behind another word', 'x/Practitioner/dr-amara', 'fhirUser'],
    ['that is no person', 'Observation/one', 'fhirUser'],
  ])('does not count %s', (_why, fhirUser, scope) => {
    expect(reach(fhirUser, 'Practitioner', 'r', scope)).toBe('none')
    expect(reach(fhirUser, 'Observation', 'r', scope)).toBe('none')
  })

  it.each(['Patient', 'Person', 'Practitioner', 'PractitionerRole', 'RelatedPerson'])('may mean a %s', (type) => {
    const longest = 'a'.repeat(64)
    expect(reach(`${type}/${longest}`, type, 'r')).toEqual([{ id: longest }])
  })

  it('adds to what the other scopes give', () => {
    const given = { scope: 'fhirUser patient/Patient.rs', patient: 'amina', fhirUser: 'Patient/mother' }
    expect(accessOf({ ...given, roles: new Set(['PATIENT']) }, 'Patient', 'r')).toEqual([
      { id: 'amina' },
      { id: 'mother' },
    ])
  })
})

describe('AuditEvents', () => {
  const everything = 'patient/*.cruds user/*.cruds system/*.cruds fhirUser'

  it.each<[string, Partial<Caller>, Right[]]>([
    ['a patient', { roles: new Set(['PATIENT']), patient: 'amina', fhirUser: 'Patient/amina' }, []],
    ['a clinician', { roles: new Set(['CLINICIAN']), fhirUser: 'Practitioner/dr-amara' }, []],
    ['an administrator', { roles: new Set(['ADMIN']), fhirUser: 'Practitioner/admin' }, ['r', 's']],
    ['a program that watches', { roles: new Set() }, ['r', 's']],
    ['a program of the platform', { roles: new Set(['SYSTEM']) }, ['c', 'r', 's']],
    ['a program of administrators', { roles: new Set(['ADMIN']) }, ['c', 'r', 's']],
    ['the platform in the name of a person', { roles: new Set(['SYSTEM']), fhirUser: 'Practitioner/a' }, []],
  ])('may be reached by %s', (_who, given, expected) => {
    const rights = (['c', 'r', 'u', 'd', 's'] as const).filter(
      (right) => accessOf({ scope: everything, ...given }, 'AuditEvent', right) !== 'none',
    )
    expect(rights).toEqual(expected)
  })

  it.each(roles)('are changed by nobody with the role %s', (role) => {
    const person = { scope: everything, roles: new Set([role]), fhirUser: 'Patient/amina', patient: 'amina' }
    for (const right of ['u', 'd'] as const) {
      expect(accessOf(person, 'AuditEvent', right)).toBe('none')
      expect(accessOf({ scope: everything, roles: new Set([role]) }, 'AuditEvent', right)).toBe('none')
    }
  })

  it('need a scope as anything else does', () => {
    expect(accessOf({ scope: 'system/Patient.rs', roles: new Set(['SYSTEM']) }, 'AuditEvent', 'r')).toBe('none')
    const admin = { roles: new Set<Role>(['ADMIN']), fhirUser: 'Practitioner/admin' }
    expect(accessOf({ ...admin, scope: 'user/Patient.rs' }, 'AuditEvent', 's')).toBe('none')
    expect(accessOf({ ...admin, scope: 'user/AuditEvent.rs' }, 'AuditEvent', 's')).toBe('unrestricted')
    expect(accessOf({ scope: 'system/AuditEvent.rs' }, 'AuditEvent', 's')).toBe('unrestricted')
  })
})

describe('Subscriptions', () => {
  const everything = 'patient/*.cruds user/*.cruds system/*.cruds fhirUser'
  const all: readonly Right[] = ['c', 'r', 'u', 'd', 's']

  it.each<[string, Partial<Caller>, readonly Right[]]>([
    ['a patient', { roles: new Set(['PATIENT']), patient: 'amina', fhirUser: 'Patient/amina' }, []],
    ['a clinician', { roles: new Set(['CLINICIAN']), fhirUser: 'Practitioner/dr-amara' }, []],
    ['a clinician with a patient', { roles: new Set(['CLINICIAN']), patient: 'amina', fhirUser: 'Practitioner/a' }, []],
    ['the platform in the name of a person', { roles: new Set(['SYSTEM']), fhirUser: 'Practitioner/a' }, []],
    ['an administrator', { roles: new Set(['ADMIN']), fhirUser: 'Practitioner/admin' }, all],
    ['a program', { roles: new Set() }, all],
    ['a program of the platform', { roles: new Set(['SYSTEM']) }, all],
  ])('may be reached by %s', (_who, given, expected) => {
    const rights = all.filter((right) => accessOf({ scope: everything, ...given }, 'Subscription', right) !== 'none')
    expect(rights).toEqual(expected)
  })

  it('need a scope as anything else does', () => {
    const admin = { roles: new Set<Role>(['ADMIN']), fhirUser: 'Practitioner/admin' }
    expect(accessOf({ ...admin, scope: 'user/Subscription.rs' }, 'Subscription', 'u')).toBe('none')
    expect(accessOf({ ...admin, scope: 'user/Subscription.rs' }, 'Subscription', 'r')).toBe('unrestricted')
    expect(accessOf({ scope: 'system/Subscription.rs' }, 'Subscription', 'r')).toBe('unrestricted')
    expect(accessOf({ scope: 'system/Patient.rs', roles: new Set(['SYSTEM']) }, 'Subscription', 'r')).toBe('none')
  })
})

describe('the word of a patient', () => {
  it.each<[string, Partial<Caller>, boolean]>([
    ['a patient', { roles: new Set(['PATIENT']), patient: 'amina', fhirUser: 'Patient/amina' }, true],
    ['who acts for a patient', { patient: 'amina', fhirUser: 'RelatedPerson/mother' }, true],
    ['an app that names nobody but the patient', { patient: 'amina' }, true],
    [
      'a clinician with a patient',
      { roles: new Set(['CLINICIAN']), patient: 'amina', fhirUser: 'Practitioner/a' },
      false,
    ],
    ['an administrator', { roles: new Set(['ADMIN']), fhirUser: 'Practitioner/admin' }, false],
    ['a program', {}, false],
  ])('is what %s writes: %o, %s', (_who, given, expected) => {
    expect(authorizeRequest(caller(given)).isPatientsWord).toBe(expected)
  })
})

describe('refusals', () => {
  it.each<[string, Partial<Caller>]>([
    ['patient', { patient: 'amina', fhirUser: 'Practitioner/dr-amara' }],
    ['user', { fhirUser: 'Practitioner/dr-amara' }],
    ['system', {}],
  ])('name %s scopes to who can have them', (context, given) => {
    expect(authorizeRequest(caller(given)).context).toBe(context)
  })

  const inVain = { isGrantable: () => false }
  it.each<[string, Partial<AccessConditions>, string, Right, string]>([
    ['patient/Condition.s', { context: 'patient' }, 'Condition', 's', 'search Condition resources: it lacks the scope'],
    ['user/Condition.c', {}, 'Condition', 'c', 'create Condition resources'],
    ['system/Condition.d', { context: 'system', isGrantable: () => true }, 'Condition', 'd', 'delete Condition'],
    // Of all types at once nobody is told more than that there is a scope for them.
    ['user/*.r', { context: 'user', ...inVain }, '*', 'r', 'read * resources: it lacks the scope user/*.r.'],
    ['', { context: 'patient', ...inVain }, 'Group', 'u', 'update Group resources, and no patient/ scope lets'],
    ['', inVain, 'Group', 'r', 'read Group resources, and no user/ scope lets its bearer.'],
    ['', inVain, 'Subscription', 'r', 'no scope does: they are for people with the role ADMIN, and for programs.'],
    ['system/AuditEvent.c', { context: 'user' }, 'AuditEvent', 'c', 'you cannot create AuditEvent resources.'],
    ['system/AuditEvent.r', { context: 'system' }, 'AuditEvent', 'r', 'you cannot read AuditEvent resources.'],
    ['user/AuditEvent.s', { context: 'patient' }, 'AuditEvent', 's', 'read by people with the role ADMIN'],
    ['user/AuditEvent.r', {}, 'AuditEvent', 'r', 'read by people with the role ADMIN'],
    ['', { context: 'system' }, 'AuditEvent', 'u', 'written by Corridor only: you cannot update AuditEvent'],
    ['', { context: 'system' }, 'AuditEvent', 'd', 'written by Corridor only: you cannot delete AuditEvent'],
  ])('name the scope "%s" to %o for %s, %s', (scope, given, type, right, says) => {
    expect(insufficientScope({ of: () => 'none', ...given }, type, right)).toMatchObject({
      ...{ kind: 'forbidden', code: 'insufficient_scope', scopes: scope === '' ? [] : [scope] },
      message: expect.stringContaining(says) as string,
    })
  })
})

describe('a scope that would help', () => {
  it.each<[string, Partial<Caller>, string, Right, boolean]>([
    ['an app for a patient', { patient: 'amina', fhirUser: 'Practitioner/a' }, 'Group', 's', false],
    ['an app for a patient', { patient: 'amina', fhirUser: 'Practitioner/a' }, 'Organization', 'u', false],
    ['an app for a patient', { patient: 'amina', fhirUser: 'Practitioner/a' }, 'Observation', 'u', true],
    ['a doctor', { fhirUser: 'Practitioner/a', roles: new Set(['CLINICIAN']) }, 'Group', 's', true],
    ['a patient', { fhirUser: 'Patient/amina', roles: new Set(['PATIENT']) }, 'Group', 's', false],
    ['a program', {}, 'Group', 's', true],
  ])('is there for %s: %o on %s, %s', (_who, given, type, right, expected) => {
    expect(authorizeRequest(caller(given)).isGrantable?.(type, right)).toBe(expected)
  })
})

describe('several scopes', () => {
  it('open what any of them opens', () => {
    const both = { scope: 'patient/Observation.rs user/Observation.r', patient: 'amina', fhirUser: 'Practitioner/a' }
    const staff = { ...both, roles: new Set<Role>(['CLINICIAN']) }
    expect(accessOf(staff, 'Observation', 'r')).toBe('unrestricted')
    expect(accessOf(staff, 'Observation', 's')).toEqual([{ patient: 'amina' }])
  })

  it('are decided once for a caller, of each type and right by itself', () => {
    const one = caller({ scope: 'patient/*.rs', patient: 'amina' })
    const decided = authorizeRequest(one)
    expect(decided.of('Organization', 'r')).toBe('unrestricted')
    expect(decided.of('Observation', 'r')).toEqual([{ patient: 'amina' }])
    expect(decided.of('Observation', 'u')).toBe('none')
    expect(authorizeRequest(one)).toBe(authorizeRequest(one))
    expect(authorizeRequest(one).of('Observation', 's')).toBe(authorizeRequest(one).of('Observation', 's'))
    expect(authorizeRequest({ ...one, patient: 'kofi' }).of('Observation', 's')).toEqual([{ patient: 'kofi' }])
  })
})

function accessOf(given: Partial<Caller>, type: string, right: Right): TypeAccess {
  return authorizeRequest(caller(given)).of(type, right)
}

function caller(given: Partial<Caller>): Caller {
  return {
    subject: 'someone',
    clientId: 'demo-app',
    roles: new Set(),
    scope: '',
    organisation: undefined,
    patient: undefined,
    encounter: undefined,
    fhirUser: undefined,
    tokenId: 'token-1',
    grantId: undefined,
    expiresAt: new Date('2026-01-01T00:00:00Z'),
    ...given,
  }
}
