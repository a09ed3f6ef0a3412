import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { depthMax } from '../../../packages/fhir/validate/report.ts'
import { parseJsonText } from '../../../packages/http/json-text.ts'

/** JSON from outside: as deep as validation goes, decimals as they were written. */
export const readJson = (text: string): unknown => parseJsonText(text, { depthMax, parse: parseJson })
