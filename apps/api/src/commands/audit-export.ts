import { exportChain, INSTANCE_CHAIN } from '@reeve/audit'
import { wire } from '@reeve/core'
import { localCommand, pathCodec, required } from '../command-line/command.ts'
import { pluralize } from '../format.ts'
import { systemPorts } from '../ports.ts'
import { AUDIT_SETTINGS, readAuditLog } from './read-audit.ts'
import { writeLines } from './write-lines.ts'

const chainCodec = { read: (text: string): string => (text === INSTANCE_CHAIN ? text : wire.id.read(text)) }

/** Writes the audit log of a workspace or of the instance with a proof. Changes nothing, next to a running server. */
export const exportAuditCommand = localCommand({
  options: {
    workspace: required(
      '<id>',
      'the ID of the workspace, or instance for the log of the instance',
      chainCodec,
    ),
    to: required('<file>', 'the file to create; an existing one is not replaced', pathCodec),
  },
  settings: AUDIT_SETTINGS,
  run: (context, { workspace, to }) =>
    readAuditLog(context, async (read, key) => {
      const exportedAt = new Date(systemPorts.now()).toISOString()
      const lines = exportChain(read, key, workspace, exportedAt)
      const rows = (await writeLines(to, lines)) - 2
      return { chain: workspace, file: to, rows }
    }),
  print: ({ chain, file, rows }) =>
    `Exported ${pluralize(rows, 'row')} of chain ${chain} to ${file}. \`reeve audit verify --export ${file}\` verifies them.`,
})
