import type { Ports } from '@reeve/core'
import { type Database, type IdempotencyTable, type Queries, statement } from '@reeve/db'
import type { RequestContext } from './request-context.ts'
import { RESPONSE_RETENTION_MS } from './stored-responses.ts'

const storedResponse = statement<{
  workspaceId: string
  actorId: string
  route: string
  key: string
  since: number
}>()((sql, p) =>
  sql
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'answer'])
    .where('workspace_id', '=', p.workspaceId)
    .where('actor_id', '=', p.actorId)
    .where('route', '=', p.route)
    .where('key', '=', p.key)
    .where('created_at', '>', p.since),
)

/** What an `Idempotency-Key` belongs to. */
type Scope = Pick<RequestContext, 'workspaceId' | 'actorId' | 'route'>

const toText = ({ workspaceId, actorId, route }: Scope, key: string): string =>
  JSON.stringify([workspaceId, actorId, route, key])

/** The values of `Idempotency-Key` that were used: for requests that this process executes, and for those with a stored response. */
export class IdempotencyKeys {
  readonly #db: Database
  readonly #ports: Ports
  readonly #inFlight = new Set<string>()

  constructor(db: Database, ports: Ports) {
    this.#db = db
    this.#ports = ports
  }

  /** Whether a request with this key is being executed. */
  isInFlight(scope: Scope, key: string): boolean {
    return this.#inFlight.has(toText(scope, key))
  }

  /** Runs a request, which is in flight until then. */
  async run<Result>(scope: Scope, key: string, request: () => Promise<Result>): Promise<Result> {
    const text = toText(scope, key)
    this.#inFlight.add(text)
    try {
      return await request()
    } finally {
      this.#inFlight.delete(text)
    }
  }

  /** The stored response of an earlier request with this key. */
  findResponse(
    queries: Pick<Queries, 'first'>,
    { workspaceId, actorId, route }: Scope,
    key: string,
  ): Promise<Pick<IdempotencyTable, 'request_hash' | 'status' | 'answer'> | undefined> {
    const since = this.#ports.now() - RESPONSE_RETENTION_MS
    return queries.first(storedResponse, { workspaceId, actorId, route, key, since })
  }

  /** Whether a request with this key is not the first one. */
  async isUsed(scope: Scope, key: string): Promise<boolean> {
    return this.isInFlight(scope, key) || (await this.findResponse(this.#db.read, scope, key)) !== undefined
  }
}
