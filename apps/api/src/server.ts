import type { FirstRunCode } from '@reeve/auth'
import type { Database } from '@reeve/db'
import { createApp } from './app.ts'
import { resolveBackupFolder } from './backups/destination.ts'
import { createBackupLister } from './backups/known-backups.ts'
import type { FindCommand } from './command-line/command.ts'
import { resolvePublicUrl } from './config.ts'
import { type ControlSocket, openControlSocket } from './control-socket.ts'
import { createEvidenceStore } from './images/evidence-store.ts'
import { createImageStore } from './images/store.ts'
import { createJobLease } from './jobs/lease.ts'
import { createPause } from './jobs/pause.ts'
import { createJobs } from './jobs/registry.ts'
import { startScheduler } from './jobs/scheduler.ts'
import { listen, listenForMetrics, removeStaleSocket } from './listen.ts'
import type { ServerLog } from './log.ts'
import type { MailJobOptions } from './mail/job.ts'
import { createMailTransport } from './mail/transport.ts'
import type { MetricsHandler } from './metrics/endpoint.ts'
import { type OpenInstance, openInstance } from './open-instance.ts'
import { createDeliveryOptions } from './outbound/deliveries.ts'
import { createRequestBatcher } from './request-batching.ts'
import { type Config, getDataFolder } from './settings.ts'

/** How long requests in progress may take at shutdown. */
const DRAIN_MS = 20_000
/** How long keep-alive connections still accept requests at shutdown; each response carries `Connection: close`. */
const KEEP_ALIVE_GRACE_MS = 100
/** How long the last responses may take after the storage failed. */
const ABORT_GRACE_MS = 1000

/** A server that accepts requests. */
export interface RunningServer {
  /** The URL it listens on, or `unix:` and the path of its socket. */
  readonly url: string
  /** The URL of the address for metrics; null if they have none of their own. */
  readonly metricsUrl: string | null
  readonly publicUrl: URL
  /** The migrations that startup applied. */
  readonly applied: readonly string[]
  readonly db: Database
  readonly firstRunCode: FirstRunCode
  /** Null if CLI commands cannot reach it: there is no data folder, or its path is too long for a socket. */
  readonly controlSocket: ControlSocket | null
  /** Stops accepting requests, finishes those in progress, stops the jobs, flushes buffered counts and closes the database. */
  readonly stop: () => Promise<void>
  /** Stops accepting requests, waits briefly for responses in progress and writes nothing more: for `db.fatalError`. */
  readonly abort: () => Promise<void>
}

/**
 * Opens the database and serves requests.
 * @throws DataFolderError, DatabaseServerError, NewerSchemaError, SecretKeyError; Error with advice if it cannot listen
 */
export async function startServer(
  config: Config,
  log: ServerLog,
  findCommand: FindCommand,
): Promise<RunningServer> {
  const opened = await openInstance(config, log.onAuditKeyed)
  try {
    if (config.listen !== null) await removeStaleSocket(config.listen)
    return startWithDatabase(opened, config, log, findCommand)
  } catch (error) {
    await opened.db.close()
    throw error
  }
}

