import { type Connection, NoResponse, openConnection, type RawResponse } from './connection.ts'
import type { WorkspaceCredentials } from './populate.ts'
import { type Workload, type Write, workloadFor } from './workloads.ts'

/** An acknowledged write. */
export interface Acknowledged {
  readonly id: string
  readonly rows: number
  /** No earlier than the response, in epoch milliseconds. */
  readonly at: number
}

/** The responses to writers across restarts of the server. */
export interface WriteLedger {
  readonly acknowledged: Acknowledged[]
  /** The last acknowledged state by path; null if it was deleted. */
  readonly expectedStates: Map<
    string,
    { readonly state: object | null; readonly name: string; readonly workspace: WorkspaceCredentials }
  >
  /** Invalid responses: anything but success and `unavailable`. */
  readonly unexpectedResponses: string[]
  /** How many writes were rejected with `unavailable`. */
  unavailable: number
  /** How many connections closed before a response, and in the middle of one. */
  closedConnections: number
  truncatedResponses: number
  /** Retries that showed that the write was committed although its response never arrived. */
  committedUnanswered: number
}

export interface WriteLoad {
  readonly ledger: WriteLedger
  /**
   * Writes until `isOver` or until the server is down; pending writes are retried after the restart. Behind a proxy they are
   * retried at once, because another server may respond.
   */
  readonly run: (url: string, isDone: () => boolean) => Promise<void>
  /** Retries every pending write with its idempotency key until it gets a response. */
  readonly retryPending: (url: string) => Promise<void>
  /** The writes that were sent and got no response. */
  readonly listPendingIds: () => readonly string[]
}

const PAUSE_MS = 5
/** Retries of a write while a server responds `unavailable` and should recover. */
const MAX_RETRIES = 2000

interface Writer {
  readonly name: string
  readonly workspace: WorkspaceCredentials
  readonly workload: Workload
  write: Write
  writeCount: number
  /** Whether it was sent before and may have been committed. */
  wasSent: boolean
}

/** A proxy's response if a server closed the connection: it is unknown whether the write was committed. */
const isProxyError = ({ status, body }: RawResponse) => [502, 504].includes(status) && body === null

export interface LoadOptions {
  /** Half of the writers store large images, so that the WAL is soon full and checkpointed. */
  readonly isHeavy?: boolean
  readonly isBehindProxy?: boolean
  /** Starts the names and idempotency keys of the writers: another one for every load on the same data. */
  readonly namePrefix?: string
}

export function createWriteLoad(
  workspaces: readonly WorkspaceCredentials[],
  writers: number,
  random: () => number,
  { isHeavy = false, isBehindProxy = false, namePrefix = 'w' }: LoadOptions = {},
): WriteLoad {
  const ledger: WriteLedger = {
    acknowledged: [],
    expectedStates: new Map(),
    unexpectedResponses: [],
    unavailable: 0,
    closedConnections: 0,
    truncatedResponses: 0,
    committedUnanswered: 0,
  }
  const allWriters = Array.from({ length: writers }, (_, index): Writer => {
    const name = `${namePrefix}${index}`
    const workspace = workspaces[index % workspaces.length] as WorkspaceCredentials
    const workload = workloadFor(index, isHeavy)(workspace, name, random)
    return { name, workspace, workload, write: workload.next().value, writeCount: 0, wasSent: false }
  })
  const toRequestId = ({ name, writeCount }: Writer) => `${name}-${writeCount}`

  async function send(writer: Writer, connection: Connection): Promise<RawResponse | null> {
    const { write, workspace } = writer
    const id = toRequestId(writer)
    const wasSent = writer.wasSent
    try {
      const response = await connection.request({
        ...write,
        headers: {
          ...createAuthHeaders(workspace, write.credentialKind),
          'x-request-id': id,
          'idempotency-key': id,
        },
      })
      writer.wasSent = true
      if (isBehindProxy && isProxyError(response)) throw new NoResponse('closed')
      if (response.status === 200 && wasSent && response.head.includes('\r\nidempotent-replayed: true')) {
        ledger.committedUnanswered += 1
      }
      return response
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      if (error.reason !== 'refused') writer.wasSent = true
      if (error.reason === 'closed') ledger.closedConnections += 1
      if (error.reason === 'truncated') ledger.truncatedResponses += 1
      return null
    }
  }

  /** Sends a writer's pending write and handles the response. @returns whether the writer continues */
  async function sendNext(writer: Writer, connection: Connection): Promise<boolean> {
    const response = await send(writer, connection)
    const shouldContinue = response ? handleResponse(writer, response) : isBehindProxy
    if (shouldContinue && response?.status !== 200) await Bun.sleep(PAUSE_MS)
    return shouldContinue
  }

  /** @returns whether the writer continues */
  function handleResponse(writer: Writer, response: RawResponse): boolean {
    const { write, workspace } = writer
    if (response.status === 503 && response.body?.code === 'unavailable') {
      ledger.unavailable += 1
      return true
    }
    if (response.status !== 200) {
      ledger.unexpectedResponses.push(
        `${write.method} ${write.path} ${JSON.stringify(write.body).slice(0, 200)}: ${response.status} ${JSON.stringify(response.body)}`,
      )
      return false
    }
    // A clock in whole milliseconds may show a time before the response; one millisecond later is after it.
    ledger.acknowledged.push({ id: toRequestId(writer), rows: write.rows ?? 1, at: Date.now() + 1 })
    if (write.alsoChangesPath !== undefined) ledger.expectedStates.delete(write.alsoChangesPath)
    if (write.stateRef) {
      const { name, path } = write.stateRef
      const state = response.body[name]
      ledger.expectedStates.set(path(state), { state: write.removesState ? null : state, name, workspace })
    }
    writer.write = writer.workload.next(response.body).value
    writer.writeCount += 1
    writer.wasSent = false
    return true
  }

  return {
    ledger,
    async run(url, isDone) {
      await Promise.all(
        allWriters.map(async (writer) => {
          const connection = openConnection(url)
          while (!isDone() && (await sendNext(writer, connection))) {}
          connection.close()
        }),
      )
    },
    async retryPending(url) {
      await Promise.all(
        allWriters
          .filter((writer) => writer.wasSent)
          .map(async (writer) => {
            const connection = openConnection(url)
            for (let retries = 0; writer.wasSent && retries < MAX_RETRIES; retries++) {
              if (!(await sendNext(writer, connection))) break
            }
            connection.close()
            if (writer.wasSent) ledger.unexpectedResponses.push(`${toRequestId(writer)} never got a response`)
          }),
      )
    },
    listPendingIds: () => allWriters.filter((writer) => writer.wasSent).map(toRequestId),
  }
}

export const createAuthHeaders = (
  workspace: WorkspaceCredentials,
  credentialKind: Write['credentialKind'],
): Record<string, string> =>
  credentialKind === 'key'
    ? { authorization: `Bearer ${workspace.key}` }
    : { cookie: `reeve_session=${workspace.session}`, 'sec-fetch-site': 'same-origin' }
