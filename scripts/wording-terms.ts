/** A term that the project has replaced. */
export interface RetiredTerm {
  readonly term: RegExp
  /** What to write instead. */
  readonly use: string
  /** The files it is retired in; all of them by default. */
  readonly within?: RegExp
}

const name = (words: string, use: string, within?: RegExp): RetiredTerm => ({
  term: new RegExp(`(?<![\\w$-])(?:${words})(?![\\w$-])`),
  use,
  ...(within && { within }),
})

/** A generic word that is retired as the name of a declaration, but fine elsewhere. */
const declaration = (words: string, use: string, within: RegExp): RetiredTerm => ({
  term: new RegExp(`\\b(?:function|const|class|interface|type) (?:${words})\\b`),
  use,
  within,
})

const source = (path: string) => new RegExp(`^(?:packages|apps)/${path}`)

/** Identifiers. */
export const retiredNames: readonly RetiredTerm[] = [
  name('need[A-Z]\\w*', 'assertX (throws) or requireX (returns the value or throws)'),
  name('shown[A-Z]\\w*', 'presentX'),
  name('lookAt[A-Z]\\w*', 'checkX'),
  name('told|told[A-Z]\\w*', 'recordChange, notifyX'),
  name('tell[A-Z]\\w*', 'notifyX'),
  name('toTheRescue', 'withdrawRule'),
  name('keepHouse|takeOn', 'runCleanup, the scheduler in apps/api/src/jobs'),
  name('errorTable', 'errorCodes'),
  name('lacking', 'missingPermission'),
  name('copiesAnArchive', 'COPY_ARCHIVE_PERMISSIONS'),
  name('takesAnArchive', 'DOWNLOAD_ARCHIVE_PERMISSIONS'),
  name('RecentMap', 'an LRU cache (a library)'),
  name('foldName|foldBeside', 'normalizeName, createCheckpointWorker'),
  name('writeFails', 'writeErrorResponses'),
  name(
    'committer|isKept|forgetOldAnswers|orConflict',
    'createCommit, isReplayable, deleteOldResponses, uniqueViolationToConflict',
  ),
  name('isHeld', 'matchesIfNoneMatch, isGranted'),
  name('throwLater', 'reportUncaught'),
  name('unitQueue|Spoilt', 'createWriteQueue, TransactionAborted'),
  name('onTold|onGap', 'onBroadcast, onMissedChanges'),
  name('commutes', 'isCommutative'),
  name('turnsByKey', 'createKeyedMutex'),
  name(
    'isTrouble|mayGoBetter|isScarcity|wasLost',
    'isServerError, isRetryable, isResourceExhausted, wasDisconnected',
  ),
  name('workOn|lookupsOn', 'createTransaction, createPipelinedReads'),
  name('takeAttempt|forgive|Guess', 'recordFailedAttempt, clearFailedAttempts, LoginAttempt'),
  name(
    'standingOf|asAccount|accountNamed|isPassword',
    'membershipPermissions, actorForAccount, findAccountByUsername, verifyPassword',
  ),
  name('withoutReplay', 'rejectIdempotencyKey'),
  name('Untold|takenElsewhere|countIn', 'PendingUsage, applyRemoteUsage, countInTransaction'),
  name(
    'Restraint|Deed|asksForOne|moderationDesk',
    'Sanction, AuditContext, isSingleRead, moderationPortalRoutes',
  ),
  name('Apart', 'ExcludedFromArchive'),
  name('useUp|Gift|giftOf', 'consumeInvitation, InvitationGrant, grantFor'),
  name('setStaff|putMember', 'replaceDepartmentMembers, insertDepartmentMember'),
  name('inTurn|turns', 'createTickBatcher'),
  name(
    'CommandDoor|MetricsDoor|handOver|toldToStop',
    'ControlSocket, delegateCommand, waitForShutdownSignal',
  ),
  name('faceAtFirst|takeFace', 'readInitialAuthState, consumeInitialAuthState'),
  name('breathe|nextTurn', 'yieldToEventLoop'),
  declaration(
    'shown|shownOrNull|clearable|answer|field|fails',
    'stringField, nullableString, responseObject, inputField, errorResponses',
    source('http/src/'),
  ),
  declaration('once|settled', 'runOnce, markCommitted', source('http/src/')),
  declaration(
    'needed|need|sentence',
    'requireFields, requirePermission, defaultMessage',
    source('core/src/'),
  ),
  declaration('Memory', 'ReadThroughCache', source('core/src/')),
  declaration(
    'among|through|literal|attempt|room|hear|carry|mark|far|arrive',
    'inList, withIndexHint, sqlLiteral, diskUsage, listen, copyTable, upsertMarker, onProgress, activate',
    source('db/src/'),
  ),
  declaration(
    'identify|admit|anyone|operators|Place',
    'authenticate, authorizeRequest, publicRoute, operatorRoute, ThrottleKey',
    source('auth/src/'),
  ),
  declaration(
    'named|given|says|force',
    'playerNameColumns, –, isTruthyFlag, sanction',
    source('moderation/src/'),
  ),
  declaration(
    'here|onInstance|present',
    'localCommand, instanceCommand, switchOption',
    source('api/src/command(?:s|-line)/'),
  ),
]