function startWithDatabase(
  { db, ports, applied }: OpenInstance,
  config: Config,
  log: ServerLog,
  findCommand: FindCommand,
): RunningServer {
  const report = (error: unknown) => log.onFailure(error, '')
  const folder = getDataFolder(config)
  const images = createImageStore(config)
  const evidence = createEvidenceStore(config)
  const listBackups = createBackupLister(folder, config, ports.now)
  const hasOffsiteBackups = config.backupS3Bucket !== null

  // The port is known only after listening starts; no request is handled before this event loop tick ends.
  let handle: (request: Request) => Response | Promise<Response> = () => Response.json({})
  const { waitForTurn, hasRecentReads } = createRequestBatcher()
  const handleInBatch = async (request: Request) => {
    await waitForTurn(request)
    return handle(request)
  }
  let handleMetrics: MetricsHandler = handleInBatch
  const metrics =
    config.metricsListen === null
      ? null
      : listenForMetrics(config.metricsListen, (request) => handleMetrics(request))
  const server = listen(config, handleInBatch, report)
  const publicUrl = resolvePublicUrl(config, server.port)
  const app = createApp({
    db,
    ports,
    images,
    evidence,
    settings: {
      ...config,
      publicUrl,
      hasPublicUrl: config.publicUrl !== null,
      sendsMail: config.smtpUrl !== null,
    },
    legacyPrefix: config.legacyPrefix,
    corsOrigins: config.corsOrigins,
    hosts: [config.host, config.metricsListen?.host ?? config.host, ...config.hosts],
    observer: log,
    onProviderFailure: log.onProviderFailure,
    onWarning: log.onWarning,
    folder,
    listBackups,
    backupIntervalMs: config.backupEvery,
    hasOffsiteBackups,
    metricsToken: config.metricsToken,
    securityContact: config.securityContact,
    getPeerIp: server.getPeerIp,
  })
  const { fetch, endStreams, flush, flushCounts, broadcastUsage, firstRunCode, jobObserver } = app
  handle = fetch
  handleMetrics = app.handleMetrics

  const instance = {
    db,
    ports,
    applied: [],
    publicUrl,
    storage: app.storage,
    shutdownSignal: app.shutdownSignal,
  }
  const controlSocket =
    folder === null
      ? null
      : openControlSocket(folder, {
          instance,
          findCommand,
          log,
          listWarnings: app.listWarnings,
          backupIntervalMs: config.backupEvery,
          backupDir: resolveBackupFolder(config, folder),
          backupKeep: config.backupKeep,
          hasOffsiteBackups,
        })
  const { smtpUrl, mailFrom } = config
  const mail: MailJobOptions | null =
    smtpUrl === null || mailFrom === null
      ? null
      : {
          db,
          ports,
          publicUrl,
          transport: createMailTransport(smtpUrl, mailFrom),
          onOutcome(outcome) {
            log.onMail(outcome)
            app.onMail(outcome)
          },
        }
  const jobs = createJobs({
    db,
    ports,
    images,
    evidence,
    config,
    log,
    flushCounts,
    flush,
    broadcastUsage,
    mail,
    workspaceJobs: {
      db,
      ports,
      limits: config,
      pause: createPause(hasRecentReads),
      onFailure: report,
      onFinished: jobObserver.onWorkspaceJobFinished,
    },
    imports: { db, ports, storage: app.storage, onFailure: report },
    deliveries: createDeliveryOptions({
      db,
      ports,
      config,
      publicUrl,
      onFailure: report,
      onAttempt: jobObserver.onDeliveryAttempt,
    }),
  })
  jobObserver.onJobsScheduled(jobs)
  const scheduler = startScheduler(jobs, {
    claim: createJobLease(db, ports, { onWait: log.onWarning }),
    onFailure: (job, error) => log.onJobFailure(job.name, error),
    onEnd: (job, result) => jobObserver.onJobRun(job.name, result),
  })

  return {
    url: server.url,
    metricsUrl: metrics?.url ?? null,
    publicUrl,
    applied,
    db,
    firstRunCode,
    controlSocket,
    async stop() {
      handle = async (request) => withConnectionClose(await fetch(request))
      endStreams()
      await Bun.sleep(KEEP_ALIVE_GRACE_MS)
      const drainTimer = setTimeout(
        () => Promise.all([server.stop(true), controlSocket?.close(true)]),
        DRAIN_MS,
      )
      await Promise.all([server.stop(), controlSocket?.close(), metrics?.stop()])
      clearTimeout(drainTimer)
      await scheduler.stop()
      await flush()
      await db.close()
    },
    async abort() {
      endStreams()
      const stopped = Promise.all([server.stop(), scheduler.stop(), metrics?.stop()])
      await Promise.race([stopped, Bun.sleep(ABORT_GRACE_MS)])
    },
  }
}

/** Closes the connection after this response, so that the client opens a new one to another process. */
function withConnectionClose(response: Response): Response {
  response.headers.set('connection', 'close')
  return response
}
