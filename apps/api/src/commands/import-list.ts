import { wire } from '@reeve/core'
import { cancelImport, type Import, listImports } from '@reeve/moderation'
import { cliActor, formatTable, instanceCommand, readAllPages, required } from '../command-line/command.ts'
import { assertWorkspaceExists, workspaceOption } from './workspace-option.ts'

export const listImportsCommand = instanceCommand({
  options: { workspace: workspaceOption },
  async run({ db, ports }, { workspace }) {
    await assertWorkspaceExists(db.read, workspace)
    const actor = cliActor(ports, workspace)
    const imports = await readAllPages(
      (page) => listImports(db.read, actor, page),
      (page) => page.imports,
    )
    return { imports }
  },
  print: ({ imports }) =>
    formatTable(
      ['ID', 'FILE', 'FORMAT', 'STATE', 'CREATED', 'UNREADABLE', 'REQUESTED'],
      imports.map((row) => [
        row.id,
        row.fileName,
        row.format,
        row.dryRun === 'true' ? `${row.state} (dry run)` : row.state,
        row.created,
        row.unreadable,
        row.createdAt,
      ]),
    ),
})

export const cancelImportCommand = instanceCommand({
  options: {
    workspace: workspaceOption,
    id: required('<id>', 'the ID of the import, as listed by `reeve import list`', wire.id),
  },
  async run({ db, ports }, { workspace, id }): Promise<{ import: Import }> {
    await assertWorkspaceExists(db.read, workspace)
    return db.write((tx) => cancelImport(tx, ports, cliActor(ports, workspace), { id }))
  },
  print: ({ import: { fileName, created } }) =>
    `Cancelled the import of ${fileName}. It had created ${created} records.`,
})
