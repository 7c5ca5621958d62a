import type { E2eSession } from './e2e-session.ts'

type Workspace = Awaited<ReturnType<E2eSession['createWorkspaceFixture']>>

/** Imports a CSV file, as the owner. */
export async function importCsv(workspace: Workspace, rows: readonly string[]): Promise<void> {
  const bytes = Buffer.from(rows.join('\n'))
  const { import: begun } = await workspace.requestAsOwner('POST', '/portal/api/imports', {
    format: 'csv',
    fileName: 'bans.csv',
    sizeBytes: String(bytes.length),
  })
  const part = { id: begun.id, part: '0', data: bytes.toString('base64') }
  await workspace.requestAsOwner('POST', '/portal/api/imports/part', part)
  for (let finishedAt: string | null = null; finishedAt === null; ) {
    const read = await workspace.readAsOwner('/portal/api/imports/import', { id: begun.id })
    finishedAt = read.import.finishedAt
  }
}
