// node packages/fhir/compile/main.ts <output file>
import { ensureCompiled } from './compile.ts'

const file = process.argv[2]
if (file === undefined) {
  process.stderr.write('Say where the compiled definitions go: node packages/fhir/compile/main.ts <output file>\n')
  process.exitCode = 1
} else {
  ensureCompiled(file)
}
