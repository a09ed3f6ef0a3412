const smart = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris'

/** SMART apps of before version 2 read the addresses here. */
export function securityOf(authorizationServer: string): object {
  const address = (url: string, path: string) => ({ url, valueUri: `${authorizationServer}${path}` })
  return {
    cors: true,
    service: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
            code: 'SMART-on-FHIR',
            display: 'SMART-on-FHIR',
          },
        ],
        text: 'OAuth2 using SMART-on-FHIR profile (see http://docs.smarthealthit.org)',
      },
    ],
    extension: [
      {
        url: smart,
        extension: [
          address('authorize', '/oauth2/authorize'),
          address('token', '/oauth2/token'),
          address('revoke', '/oauth2/revoke'),
          address('introspect', '/oauth2/introspect'),
        ],
      },
    ],
  }
}
