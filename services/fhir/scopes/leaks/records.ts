/** What stands in every resource of the other patient, and must never be seen. */
export const secret = 'Zebrafinch'

export interface Resource {
  readonly resourceType: string
  readonly id: string
  readonly [element: string]: unknown
}

const loinc = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] })
const category = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code }],
})

/** What is about no patient. */
export const shared: readonly Resource[] = [
  { resourceType: 'Organization', id: 'central', name: 'Central Hospital' },
  { resourceType: 'Practitioner', id: 'dr-amara', name: [{ family: 'Amara' }] },
  { resourceType: 'Location', id: 'ward', name: 'Ward' },
]

/** The record of one patient. Two of them have everything in common but what is personal. */
function recordOf(patient: string, own: string, text: string): Resource[] {
  const subject = { reference: `Patient/${patient}` }
  const observation = (id: string, rest: object): Resource => ({
    resourceType: 'Observation',
    id: `${own}-${id}`,
    identifier: [{ system: 'urn:lab', value: `${own}-${id}` }],
    status: 'final',
    code: loinc('2339-0'),
    subject,
    performer: [{ reference: 'Practitioner/dr-amara' }],
    ...rest,
  })
  return [
    {
      resourceType: 'Patient',
      id: patient,
      identifier: [
        { system: 'urn:mrn', value: own },
        { system: 'urn:ward', value: 'bed-1' },
      ],
      name: [{ family: 'Diallo', given: [text] }],
      birthDate: '1980-03-01',
      gender: 'female',
      generalPractitioner: [{ reference: 'Practitioner/dr-amara' }],
      managingOrganization: { reference: 'Organization/central' },
    },
    {
      resourceType: 'Encounter',
      id: `${own}-visit`,
      identifier: [{ system: 'urn:visit', value: own }],
      status: 'finished',
      class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
      subject,
      reasonCode: [{ text }],
    },
    observation('glucose', {
      category: [category('laboratory')],
      encounter: { reference: `Encounter/${own}-visit` },
      effectiveDateTime: '2024-05-01',
      valueString: text,
    }),
    observation('pulse', {
      category: [category('vital-signs')],
      code: loinc('8867-4'),
      effectiveDateTime: own === 'a' ? '2024-05-03' : '2024-05-02',
      valueString: text,
    }),
    {
      resourceType: 'Condition',
      id: `${own}-asthma`,
      subject,
      code: { text },
      encounter: { reference: `Encounter/${own}-visit` },
    },
    {
      resourceType: 'Device',
      id: `${own}-implant`,
      patient: subject,
      deviceName: [{ name: text, type: 'user-friendly-name' }],
    },
    { resourceType: 'Task', id: `${own}-task`, status: 'requested', intent: 'order', for: subject, description: text },
    {
      resourceType: 'Binary',
      id: `${own}-letter`,
      contentType: 'text/plain',
      data: Buffer.from(text).toString('base64'),
    },
    {
      resourceType: 'AuditEvent',
      id: `${own}-audit`,
      type: { system: 'http://terminology.hl7.org/CodeSystem/audit-event-type', code: 'rest' },
      recorded: '2024-05-01T00:00:00Z',
      agent: [{ requestor: true, who: { display: text } }],
      source: { observer: { display: 'store' } },
      entity: [{ what: subject }, ...(own === 'b' ? [{ what: { reference: 'Patient/amina' } }] : [])],
    },
  ]
}

/** Of the patient whose token it is; some of it refers to the other patient's record. */
export const own: readonly Resource[] = [
  ...recordOf('amina', 'a', 'Amina'),
  {
    resourceType: 'Observation',
    id: 'a-panel',
    status: 'final',
    category: [category('laboratory')],
    code: loinc('24323-8'),
    subject: { reference: 'Patient/amina' },
    hasMember: [{ reference: 'Observation/a-glucose' }, { reference: 'Observation/b-glucose' }],
    derivedFrom: [{ reference: 'Observation/b-pulse' }],
    focus: [{ reference: 'Patient/kofi' }],
    encounter: { reference: 'Encounter/b-visit' },
  },
  {
    resourceType: 'List',
    id: 'a-list',
    status: 'current',
    mode: 'working',
    subject: { reference: 'Patient/amina' },
    entry: [{ item: { reference: 'Observation/b-glucose' } }, { item: { reference: 'Observation/a-glucose' } }],
  },
]

/** Of the other patient; some of it refers to the first one's record. */
export const foreign: readonly Resource[] = [
  ...recordOf('kofi', 'b', secret),
  {
    resourceType: 'Patient',
    id: 'kofi-old',
    name: [{ family: secret }],
    link: [{ other: { reference: 'Patient/amina' }, type: 'seealso' }],
  },
  {
    resourceType: 'Observation',
    id: 'b-panel',
    status: 'final',
    category: [category('laboratory')],
    code: loinc('24323-8'),
    subject: { reference: 'Patient/kofi' },
    hasMember: [{ reference: 'Observation/a-glucose' }],
    encounter: { reference: 'Encounter/a-visit' },
    valueString: secret,
  },
  {
    resourceType: 'Group',
    id: 'both',
    type: 'person',
    actual: true,
    name: secret,
    member: [{ entity: { reference: 'Patient/amina' } }, { entity: { reference: 'Patient/kofi' } }],
  },
]

/** Was there, and is not any more. */
export const foreignDeleted: Resource = {
  resourceType: 'Observation',
  id: 'b-deleted',
  status: 'final',
  code: { text: secret },
  subject: { reference: 'Patient/kofi' },
}
