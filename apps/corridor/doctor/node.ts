import { bad, good, type Finding } from './finding.ts'

const majorNeeded = 24

export function checkNode(version: string): Finding {
  const says = `Node ${version} on ${process.platform}-${process.arch}`
  if (Number(version.split('.')[0]) >= majorNeeded) return good('Node', says)
  return bad('Node', says, `Corridor needs Node ${majorNeeded}. Start it with npm start, which brings that along.`)
}
