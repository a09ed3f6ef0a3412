import type { MessageBuilder } from './builder.ts'
import { repeated, type Fields, type FieldValue } from './field-value.ts'
import { errorTexts, type Issue, type Location } from './issue.ts'
import { isAtLeast } from './version.ts'

/** Writes the issues as the request's version reads them: one ERR each from 2.5 on, before that one ERR with a list. */
export function addErrors(builder: MessageBuilder, issues: readonly Issue[], version: string | undefined): void {
  if (issues.length === 0) return
  if (isAtLeast(version, '2.5')) {
    for (const issue of issues) builder.add('ERR', fieldsOf(issue))
  } else {
    builder.add('ERR', [repeated(issues.map(oldForm))])
  }
}

function fieldsOf({ code, severity, text, location, applicationCode, diagnostics }: Issue): Fields {
  const condition: FieldValue = [code, errorTexts[code], 'HL70357']
  const own: FieldValue =
    applicationCode === undefined ? undefined : [applicationCode.code, applicationCode.text, applicationCode.system]
  return { 2: location && placeOf(location), 3: condition, 4: severity, 5: own, 7: diagnostics, 8: text }
}

function placeOf({ segment, sequence = 1, field, repetition, component, subcomponent }: Location): FieldValue {
  return [segment, sequence, field, repetition ?? (component === undefined ? undefined : 1), component, subcomponent]
}

/** ELD: segment, its sequence, the field, and the condition as sub-components. */
function oldForm({ code, text, location }: Issue): FieldValue {
  return [location?.segment, location && (location.sequence ?? 1), location?.field, [code, text, 'HL70357']]
}
