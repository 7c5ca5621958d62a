import { invalidRequest } from '@reeve/core'
import { type FieldReader, fieldReader, type RawFields } from '@reeve/http'
import { Elysia } from 'elysia'

interface RouteReaders {
  readonly query: FieldReader | null
  readonly body: FieldReader | null
}

/** A route as the framework lists it. */
interface ListedRoute {
  readonly method: string
  readonly path: string
  readonly hooks: { readonly query?: unknown; readonly body?: unknown }
}

/**
 * Reads the fields of every request before its handler: query and body together, so that one answer names everything that
 * is wrong. It comes after the gate, and instead of the framework's own check, which would look at each field thrice.
 */
export class FieldValidation {
  readonly #readers = new Map<string, RouteReaders>()

  readonly plugin = new Elysia({ name: 'fields' }).onBeforeHandle({ as: 'global' }, (context) => {
    const readers = this.#readers.get(`${context.request.method} ${context.route}`)
    if (!readers) return
    const query = readers.query?.(context.query)
    const body = readers.body?.(context.body as RawFields)
    if (query?.problems.length || body?.problems.length) {
      throw invalidRequest(...(query?.problems ?? []), ...(body?.problems ?? []))
    }
    if (query) context.query = query.values as typeof context.query
    if (body) context.body = body.values
  })

  /** Takes note of what a route reads. Where it declares no body, nothing may be in it. */
  addRoute({ method, path, hooks }: ListedRoute): void {
    const body =
      toReader(hooks.body) ?? (METHODS_WITH_BODY.has(method) ? fieldReader({ properties: {} }) : null)
    this.#readers.set(`${method} ${path}`, { query: toReader(hooks.query), body })
  }
}

const METHODS_WITH_BODY = new Set(['POST', 'PATCH'])

const toReader = (schema: unknown): FieldReader | null =>
  typeof schema === 'object' && schema !== null && 'properties' in schema
    ? fieldReader(schema as Parameters<typeof fieldReader>[0])
    : null
