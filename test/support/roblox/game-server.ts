import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LuauFunction, LuauState } from 'luau-web'

/** The source of the Roblox client. */
export const MODULE_SOURCE = readFileSync(
  join(import.meta.dir, '../../../packages/client-luau/src/Reeve.luau'),
  'utf8',
)

const readLuau = (name: string): string => readFileSync(join(import.meta.dir, `${name}.luau`), 'utf8')

/** A request that a script of the game has sent. */
export interface SentRequest {
  /** By the clock of the game, in seconds. */
  readonly at: number
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What a script gets instead of the response of the server: an error that `RequestAsync` raises, or another response. */
export type Fault = (
  | { readonly raise: string }
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
) & {
  /** Whether the server gets the request and only its response is lost. */
  readonly isSent?: boolean
}

/** What `RequestAsync` raises, or else the response. */
type OutcomeValues = [problem: string, status: number, message: string, body: string, headers: string]

const raise = (problem: string): OutcomeValues => [problem, 0, '', '', '[]']

interface Options {
  readonly key: string
  /** Decides what happens to a request; undefined sends it. */
  readonly fault?: ((request: SentRequest) => Fault | undefined) | undefined
  /** By how many seconds the clock of the machine is ahead of that of Reeve. */
  readonly clockOffset?: number | undefined
}

/** The functions that engine.luau returns. */
interface Engine {
  addModelValue(name: string, value: string): Promise<void>
  setModule(chunk: LuauFunction): Promise<void>
  run(chunk: LuauFunction): Promise<void>
  read(chunk: LuauFunction): Promise<string>
  addPlayer(userId: number, name: string): Promise<void>
  removePlayer(userId: number): Promise<void>
  addChannel(name: string): Promise<void>
  sendMessage(channel: string, userId: number): Promise<string>
  respond(id: number, ...outcome: OutcomeValues): Promise<void>
  getNextTimer(): Promise<number>
  advanceTo(time: number): Promise<void>
}

/** How long the server holds a request, in seconds; 0 for one that it does not hold. */
const getWait = ({ url }: SentRequest): number => Number(url.searchParams.get('wait') ?? 0)

/** The memory of a VM is small and is not freed when a game ends: later games get another one. */
const GAMES_PER_VM = 8
let gameCount = 0

/**
 * Loads the Luau virtual machine: the build that also runs without suspending WebAssembly, because the one with it does not catch errors in
 * `pcall` on Bun.
 */
async function loadVirtualMachine(): Promise<typeof LuauState> {
  Reflect.deleteProperty(WebAssembly, 'Suspending')
  const instance = Math.floor(gameCount++ / GAMES_PER_VM)
  return (await import(`${fileURLToPath(import.meta.resolve('luau-web'))}?instance=${instance}`)).LuauState
}

/** Whether a response of the feed says more than that nothing has changed. */
const hasNews = ([, status, , body]: OutcomeValues): boolean =>
  status !== 200 || JSON.parse(body).changes.length > 0

/**
 * Starts a game server: scripts run in a real Luau VM, with the part of the Roblox engine that they use written in Luau, on a clock that
 * only `advance` moves. Requests are sent to a real server. One that the server holds ends early when the clock has passed its `wait`: it is
 * repeated without.
 */
export async function startGameServer(options: Options) {
  const VirtualMachine = await loadVirtualMachine()
  const requests: SentRequest[] = []
  const kicks: { userId: string; message: string }[] = []
  const warnings: string[] = []
  const errors: string[] = []
  const expectedErrors: string[] = []
  const held = new Map<number, { readonly endsAt: number; readonly abort: AbortController }>()
  const arrived: [id: number, outcome: OutcomeValues][] = []
  let pendingCount = 0
  let notifyArrival = () => {}
  let now = 0
  let isClosed = false
  let fault = options.fault

  async function fetchOutcome(request: SentRequest, signal: AbortSignal | null): Promise<OutcomeValues> {
    const { method, headers, body } = request
    const response = await fetch(request.url, { method, headers, signal, ...(body && { body }) })
    const responseHeaders = JSON.stringify(Object.fromEntries(response.headers))
    return ['', response.status, response.statusText, await response.text(), responseHeaders]
  }

  async function findOutcome(id: number, request: SentRequest): Promise<OutcomeValues> {
    const applied = fault?.(request)
    if (applied?.isSent) await fetchOutcome(request, null)
    if (applied && 'raise' in applied) return raise(applied.raise)
    if (applied)
      return ['', applied.status, 'Fault', applied.body ?? '', JSON.stringify(applied.headers ?? {})]
    return getWait(request) > 0 ? holdRequest(id, request) : fetchOutcome(request, null)
  }

  /** Sends a request that the server holds, unless it would respond at once: then the clock must not move before the response. */
  async function holdRequest(id: number, request: SentRequest): Promise<OutcomeValues> {
    const abort = new AbortController()
    const withoutWait = { ...request, url: new URL(request.url) }
    withoutWait.url.searchParams.set('wait', '0')
    const outcome = await fetchOutcome(withoutWait, null)
    if (hasNews(outcome)) return outcome
    held.set(id, { endsAt: request.at + getWait(request), abort })
    notifyArrival()
    try {
      return await fetchOutcome(request, abort.signal)
    } catch (error) {
      if (!abort.signal.aborted || isClosed) throw error
      return fetchOutcome(withoutWait, null)
    } finally {
      held.delete(id)
    }
  }

  function send(id: number, at: number, text: string): void {
    const { url, ...rest } = JSON.parse(text)
    const request: SentRequest = { ...rest, at, url: new URL(url) }
    requests.push({ ...request, url: new URL(url) })
    pendingCount += 1
    void findOutcome(id, request)
      .catch(() => raise('HttpError: ConnectFail'))
      .then((outcome) => {
        arrived.push([id, outcome])
        notifyArrival()
      })
  }

  const host = {
    ...{ key: options.key, startedAt: Math.floor(Date.now() / 1000) + (options.clockOffset ?? 0) },
    send,
    createGuid: () => crypto.randomUUID(),
    parseTime: (text: string) => {
      const time = Date.parse(text)
      return Number.isNaN(time) ? -1 : time
    },
    onKick: (userId: string, message: string) => void kicks.push({ userId, message }),
    onWarning: (message: string) => void warnings.push(message),
    onError(message: string) {
      if (!expectedErrors.some((expected) => message.includes(expected))) errors.push(message)
    },
  }
  const state = await VirtualMachine.createAsync({ host })
  const source = [
    `local json = (function()\n${readLuau('json')}\nend)()`,
    `local createSignal, createInstance = (function()\n${readLuau('instances')}\nend)()`,
    readLuau('engine'),
  ].join('\n')
  const compile = (code: string, name = 'Script') => state.loadstring(code, name, true)
  const engine: Engine = await loadEngine(compile(source, 'engine'))
  await engine.setModule(compile(MODULE_SOURCE, 'Reeve'))

  /** Gives the scripts the responses that have arrived. */
  async function deliverArrived(): Promise<void> {
    for (let next = arrived.shift(); next; next = arrived.shift()) {
      const [id, outcome] = next
      pendingCount -= 1
      await engine.respond(id, ...outcome)
    }
    await engine.advanceTo(now)
    if (errors.length > 0) throw new Error(`A script failed: ${errors.join('\n')}`)
  }

  const nextArrival = () =>
    new Promise<void>((resolve) => {
      notifyArrival = resolve
      if (arrived.length > 0) resolve()
    })

  /** Waits until only requests that the server holds are open. */
  async function settle(): Promise<void> {
    await deliverArrived()
    while (pendingCount > held.size || arrived.length > 0) {
      await nextArrival()
      await deliverArrived()
    }
  }

  return {
    requests,
    kicks,
    warnings,
    settle,
    /** Sets a value below the module, as the model that the portal offers has them. */
    addModelValue: (name: string, value: string) => engine.addModelValue(name, value),
    /** Replaces what decides about faults. */
    setFault(next: Options['fault']): void {
      fault = next
    },
    /** Lets scripts raise errors that contain a text. */
    expectError: (text: string): void => void expectedErrors.push(text),
    /** Runs a server script. @throws Error for a syntax error */
    async run(script: string): Promise<void> {
      await engine.run(compile(script))
      await deliverArrived()
    },
    /** Evaluates a Luau expression. @returns its value as a text */
    read: (expression: string): Promise<string> => engine.read(compile(`return ${expression}`)),
    /** A player joins. */
    async join(userId: number, name = `Player${userId}`): Promise<void> {
      await engine.addPlayer(userId, name)
      await deliverArrived()
    },
    /** A player leaves. */
    leave: (userId: number): Promise<void> => engine.removePlayer(userId),
    /** Adds a chat channel in which all players are. */
    addChannel: (name: string): Promise<void> => engine.addChannel(name),
    /** A player writes in a chat channel. @returns the names of the others who read it */
    sendMessage: (channel: string, userId: number): Promise<string> => engine.sendMessage(channel, userId),
    /** Moves the clock of the game, in seconds. Everything that is due happens in order, and responses arrive at once. */
    async advance(seconds: number): Promise<void> {
      const end = now + seconds
      await settle()
      for (;;) {
        const timer = await engine.getNextTimer()
        const ends = [...held.values()].map(({ endsAt }) => endsAt)
        const next = Math.min(timer < 0 ? Number.POSITIVE_INFINITY : timer, ...ends)
        if (next > end) break
        now = next
        for (const { endsAt, abort } of [...held.values()]) if (endsAt <= now) abort.abort()
        if (ends.some((at) => at <= now)) await nextArrival()
        await settle()
      }
      now = end
      await deliverArrived()
    },
    /** Waits, in real time, until something is true that a held request brings about. */
    async waitFor(isTrue: () => boolean | Promise<boolean>): Promise<void> {
      await deliverArrived()
      while (!(await isTrue())) {
        await nextArrival()
        await deliverArrived()
      }
    },
    /** Ends the requests of the game. */
    close(): void {
      isClosed = true
      for (const { abort } of held.values()) abort.abort()
    },
  }
}

const ENGINE_FUNCTIONS = [
  ...[
    'addModelValue',
    'setModule',
    'run',
    'read',
    'addPlayer',
    'removePlayer',
    'addChannel',
    'sendMessage',
    'respond',
    'getNextTimer',
    'advanceTo',
  ],
] as const satisfies readonly (keyof Engine)[]

/** Runs the chunk that returns the functions. Functions and chunks of the VM resolve with the list of their values. */
async function loadEngine(chunk: LuauFunction): Promise<Engine> {
  const [table] = await chunk()
  const bind =
    (name: string) =>
    async (...args: readonly unknown[]) =>
      (await table.get(name)(...args))[0]
  return Object.fromEntries(ENGINE_FUNCTIONS.map((name) => [name, bind(name)])) as unknown as Engine
}

export type GameServer = Awaited<ReturnType<typeof startGameServer>>
