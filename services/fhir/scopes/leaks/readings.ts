import type { Request } from './two-worlds.ts'

const get = (path: string): Request => ({ method: 'GET', path })
const form = (path: string, body: string): Request => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

const batch = (...urls: readonly string[]): Request => bundle('batch', urls)
const transaction = (...urls: readonly string[]): Request => bundle('transaction', urls)
const bundle = (type: string, urls: readonly string[]): Request => ({
  method: 'POST',
  path: '',
  body: { resourceType: 'Bundle', type, entry: urls.map((url) => ({ request: { method: 'GET', url } })) },
})

/** Every way to read, by what it goes through. Each shows the other patient to who may see everything. */
export const readings: Readonly<Record<string, readonly Request[]>> = {
  read: [
    ...['Patient/kofi', 'Patient/kofi-old', 'Observation/b-glucose', 'Condition/b-asthma', 'Device/b-implant'].map(at),
    ...['Task/b-task', 'Binary/b-letter', 'Group/both', 'Encounter/b-visit', 'Observation/b-deleted'].map(at),
    { method: 'HEAD', path: '/Observation/b-glucose' },
    { method: 'GET', path: '/Observation/b-glucose', headers: { 'if-none-match': 'W/"1"' } },
  ],
  vread: ['Patient/kofi', 'Observation/b-glucose', 'Observation/b-deleted', 'Device/b-implant'].map((name) =>
    get(`/${name}/_history/1`),
  ),
  'instance history': ['Patient/kofi', 'Observation/b-glucose', 'Observation/b-deleted', 'Group/both'].map((name) =>
    get(`/${name}/_history`),
  ),
  'type and system history': [
    get('/Observation/_history'),
    get('/Patient/_history?_count=1'),
    get('/Device/_history'),
    get('/_history?_count=1000'),
    get('/_history?_since=2000-01-01'),
  ],
  search: [
    get('/Patient'),
    get('/Patient?family=Diallo'),
    get('/Patient?identifier=urn:mrn|b'),
    get('/Patient?_id=kofi,amina'),
    get('/Patient?identifier=urn:ward|bed-1&_elements=id'),
    get('/Patient?given:contains=zebra'),
    get('/Observation?patient=kofi'),
    get('/Observation?subject=Patient/kofi'),
    get('/Observation?identifier=urn:lab|b-glucose'),
    get('/Observation?code:not=http://loinc.org|8867-4'),
    get('/Observation?value-string:missing=false'),
    get('/Device?patient=kofi'),
    get('/Task?description=Zebrafinch'),
    get('/Device'),
    get('/Task'),
    get('/Group?member=Patient/amina'),
    get('?_type=Patient,Observation,Encounter'),
    get('?_lastUpdated=gt2000-01-01&_count=1000'),
    form('/Patient/_search', 'family=Diallo'),
    form('/_search', '_type=Observation'),
  ],
  'totals and counts': [
    get('/Observation?_summary=count'),
    get('/Observation?_total=accurate&_count=1'),
    get('/Observation?_total=estimate&_count=1'),
    get('/Patient?_summary=count&family=Diallo'),
    get('/Patient?family=Diallo&_count=0'),
    get('?_summary=count&_type=Observation,Patient'),
    get('/Observation?patient=kofi&_summary=count'),
  ],
  'order and pages': [
    get('/Observation?_sort=date'),
    get('/Observation?_sort=-date&_count=2'),
    get('/Observation?_sort=_lastUpdated'),
    get('/Patient?_sort=given,_id&_count=1'),
  ],
  chains: [
    get('/Observation?has-member:Observation.value-string=Zebrafinch'),
    get('/Observation?derived-from:Observation.identifier=urn:lab|b-pulse'),
    get('/Observation?focus:Patient.family=Diallo'),
    get('/Observation?focus:Patient.identifier=urn:mrn|b'),
    get('/Observation?encounter.identifier=urn:visit|b'),
    get('/Observation?encounter.subject:Patient.given=Zebrafinch'),
    get('/List?item:Observation.value-string=Zebrafinch'),
    get('/Observation?subject:Patient.family=Diallo'),
  ],
  _has: [
    get('/Practitioner?_has:Observation:performer:value-string=Zebrafinch'),
    get('/Practitioner?_has:Observation:performer:patient=kofi'),
    get('/Organization?_has:Patient:organization:given=Zebrafinch'),
    get('/Organization?_has:Patient:organization:_has:Observation:patient:value-string=Zebrafinch'),
    get('/Patient?_has:Patient:link:family=Zebrafinch'),
    get('/Patient?_has:Group:member:_id=both'),
    get('/Observation?_has:Observation:has-member:value-string=Zebrafinch'),
    get('/Encounter?_has:Observation:encounter:value-string=Zebrafinch'),
  ],
  _include: [
    get('/Observation?_id=a-panel&_include=Observation:has-member'),
    get('/Observation?_id=a-panel&_include=Observation:derived-from&_include=Observation:focus'),
    get('/Observation?_id=a-panel&_include=*'),
    get('/Observation?_id=a-panel&_include=Observation:encounter&_include:iterate=Encounter:subject'),
    get('/List?_include=List:item&_include:iterate=Observation:subject&_include:iterate=Patient:organization'),
  ],
  _revinclude: [
    get('/Observation?_id=a-glucose&_revinclude=Observation:has-member'),
    get('/Practitioner?_revinclude=Observation:performer'),
    get('/Practitioner?_revinclude=Patient:general-practitioner&_revinclude:iterate=Observation:patient'),
    get('/Organization?_revinclude=Patient:organization&_revinclude:iterate=Condition:patient'),
    get('/Patient?_id=amina&_revinclude=Patient:link'),
    get('/Patient?_id=amina&_revinclude=Group:member'),
    get('/Patient?_id=amina&_revinclude=*'),
    get('/Encounter?_id=a-visit&_revinclude=Observation:encounter'),
  ],
  'compartment search': [
    get('/Patient/kofi/Observation'),
    get('/Patient/kofi/*'),
    get('/Patient/amina/Group'),
    get('/Patient/amina/Patient'),
    get('/Patient/amina/*?_count=1000'),
    get('/Practitioner/dr-amara/Observation'),
    get('/Encounter/b-visit/Observation'),
    get('/Encounter/a-visit/Observation?_summary=count'),
  ],
  $everything: [
    get('/Patient/kofi/$everything'),
    get('/Patient/amina/$everything?_count=1000'),
    get('/Patient/kofi/$everything?_type=Observation'),
    get('/Patient/kofi-old/$everything'),
  ],
  'entries of batches and transactions': [
    batch(
      'Patient/kofi',
      'Observation?patient=kofi',
      'Observation/b-glucose/_history',
      'Observation/b-glucose/_history/1',
    ),
    batch('Observation?_summary=count', 'Practitioner?_revinclude=Observation:performer', 'Patient/kofi/$everything'),
    batch('_history?_count=1000', '?_type=Patient'),
    transaction('Observation?patient=kofi'),
    transaction('Observation?_total=accurate', 'Patient?family=Diallo'),
    transaction('Patient/kofi'),
  ],
  'the log': [
    get('/AuditEvent'),
    get('/AuditEvent?patient=kofi'),
    get('/AuditEvent?patient=amina'),
    get('/AuditEvent/_history'),
    get('/Patient/amina/AuditEvent'),
    get('/Patient?_id=amina&_revinclude=AuditEvent:patient'),
  ],
}

function at(name: string): Request {
  return get(`/${name}`)
}
