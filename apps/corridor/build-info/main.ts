import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lookUpBuild } from './look-up.ts'

// A step of the build: node main.ts <root> <file to write>
const [root = '.', target = ''] = process.argv.slice(2)
await mkdir(dirname(target), { recursive: true })
await writeFile(target, `${JSON.stringify(await lookUpBuild(root, new Date(), process.env))}\n`)
