import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectTo, createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import type { EngineName } from '../support/engine.ts'
import { startOpenIdProvider } from '../support/openid-provider/start.ts'
import { runReeve, SOURCE, startServerCommand } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  findLeaks,
  plantSettings,
  RELATED_SETTINGS,
  SECRET_FIELD,
  type SearchedPlace,
} from './planted-secrets.ts'
import { readServerDatabase } from './stored-values.ts'

/** The URL of a database replaces the data folder. */
const DATABASE_VARIABLES: ReadonlySet<string> = new Set(['REEVE_DATABASE_URL', 'REEVE_DATABASE_POOLER_URL'])

/** Loaded before the program: an error that nothing catches, with the settings in reach, as a defect of the program would throw it. */
const CRASH = `process.on('SIGUSR2', () => {
  setTimeout(() => { throw new Error('planted crash', { cause: { pid: process.pid } }) })
})`

interface Credentials {
  readonly session?: string
  readonly key?: string
}

/** A database on PostgreSQL, whose password is a secret like all others. */
async function createPlantedDatabase(password: string) {
  const adminUrl = await createDatabase('template1')
  const role = `planted_${new URL(adminUrl).pathname.slice(1)}`
  await queryServer(adminUrl, `create role ${role} superuser login password '${password}'`)
  const url = new URL(adminUrl)
  url.username = role
  url.password = password
  return { adminUrl, url: url.href, remove: () => dropDatabase(adminUrl) }
}

/** What PostgreSQL has of its clients: its log, and their last statements. */
async function readServerTraces(adminUrl: string): Promise<string> {
  const { query, close } = await connectTo(adminUrl)
  try {
    const [log] = await query<{ text: string }>(
      "select pg_read_file(current_setting('data_directory') || '/../log') as text",
    )
    return `${log?.text}\n${JSON.stringify(await query('select * from pg_stat_activity'))}`
  } finally {
    await close()
  }
}

/**
 * Starts a server whose secret settings are planted, and collects the places where no secret may be: what it responds, logs, stores and
 * prints.
 */
export async function openSecretSearch(engine: EngineName) {
  const planted = plantSettings()
  const secrets: Record<string, string> = Object.fromEntries(planted.map(({ env, secret }) => [env, secret]))
  const plantSecret = (name: string, value: string): string => {
    secrets[name] = value
    return value
  }
  const places: SearchedPlace[] = []
  const addPlace = (name: string, content: string | Uint8Array) => places.push({ name, content })

  const toEnv = (isDatabase: boolean): Record<string, string> =>
    Object.fromEntries(
      planted.flatMap(({ env, value }) => (DATABASE_VARIABLES.has(env) === isDatabase ? [[env, value]] : [])),
    )
  const database =
    engine === 'PostgreSQL' ? await createPlantedDatabase(String(secrets.REEVE_DATABASE_URL)) : null
  const folder = temporaryFolder()
  const provider = await startOpenIdProvider()
  plantSecret('the secret of an identity provider', provider.env.REEVE_OIDC_COMPANY_CLIENT_SECRET)
  const env = {
    ...provider.env,
    ...toEnv(false),
    ...RELATED_SETTINGS,
    ...(database && { REEVE_DATABASE_URL: database.url }),
  }
  const script = `exec "$@" 2>'${join(folder.path, 'stderr')}'`
  const preload = join(folder.path, 'crash.ts')
  writeFileSync(preload, CRASH)
  const [bun, main] = SOURCE
  const server = await startServerCommand(
    ['sh', '-c', script, 'sh', bun, '--preload', preload, main, 'serve', '--port', '0'],
    folder.path,
    { ...process.env, ...env, REEVE_DATA_DIR: folder.data, REEVE_LOG_LEVEL: 'debug' },
  )

  /** Plants every secret in a response, by the names of its fields. @returns whether there is one */
  function plantResponse(name: string, json: unknown, field = ''): boolean {
    if (typeof json === 'string' && json !== '' && SECRET_FIELD.test(field)) {
      plantSecret(name in secrets ? `${name}, ${Object.keys(secrets).length}` : name, json)
      return true
    }
    if (typeof json !== 'object' || json === null) return false
    const inner = Object.entries(json).map(([key, value]) =>
      plantResponse(name, value, Array.isArray(json) ? field : key),
    )
    return inner.includes(true)
  }

  return {
    ...{ server, folder, secrets, plantSecret, places, addPlace },
    /** The settings of a database at which nobody listens. */
    unreachableDatabase: toEnv(true),
    metricsToken: String(secrets.REEVE_METRICS_TOKEN),
    /** Sends a request. Its response is searched, unless it is what gives a secret to its owner. @param name that of the secret */
    async send(method: string, path: string, { session, key }: Credentials, body?: object, name?: string) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(session === undefined ? {} : { cookie: `reeve_session=${session}` }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      const text = new TextDecoder().decode(bytes)
      const cookie = /reeve_session=([^;]+)/.exec(response.headers.getSetCookie().join('\n'))?.[1]
      if (cookie !== undefined) plantSecret(`the session of ${path} ${Object.keys(secrets).length}`, cookie)
      const device = /reeve_device=([^;]+)/.exec(response.headers.getSetCookie().join('\n'))?.[1]
      if (device !== undefined) plantSecret(`the device of ${path} ${Object.keys(secrets).length}`, device)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const json = isJson ? JSON.parse(text) : null
      if (name === undefined || !plantResponse(name, json))
        addPlace(`the response to ${method} ${path}`, bytes)
      return { status: response.status, json, bytes, text, cookie: cookie ?? '' }
    },
    /** Runs a command with the planted settings, and searches what it prints. */
    async run(args: readonly string[], more: Record<string, string> = {}) {
      const result = await runReeve(args, { dataDir: folder.data, env: { ...env, ...more } })
      addPlace(`the output of reeve ${args.join(' ')}`, result.out + result.err)
      return result
    },
    /** Adds what the process has written, and what PostgreSQL has of it. */
    async addTraces(): Promise<void> {
      addPlace('standard error', readFileSync(join(folder.path, 'stderr')))
      addPlace('the log', server.log.map((line) => JSON.stringify(line)).join('\n'))
      if (!database) return
      addPlace('the values of the database', await readServerDatabase(database.adminUrl))
      addPlace('the traces in PostgreSQL', await readServerTraces(database.adminUrl))
    },
    /** Lets the running process end with an error that nothing catches. @returns its exit code */
    async crash(): Promise<number> {
      addPlace('the arguments of the process', readFileSync(`/proc/${server.pid}/cmdline`))
      server.signal('SIGUSR2')
      return server.exited
    },
    /** Where a secret was found, by the names of both. */
    findLeaks: (searched: Readonly<Record<string, string>> = secrets) => findLeaks(searched, places),
    async close(): Promise<void> {
      await server.stop()
      await provider.stop()
      await database?.remove()
      folder.remove()
    },
  }
}

export type SecretSearch = Awaited<ReturnType<typeof openSecretSearch>>
