import { wire } from '@reeve/core'
import { resolveReport } from '@reeve/instance'
import { cliActor, instanceCommand, required } from '../command-line/command.ts'

export const resolveReportCommand = instanceCommand({
  options: { id: required('<id>', 'the ID of the report: see `reeve report list`', wire.id) },
  run: ({ db, ports }, { id }) => db.write((tx) => resolveReport(tx, ports, cliActor(ports), { id })),
  print: ({ report }) => `Resolved the report about ${report.groupName}.`,
})
