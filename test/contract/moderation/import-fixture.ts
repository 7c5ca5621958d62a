import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { yieldToEventLoop } from '@reeve/db'
import type { Instance } from '../../support/instance.ts'

const FOLDER = join(import.meta.dir, '../../import')
/** After everything that the files contain. */
export const NOW = Date.UTC(2026, 1, 1)

/** A player of the files of LiteBans and Minecraft. */
export const NOTCH = 'minecraft:069a79f444e94726a5befca90e38aaf5'

export type Workspace = Awaited<ReturnType<Instance['workspace']>>

interface ImportOptions {
  readonly workspace?: Workspace
  readonly [field: string]: unknown
}

/** Imports, and reads of what they created. */
export function createImportRequests(getInstance: () => Instance) {
  /** Sends a text as the portal does. @returns the id of its import, which does not run yet */
  async function sendText(
    workspace: Workspace,
    format: string,
    fileName: string,
    text: string | Buffer,
    fields: object = {},
  ): Promise<string> {
    const { id: workspaceId, ownerSession: session } = workspace
    const bytes = Buffer.from(text)
    const send = async (path: string, body: object) => {
      const response = await getInstance().request('POST', `/portal/api/imports${path}`, {
        session,
        body: { workspaceId, ...body },
      })
      expect(response.body).toMatchObject({ import: { fileName } })
      return response.body.import
    }
    const { id } = await send('', { format, fileName, sizeBytes: bytes.length, ...fields })
    const half = Math.ceil(bytes.length / 2)
    await send('/part', { id, part: 0, data: bytes.subarray(0, half).toString('base64') })
    // A piece that is sent again is not added twice.
    await send('/part', { id, part: 0, data: bytes.subarray(0, half).toString('base64') })
    if (bytes.length > half)
      await send('/part', { id, part: 1, data: bytes.subarray(half).toString('base64') })
    return id
  }

  /** Imports a text as the portal does. @returns the import, and the entries that it lists */
  async function importText(
    format: string,
    fileName: string,
    text: string | Buffer,
    options: ImportOptions = {},
  ) {
    const { workspace = await getInstance().workspace(), ...fields } = options
    const id = await sendText(workspace, format, fileName, text, fields)
    await getInstance().runImports()
    return { workspace, ...(await readImport(workspace, id)) }
  }

  async function readImport({ id: workspaceId, ownerSession: session }: Workspace, id: string) {
    const query = `?workspaceId=${workspaceId}&id=${id}`
    const { body } = await getInstance().request('GET', `/portal/api/imports/import${query}`, { session })
    const entries = await getInstance().request('GET', `/portal/api/imports/issues${query}`, { session })
    return {
      result: body.import,
      entries: entries.body.issues as { line: string; outcome: string; message: string }[],
    }
  }

  /** Runs an import that was sent, and calls a function once some of its records are stored. Resolves after it has stopped. */
  async function interruptImport(
    workspace: Workspace,
    id: string,
    interrupt: () => unknown,
    signal?: AbortSignal,
  ): Promise<void> {
    const stopped = getInstance().runImports(signal)
    for (let created = 0; created === 0; ) {
      const { result } = await readImport(workspace, id)
      if (result.finishedAt !== null) throw new Error(JSON.stringify(result))
      created = Number(result.created)
      await yieldToEventLoop()
    }
    await interrupt()
    await stopped
  }

  const importFile = (format: string, name: string, options?: ImportOptions) =>
    importText(format, name, readFileSync(join(FOLDER, name), 'utf8'), options)

  /** The records of a workspace, oldest first. */
  async function listRecords({ id, key }: Workspace) {
    const { body } = await getInstance().request('GET', `/api/moderation?workspaceId=${id}&limit=200`, {
      key,
    })
    return body.records.toReversed()
  }

  async function findRecord(workspace: Workspace, sourceId: string) {
    const record = (await listRecords(workspace)).find(
      (row: { sourceId: string }) => row.sourceId === sourceId,
    )
    const { body } = await getInstance().request(
      'GET',
      `/api/moderation?workspaceId=${workspace.id}&id=${record.id}`,
      {
        key: workspace.key,
      },
    )
    return body.record
  }

  const isBanned = async ({ id, key }: Workspace, userId: string): Promise<boolean> => {
    const { body } = await getInstance().request(
      'GET',
      `/api/moderation?workspaceId=${id}&banList=true&userId=${userId}`,
      { key },
    )
    return body.bans.length > 0
  }

  return { sendText, importText, interruptImport, readImport, importFile, listRecords, findRecord, isBanned }
}
