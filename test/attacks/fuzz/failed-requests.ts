/** Requests that the fuzz found and that were once answered with a fault of ours. They stay. */
export const failedRequests: readonly { readonly route: string; readonly body: string }[] = [
  { route: 'fhir POST /fhir/Patient/$match', body: '{"resourceType":"Patient","name":false}' },
  { route: 'fhir POST /fhir/Patient/$match', body: '{"resourceType":"Parameters","parameter":true}' },
  {
    route: 'fhir POST /api/patient-index/resolve',
    body: '{"patients":[{"resourceType":"Patient","name":[null]}],"onlyRecognise":true}',
  },
  {
    route: 'fhir POST /fhir',
    body: '{"resourceType":"Bundle","type":"transaction","entry":[{"resource":{"resourceType":{"toString":1}},"request":{"method":"POST","url":"Patient"}}]}',
  },
]
