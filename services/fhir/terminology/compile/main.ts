// node services/fhir/terminology/compile/main.ts <output file>
import { ensureCompiled } from './compile.ts'

const file = process.argv[2]
if (file === undefined) {
  process.stderr.write('Say where the terminology goes: node services/fhir/terminology/compile/main.ts <output file>\n')
  process.exitCode = 1
} else {
  ensureCompiled(file)
}
