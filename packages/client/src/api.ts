import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './generated/openapi.ts'
import { operations } from './generated/operations.ts'
import { toBody, toQuery, type Values } from './input.ts'
import type { RequestOptions, Settings } from './options.ts'
import { send } from './send.ts'

/** These read, although their method is POST: sending them again has no effect. */
const READS = ['POST /api/moderation/check', 'POST /api/endpoint-controls']

type Method = 'get' | 'post' | 'patch' | 'delete'

/** The body of a successful response. */
export type Result<Path extends keyof paths, Verb extends Method> =
  paths[Path] extends Record<Verb, { responses: { 200: { content: { 'application/json': infer Body } } } }>
    ? Body
    : never

/** One of the bodies that an operation returns: that with this field. */
export type ResultWith<Path extends keyof paths, Verb extends Method, Field extends PropertyKey> = Extract<
  Result<Path, Verb>,
  { readonly [Name in Field]: unknown }
>

/** The fields of all bodies that an operation returns. */
type FieldName<Path extends keyof paths, Verb extends Method> =
  Result<Path, Verb> extends infer Body ? (Body extends unknown ? keyof Body : never) : never
/** What a field of a body contains. */
type FieldOf<Body, Field> = Field extends keyof Body ? Body[Field] : never
type ItemOf<Body, Field> = FieldOf<Body, Field> extends readonly (infer Item)[] ? Item : never

/** What a request sends. */
export interface Parts {
  readonly query?: Values | undefined
  readonly body?: Values | undefined
}

/** A page of a list. */
export interface Page {
  readonly nextCursor: string | null
}

/** Sends requests to the operations of the OpenAPI document. */
export class Api {
  readonly #settings: Settings
  /** Every operation by path, typed. */
  readonly client: Client<paths>

  constructor(settings: Settings) {
    this.#settings = settings
    this.client = createClient<paths>({
      baseUrl: settings.url,
      headers: { accept: 'application/json', authorization: `Bearer ${settings.key}` },
      fetch: (request) => this.#send(request, { signal: request.signal }),
    })
  }

  /** Milliseconds that one attempt may take. */
  get timeout(): number {
    return this.#settings.timeout
  }

  /** Sends a request with the workspace and, for a write, an idempotency key. @throws ReeveError, or the reason of the signal */
  async request<Path extends keyof paths & string, Verb extends Method>(
    method: Verb,
    path: Path,
    { query = {}, body }: Parts,
    options: RequestOptions = {},
  ): Promise<Result<Path, Verb>> {
    const place = operations[`${method.toUpperCase()} ${path}`]?.workspaceId
    const defaults = { workspaceId: this.#settings.workspaceId }
    const hasId = query.workspaceId !== undefined || body?.workspaceId !== undefined
    const init = {
      params: { query: toQuery(place === 'query' && !hasId ? { ...query, ...defaults } : query) },
      ...(body && { body: toBody(place === 'body' && !hasId ? { ...body, ...defaults } : body) }),
      fetch: (request: Request) => this.#send(request, options),
    }
    const call = this.client.request as (
      method: string,
      path: string,
      init: object,
    ) => Promise<{ readonly data?: unknown }>
    return (await call(method, path, init)).data as Result<Path, Verb>
  }

  /** Reads, of the bodies that an operation returns, the one with a field, such as the items of a list. */
  async read<Path extends keyof paths & string, Field extends string & FieldName<Path, 'get'>>(
    path: Path,
    _field: Field,
    query: Values,
    options: RequestOptions | undefined,
  ): Promise<ResultWith<Path, 'get', Field>> {
    return (await this.request('get', path, { query }, options)) as ResultWith<Path, 'get', Field>
  }

  /** Reads the items of all pages of a list, one after the other. @param field contains the items of a page */
  readAll<Path extends keyof paths & string, Field extends string & FieldName<Path, 'get'>>(
    path: Path,
    field: Field,
    filter: Values,
    options: RequestOptions | undefined,
  ): AsyncGenerator<ItemOf<ResultWith<Path, 'get', Field>, Field>, void, undefined> {
    type Items = readonly ItemOf<ResultWith<Path, 'get', Field>, Field>[]
    return this.listAll(
      async (cursor) => {
        const page = await this.read(path, field, { ...filter, ...(cursor && { cursor }) }, options)
        return page as unknown as Page & Record<Field, Items>
      },
      (page): Items => page[field],
    )
  }

  /** Sends a write, and returns a field of its response, such as the changed resource. */
  async write<Path extends keyof paths & string, Field extends string & FieldName<Path, 'post'>>(
    path: Path,
    field: Field,
    body: Values,
    options: RequestOptions | undefined,
  ): Promise<FieldOf<ResultWith<Path, 'post', Field>, Field>> {
    const result = await this.request('post', path, { body }, options)
    return (result as Record<Field, FieldOf<ResultWith<Path, 'post', Field>, Field>>)[field]
  }

  /** Reads all pages of a list, one after the other. */
  async *listAll<Body extends Page, Item>(
    list: (cursor: string | undefined) => Promise<Body>,
    getItems: (page: Body) => readonly Item[],
  ): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await list(cursor)
      yield* getItems(page)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  #send(request: Request, options: RequestOptions): Promise<Response> {
    const { method, headers } = request
    const name = `${method} ${this.#getPath(request)}`
    const operation = operations[name]
    const key = options.idempotencyKey ?? crypto.randomUUID()
    if (operation?.acceptsIdempotencyKey && !headers.has('idempotency-key'))
      headers.set('idempotency-key', key)
    if (options.ifMatch !== undefined) headers.set('if-match', `"${options.ifMatch}"`)
    const isRepeatable = method === 'GET' || READS.includes(name) || operation?.acceptsIdempotencyKey
    const retries = options.retries ?? (isRepeatable ? this.#settings.retries : 0)
    return send(request, this.#settings, { ...options, retries, firstFields: operation?.firstFields })
  }

  /** The path of a request in the OpenAPI document: the URL of an instance may have a path of its own. */
  #getPath({ url }: Request): string {
    return new URL(url).pathname.slice(new URL(this.#settings.url).pathname.replace(/\/$/, '').length)
  }
}
