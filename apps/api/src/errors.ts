import { AppError } from '@reeve/core'
import { Replay, toErrorBody } from '@reeve/http'

/** The part of Elysia's context that the mapper uses. */
interface ErrorContext {
  readonly error: unknown
  readonly code: unknown
  readonly request: Request
  readonly path: string
  readonly set: { status?: number | string; headers: Record<string, string | number> }
}

export interface ErrorMapperOptions {
  /** The methods that a path supports; empty if there is no such path. */
  readonly findMethods: (path: string) => readonly string[]
  /** Renders the page for an unknown URL; null for a request that gets the error as JSON instead. */
  readonly renderNotFoundPage: (
    context: Pick<ErrorContext, 'request' | 'path' | 'set'>,
  ) => Promise<string | null>
  /** Receives every server error. */
  readonly report: (error: unknown, requestId: string) => void
}

/** The error for a URL that does not exist or that the caller must not know about. */
export const notFoundError = () => new AppError('not_found', { message: 'There is nothing at this URL.' })

/** The only place that converts errors to responses. Details of an error that is not an `AppError` are never sent. */
export const createErrorMapper = (options: ErrorMapperOptions) => {
  // All requests in a group commit fail with the same error object.
  const reported = new WeakSet<AppError>()
  // Names what it needs: the framework parses every part of a request for a function that it passes the whole context to.
  return async ({ error: thrown, code, request, path, set }: ErrorContext): Promise<unknown> => {
    const requestId = String(set.headers['x-request-id'] ?? '')
    set.headers['content-type'] = 'application/json;charset=utf-8'
    if (thrown instanceof Replay) {
      set.status = thrown.status
      set.headers['idempotent-replayed'] = 'true'
      return new Response(thrown.body)
    }
    const error = toAppError(options, thrown, code, path)
    if (code === 'NOT_FOUND' && error.status === 404) {
      const page = await options.renderNotFoundPage({ request, path, set })
      if (page !== null) {
        set.status = 404
        return page
      }
    }
    if (error.status >= 500 && !reported.has(error)) {
      reported.add(error)
      options.report(thrown, requestId)
    }
    set.status = error.status
    Object.assign(set.headers, error.options.headers)
    if (error.status === 401) set.headers['www-authenticate'] = 'Bearer'
    return toErrorBody(error, requestId)
  }
}

function toAppError(options: ErrorMapperOptions, error: unknown, code: unknown, path: string): AppError {
  if (error instanceof AppError) return error
  if (code === 'NOT_FOUND') {
    const methods = options.findMethods(path)
    if (methods.length > 0)
      return new AppError('method_not_allowed', { headers: { allow: methods.join(', ') } })
    return notFoundError()
  }
  if (code === 'PARSE') return new AppError('invalid_json')
  return new AppError('internal_error')
}
