type Level = 'info' | 'warn' | 'error' | 'fatal'

interface LogLine {
  readonly level: Level
  /** How `docs/logs.md` shows the message, if it is not the name. */
  readonly message?: string
  readonly meaning: string
  /** Every field that the line can have, with its meaning. */
  readonly fields: Readonly<Record<string, string>>
}

const defineLines = <const Lines extends Readonly<Record<string, LogLine>>>(lines: Lines): Lines => lines

const ERROR = 'the error: `type`, `message`, `stack`, and `code` if it has one'

/** Every line of the log: the one table from which the types of log calls and `docs/logs.md` are derived. */
export const logLines = defineLines({
  request: {
    level: 'info',
    meaning:
      'A request was answered. At level `info`: requests that changed something, failed (status 400 and above) or took longer than 250 ms; at `debug`: all others',
    fields: {
      requestId: 'the ID in the `X-Request-Id` header of the response, and in `requestId` of an error',
      method: 'the HTTP method',
      route: 'the pattern of the route, such as `/api/moderation`; empty if none matched',
      status: 'the HTTP status code; 499 if the client disconnected first',
      durationMs: 'milliseconds from the arrival of the headers to the response',
      workspace: 'the ID of the workspace; empty if the request named none that the caller belongs to',
      actor: 'the caller: `api_key:` or `account:` and its ID; empty if it was not authenticated',
      traceId: 'the trace that the client sent in a valid `traceparent` header; absent without one',
      parentSpanId: 'the span of the client in that trace',
    },
  },
  'sign-in failed': {
    level: 'warn',
    meaning: 'Somebody was not signed in. `deploy/fail2ban` bans IP addresses by these lines',
    fields: {
      ip: 'the IP address of the client',
      username:
        'the username of the account; of a name that no account has a hash, because people also enter passwords there; empty without a name',
      reason:
        '`unknown_username`, `wrong_password`, `wrong_code`, `invalid_passkey`, `identity_rejected`, `account_disabled`, or `rate_limited` if the attempt was not even checked',
      account: 'the ID of the account; empty if no account has the name',
      requestId: 'the request',
    },
  },
  command: {
    level: 'info',
    meaning: 'A command of another process, such as `reeve key revoke`, was run over the control socket',
    fields: {
      command: 'its name, such as `key revoke`',
      outcome: '`ok`, or the code of the error that it ended with',
    },
  },
  'audit log keyed': {
    level: 'warn',
    message: 'The audit log was written without a key, and is keyed now. …',
    meaning:
      'Startup has keyed an audit log from before the instance had a secret key, which happens once in the life of an instance, or has finished a rotation of the key that was interrupted',
    fields: {
      rows: 'how many rows it has',
      brokenChains: 'how many chains were broken before, and still are',
    },
  },
  'audit anchors': {
    level: 'info',
    meaning:
      'Once an hour: the last row of every audit chain that has new rows. `reeve audit verify --anchors` compares the audit log with these lines',
    fields: {
      chains: 'by the ID of the workspace, or `instance`: the sequence and the hash of the last row',
    },
  },
  'workspace deleted': {
    level: 'info',
    meaning:
      'The 30 days in which the deletion of a workspace could be undone are over, and nothing of it is left in the database',
    fields: {
      workspace: 'the ID that the workspace had',
      groupName: 'the name that it had',
    },
  },
  failure: {
    level: 'error',
    meaning: 'A request got status 500, a job failed, or the process failed (at level `fatal`)',
    fields: {
      requestId: 'the request, whose `request` line says more; absent or empty outside of requests',
      job: 'the job, such as `housekeeping`; absent outside of jobs',
      err: ERROR,
    },
  },
  'identity provider': {
    level: 'warn',
    meaning: 'A sign-in with an identity provider failed. The person saw what to do, but not the cause',
    fields: {
      requestId: 'the request, whose `request` line says more',
      provider: 'the ID of the provider in the settings, in lower case',
      problem:
        'what went wrong: `access_denied` (the person declined), `authorization_refused`, `client_rejected` or `token_refused` (the provider ' +
        'does not accept the settings), `code_rejected` (used twice or too late), `unreachable`, `timeout`, `server_error`, `invalid_response`, ' +
        '`unsupported`, or `wrong_issuer`, `wrong_nonce`, `wrong_audience`, `wrong_time`, `old_sign_in` (the provider did not ask again to confirm an action), `wrong_subject`, `unknown_key`, `wrong_signature` ' +
        '(its response could not be verified)',
      detail: 'what the provider or the verification said',
    },
  },
  'mail failed': {
    level: 'warn',
    meaning: 'An e-mail was not sent. The line contains neither its recipient nor its text',
    fields: {
      kind: '`password_link`, `no_password`, `email_code`, `invitation`, `invitation_link` or `notice`',
      attempts: 'how often it was tried',
      problem: 'what went wrong',
      isGivenUp: 'whether it is not tried again',
    },
  },
  backup: {
    level: 'info',
    meaning: 'An automatic backup was created and verified',
    fields: {
      file: 'its path',
      bytes: 'its size',
      removed: 'the paths of old backups that were removed',
      object: 'the name of the uploaded backup in the bucket; absent without offsite backups',
      removedObjects: 'the names of old backups that were removed from the bucket',
      durationMs: 'milliseconds that it took',
    },
  },
  'backup upload failed': {
    level: 'error',
    meaning: 'An automatic backup was not uploaded, and is on this machine only',
    fields: {
      problem: 'what went wrong, and what to do',
      file: 'the path of the backup',
      durationMs: 'milliseconds that it took',
    },
  },
  'backup failed': {
    level: 'error',
    meaning: 'An automatic backup failed',
    fields: {
      problem: 'what went wrong',
      file: 'the path of the backup, if it was created from an instance with faults',
      durationMs: 'milliseconds that it took',
      err: ERROR,
    },
  },
  listening: {
    level: 'info',
    message: 'Reeve is listening on …',
    meaning: 'Startup is complete. Logged at every level but `silent`',
    fields: {
      url: 'the URL that the server listens on, or `unix:` and the path of its socket',
      publicUrl: 'the URL for browsers and game servers',
      metricsUrl: 'the URL of the address for `/metrics`; absent without `REEVE_METRICS_LISTEN`',
      dataDir: 'the data folder; absent with PostgreSQL',
      database: 'the name and version of the database server; absent with a data folder',
      version: 'the version of Reeve',
      commit: 'the commit that the program was built from; absent when it runs from source',
      applied: 'the migrations that startup applied; absent if there were none',
    },
  },
  setup: {
    level: 'info',
    message: 'No account exists yet. …',
    meaning: 'The instance is new. Logged at every level but `silent`',
    fields: {
      firstRunCode: 'the code that the setup page asks for; it has no effect once an account exists',
    },
  },
  warning: {
    level: 'warn',
    message: 'a sentence',
    meaning:
      'A setting is valid but probably unintended, a part of the environment cannot be used, the clock may be ahead, or requests show a mistake in the deployment',
    fields: {},
  },
  'connection limit': {
    level: 'warn',
    message: 'The database server refuses more connections, …',
    meaning: 'PostgreSQL has reached a connection limit. Requests wait for the connections that are open',
    fields: { openConnections: 'how many connections this process has' },
  },
  disk: {
    level: 'fatal',
    message: 'The disk did not confirm a write, …',
    meaning: 'The server stops, because the state of the data on disk is unknown',
    fields: { err: ERROR },
  },
  stopping: {
    level: 'info',
    meaning: 'Shutdown begins: requests in progress are finished',
    fields: { signal: 'the signal that was received, such as `SIGTERM`' },
  },
  stopped: { level: 'info', meaning: 'Shutdown is complete', fields: {} },
})

export type LogLineName = keyof typeof logLines

/** The fields that a line can have. */
export type LogFields<Name extends LogLineName> = {
  readonly [Field in keyof (typeof logLines)[Name]['fields']]?: unknown
}
