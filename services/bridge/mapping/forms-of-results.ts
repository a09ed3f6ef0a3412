import type { Attachment, FhirResource, Reference } from '../../../packages/fhir/r4.ts'
import type { Draft } from './draft.ts'
import type { Write } from './mapped.ts'

/** A file as a report presents it, with the result whose value it is: so it can go with it. */
export const formOfResult = (file: Attachment, result: Reference, draft: Draft): Attachment => ({
  ...file,
  extension: [{ url: draft.extensionUrl('form-of-result'), valueReference: result }],
})

/** The reference to the result that a file names. None, where somebody else wrote it. */
export const resultOfForm = ({ extension: [first] = [] }: Attachment): string | undefined =>
  first?.valueReference?.reference

/**
 * The report with the files of its results: a result that was taken back has none, and one that is told anew has those
 * that it has now. Files that name no result are replaced by any that a message brings.
 */
export function withFormsOfResults(merged: FhirResource, { resource: said, isAddition }: Write): FhirResource {
  if (merged.resourceType !== 'DiagnosticReport' || merged.presentedForm === undefined) return merged
  if (said.resourceType !== 'DiagnosticReport' || isAddition === true) return merged
  const given = new Set(said.presentedForm)
  const told = new Set(said.result?.map(({ reference }) => reference))
  const reported = new Set(merged.result?.map(({ reference }) => reference))
  const isThere = (file: Attachment): boolean => {
    const result = resultOfForm(file)
    if (given.has(file)) return true
    return result === undefined ? given.size === 0 : reported.has(result) && !told.has(result)
  }
  const { presentedForm, ...rest } = merged
  const left = presentedForm.filter(isThere)
  if (left.length === presentedForm.length) return merged
  return left.length === 0 ? rest : { ...rest, presentedForm: left }
}
