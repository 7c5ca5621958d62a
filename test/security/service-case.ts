import type { Permission } from '@reeve/core'
import type { Instance, RequestOptions, TestResponse } from '../support/instance.ts'

/** A workspace with its owner, in which the request of a case is prepared. */
export type Scene = Awaited<ReturnType<typeof createScene>>

/** Sends the request of a case. */
export type SendRequest = (as: RequestOptions) => Promise<TestResponse>

/** A request that a service decides by the rows it finds, and what the documentation says it requires. */
export interface ServiceCase {
  readonly name: string
  /** The source files whose checks it reaches, under `packages/`. */
  readonly reaches: readonly string[]
  /** Exactly what is enough: without any one of these the request is rejected. */
  readonly requires: readonly Permission[]
  /** The caller. Default: a member, or, if the route accepts it, an API key. */
  readonly callers?: 'key'
  /** The rank at which a caller is rejected for it; a caller one above is accepted. Default: rank does not matter. */
  readonly rejectedRank?: number
  /** Creates new rows for the request. Called once for every caller. */
  readonly prepare: (scene: Scene) => Promise<SendRequest>
}

/** Opens a scene in a new workspace. */
export async function createScene(instance: Instance) {
  const workspace = await instance.workspace()
  const workspaceId = workspace.id
  const owner: RequestOptions = { session: workspace.ownerSession }
  const send =
    (method: string, path: string, fields: Readonly<Record<string, unknown>> = {}): SendRequest =>
    (as) => {
      const isInBody = method !== 'GET' && method !== 'DELETE'
      const all = { workspaceId, ...fields }
      const query = new URLSearchParams(isInBody ? {} : (all as Record<string, string>))
      return instance.request(method, `${path}?${query}`, { ...as, ...(isInBody ? { body: all } : {}) })
    }
  /** Sends a request as the owner. @throws unless it succeeds */
  const create = async (method: string, path: string, fields: Readonly<Record<string, unknown>>) => {
    const response = await send(method, path, fields)(owner)
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.text}`)
    return response.body
  }
  const archiveWorkspace = async () => {
    const body = { id: workspaceId, archive: 'true' }
    const response = await instance.request('POST', '/api/workspaces', { ...owner, body })
    if (response.status !== 200) throw new Error(response.text)
    return response.body
  }
  return {
    instance,
    workspace,
    owner,
    send,
    create,
    /** Sends a request whose fields do not name the workspace. */
    sendUnscoped:
      (method: string, path: string, body: object): SendRequest =>
      (as) =>
        instance.request(method, path, { ...as, body }),
    createRecord: async (action: string, fields: Readonly<Record<string, string>> = {}) =>
      String(
        (await create('POST', '/api/moderation', { action, userId: '261', reason: 'Spamming', ...fields }))
          .record.id,
      ),
    createEvent: async (fields: Readonly<Record<string, string>> = {}) =>
      String(
        (
          await create('POST', '/api/events', {
            title: 'Opening',
            scheduledFor: '2030-03-01T18:00:00Z',
            ...fields,
          })
        ).event.id,
      ),
    /** Archives the workspace. @returns the id of the archive */
    async createArchive() {
      const { archive } = await archiveWorkspace()
      await instance.runJobs()
      return String(archive.id)
    },
    /** Starts to archive the workspace. @returns the id of the job, which does not run */
    startArchiving: async () => String((await archiveWorkspace()).job.id),
  }
}