/** Names of files and folders. */
export const retiredFiles: readonly RetiredTerm[] = [
  {
    term: /^packages\/core\/src\/(memory|recent-map|name)\.ts$/,
    use: 'read-through-cache, a library, text-rules',
  },
  { term: /^packages\/http\/src\/(fails|commit)\.ts$/, use: 'error-responses, idempotent-write' },
  {
    term: /^packages\/db\/src\/(fold|room|throw-later|durable|leftovers|units)\.ts$/,
    use: 'standard terms, in sqlite/',
  },
  {
    term: /^packages\/db\/src\/postgres\/(turns|hearing|trouble|work|lookups)\.ts$/,
    use: 'keyed-mutex, listener, errors, transaction, pipelined-reads',
  },
  {
    term: /^packages\/db\/src\/move\/(end|carry|mark|folder|server)\.ts$/,
    use: 'endpoint, copy-table, moved-marker',
  },
  {
    term: /^packages\/auth\/src\/[^/]*(key-life|keys|api-key|portal-rules|own-password|sign-in)\.ts$/,
    use: 'api-keys/, gate/, methods/',
  },
  { term: /^packages\/metering\/src\/rate-exchange\.ts$/, use: 'rate-limit-sync' },
  {
    term: /^packages\/moderation\/src\/(force|rows|request|unchanged)\.ts$/,
    use: 'records/{sanction,record-store,parse-request,ban-list-etag}',
  },
  {
    term: /^packages\/workspaces\/src\/(seal|unseal|put|pack|held|all)\.ts$/,
    use: 'archive/{writer,reader,restore,format,counts}',
  },
  { term: /^packages\/members\/src\/(waiting|invitation)\.ts$/, use: 'invitations/' },
  { term: /^packages\/departments\/src\/staff/, use: 'members' },
  {
    term: /^apps\/api\/src\/(turn|words|housekeeping|command-socket|fields)\.ts$/,
    use: 'request-batching, format, jobs/cleanup, control-socket',
  },
  {
    term: /^apps\/portal\/src\/components\/(tell|front|not-for-you|states|message)\.tsx$/,
    use: 'toast, auth-layout, forbidden, empty-error-loading, full-page-message',
  },
  {
    term: /^apps\/portal\/src\/screens\/.*\/(deeds|words|when|in-words|asks|rights|gift|who|use-arrival|reach|effect|place|cell|stay-or-leave|concerns|lost-answer)\.tsx?$/,
    use: 'the standard term for its content',
  },
  {
    term: /^test\/support\/(place|stay|visit|visits|staff|scene|desk|cast|looks|walk|replay)\.ts$/,
    use: 'server, e2e-session, callers, access-rules, …',
  },
  { term: /^test\/engines\/(twins|dice)\.ts$/, use: 'engine-pair, random-source' },
]

const phrase = (pattern: string, use: string, within?: RegExp): RetiredTerm => ({
  term: new RegExp(pattern, 'i'),
  use,
  ...(within && { within }),
})

/** Sentences, in code and in documentation. */
export const retiredPhrases: readonly RetiredTerm[] = [
  phrase('is it well\\?', 'Monitoring and health checks'),
  phrase('\\bfold(s|ed|ing)? the (log|WAL)|the log is folded', 'checkpoint the WAL'),
  phrase('stops the start\\b', 'aborts startup'),
  phrase('\\b(is|are) said by the\\b', 'is configured in'),
  phrase('unless told otherwise', 'by default'),
  phrase('hears? of changes|can no longer hear', 'receives notifications'),
  phrase('reads everything anew', 'bypasses its caches'),
  phrase('carries everything', 'copies all data'),
  phrase('\\bsummed up\\b', 'checksummed'),
  phrase('only then given its name', 'renamed into place'),
  phrase('\\bmend(s|ed|ing)? the\\b', 'fix the'),
  phrase('\\btold by their\\b', 'detected from'),
  phrase('\\bturn about\\b', 'alternating'),
  phrase('gives? nobody\\b', 'never grants'),
  phrase('\\bis no (ban|mute|key|record|image|member|operator)\\b', 'is not a …'),
  phrase('ended before it had answered', 'exited before replying'),
  phrase('\\blook to the\\b', 'check the'),
  phrase('\\bThe (key|workspace|account|user) .* is made\\b', 'Created …'),
  phrase('\\bwithout end\\b', 'permanent'),
  phrase('\\bnever by itself\\b', 'never'),
  phrase('\\bmake the key\\b', 'create key'),
  phrase('\\btype .* to go on\\b', 'type … to confirm'),
  phrase('not for you to see', "You don't have access"),
  phrase('found run out\\b', 'expired the sanction on'),
  phrase('blank the texts', 'permanently redact'),
  phrase('\\bback into use\\b', 'restore'),
  phrase('\\bthe house is kept|keeps? house\\b', 'cleanup'),
  phrase('\\bwhoever\\b', 'the user, the caller, the member, …'),
  phrase('\\bhang on its\\b', 'depend on'),
  {
    term: /^\s*(?:\/\*\*|\*) The same\b/,
    use: 'a sentence that is understood without the comment above',
    within: /\.tsx?$/,
  },
]
