import type { AppContext } from '@reeve/auth'
import type { Database } from '@reeve/db'
import { createApp } from '../app.ts'
import { databaseImageStore } from '../images/database-store.ts'
import { databaseEvidenceStore } from '../images/evidence-store.ts'
import { systemPorts } from '../ports.ts'
import { type OpenapiDocument, openapiDocument } from './document.ts'
import { portalDocument } from './portal-document.ts'

const rejectAccess = (): Promise<never> =>
  Promise.reject(new Error('the API is only described here: there is no database'))

/** A placeholder: describing the API does not access the database. */
const stubDatabase: Database = {
  read: { first: rejectAccess, all: rejectAccess },
  write: rejectAccess,
  onChange: () => () => {},
  onMissedChanges: () => () => {},
  onConnectionLimit: () => () => {},
  ping: rejectAccess,
  isShared: false,
  readHistoryId: rejectAccess,
  broadcast: rejectAccess,
  onBroadcast: () => () => {},
  stats: () => ({ committed: 0, waiting: 0, connections: null }),
  diskUsage: rejectAccess,
  engine: () => '',
  fatalError: new Promise(() => {}),
  close: async () => {},
}

interface DocumentOptions {
  readonly publicUrl: URL
  readonly legacyPrefix: string
}

/** An app whose routes can be described but not called. */
const createStubContext = (options: DocumentOptions): AppContext =>
  createApp({
    db: stubDatabase,
    ports: { ...systemPorts, deriveKey: () => new Uint8Array() },
    images: databaseImageStore,
    evidence: databaseEvidenceStore,
    listBackups: rejectAccess,
    settings: {
      publicUrl: options.publicUrl,
      oidcProviders: [],
      sendsMail: false,
      trustedProxies: [],
      hasPublicUrl: true,
      keyRatePerMinute: 0,
      sessionRatePerMinute: 0,
      imageRatePerMinute: 0,
      workspacesPerAccount: 0,
      workspaceCreation: 'anyone',
      mfa: 'optional',
      storageQuota: null,
      workspaceJobsPerDay: 0,
      outboundAllow: [],
    },
    legacyPrefix: options.legacyPrefix,
    corsOrigins: [],
    onProviderFailure: () => {},
    hosts: [],
    onWarning: () => {},
    observer: { onResponse: () => {}, onFailure: () => {}, onSignIn: () => {}, onSignInFailure: () => {} },
    folder: null,
    backupIntervalMs: null,
    hasOffsiteBackups: false,
    getPeerIp: () => '',
  }).context

/** Generates the OpenAPI document without an instance, for `reeve openapi` and the build. */
export const standaloneDocument = (options: DocumentOptions): Promise<OpenapiDocument> =>
  openapiDocument(createStubContext(options), options.legacyPrefix)

/** Generates the document of the portal-only routes without an instance. */
export const standalonePortalDocument = (options: DocumentOptions): Promise<object> =>
  portalDocument(createStubContext(options))
