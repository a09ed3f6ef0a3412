import type { ValueSet } from '../../../ports/fhir-store/resources.ts'

/** Results that public health wants to hear of: a beginning, which an administrator replaces by their country's list. */
export function notifiableLabs(fhirBase: string): ValueSet & { readonly id: string } {
  return {
    resourceType: 'ValueSet',
    id: 'notifiable-labs',
    url: `${fhirBase}/ValueSet/notifiable-labs`,
    name: 'NotifiableLabs',
    title: 'Laboratory results that public health is told of',
    status: 'active',
    compose: {
      include: [
        {
          system: 'http://loinc.org',
          concept: [
            { code: '94500-6', display: 'SARS-CoV-2 RNA in respiratory specimen by NAA' },
            { code: '32700-7', display: 'Malaria smear of blood' },
            { code: '543-9', display: 'Mycobacterium culture' },
            { code: '5196-1', display: 'Hepatitis B virus surface antigen' },
            { code: '13952-7', display: 'Hepatitis B virus core antibody' },
            { code: '56888-1', display: 'HIV 1 and 2 antibody and p24 antigen' },
            { code: '20507-0', display: 'Reagin antibody (RPR)' },
          ],
        },
      ],
    },
  }
}
