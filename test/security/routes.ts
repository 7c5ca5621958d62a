import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { type Instance, LEGACY_PREFIX } from '../support/instance.ts'

/** A route as it is registered, with its documented rule and the names of its fields. */
export interface Route {
  readonly method: string
  readonly path: string
  /** `GET /api/departments` */
  readonly name: string
  /** Undefined only if the route has no rule, which `access-matrix.test.ts` rejects. */
  readonly rule: DocumentedRule | undefined
  /** Null if the route declares no query. */
  readonly queryFields: readonly Field[] | null
  readonly bodyFields: readonly Field[]
  /** `file` of `/media/:file`. */
  readonly pathParameters: readonly string[]
}

/** A field of the query or the body. */
export interface Field {
  readonly name: string
  /** What the OpenAPI document says about it. */
  readonly description: string
  readonly example: string
}

interface RouteHooks {
  readonly detail?: Readonly<Record<string, unknown>>
  readonly query?: ObjectSchema
  readonly body?: ObjectSchema
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { description?: string; example?: string }>>
}

const listFields = (schema: ObjectSchema): Field[] =>
  Object.entries(schema.properties ?? {}).map(([name, { description = '', example = '' }]) => ({
    name,
    description,
    example,
  }))

/** Every registered route, under both prefixes. */
export const listRoutes = (instance: Instance): Route[] =>
  instance.app.routes.map(({ method, path, hooks }) => {
    const { detail, query, body } = hooks as RouteHooks
    return {
      method,
      path,
      name: `${method} ${path}`,
      rule: detail?.[RULE_EXTENSION] as DocumentedRule | undefined,
      queryFields: query ? listFields(query) : null,
      bodyFields: body ? listFields(body) : [],
      pathParameters: [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name),
    }
  })

/** The name of a route under the current prefix: both prefixes have the same routes. */
export const toCurrentName = ({ name }: Pick<Route, 'name'>): string =>
  name.replace(` ${LEGACY_PREFIX}/`, ' /api/')

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export const isSafe = ({ method }: Pick<Route, 'method'>): boolean => SAFE_METHODS.has(method)

/** Whether the fields of a write are in its body. */
export const takesBody = ({ method }: Pick<Route, 'method'>): boolean =>
  method !== 'DELETE' && !SAFE_METHODS.has(method)
