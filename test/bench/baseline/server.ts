import { isLeanFile } from '../lean-data.ts'
import type { Handlers } from './responses.ts'

/**
 * The baseline: a bare `Bun.serve` that returns the same responses as Reeve without key check, permissions, endpoint controls,
 * metering, rate limit and validation.
 * Run as `bun server.ts <database file, file of the lean insert or postgres://…>`; prints its URL. Without a database it only responds.
 */
const [database] = process.argv.slice(2)

async function createHandlers(location: string): Promise<Handlers> {
  if (location.startsWith('postgres://'))
    return (await import('./postgres.ts')).createPostgresHandlers(location)
  const { createLeanHandlers, createSqliteHandlers } = await import('./sqlite.ts')
  return isLeanFile(location) ? createLeanHandlers(location) : createSqliteHandlers(location)
}

const handlers: Handlers = database === undefined ? {} : await createHandlers(database)
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const url = new URL(request.url)
    return handlers[url.pathname]?.(url, request) ?? new Response('ok')
  },
})
process.stdout.write(`${server.url}\n`)
