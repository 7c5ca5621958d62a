import type { Permission } from './permission-catalog.ts'
import { CREATE_PERMISSIONS, type Severity, severities } from './record-rules.ts'

/**
 * What the holders of a role may do at most with the permissions that it grants. Pure: the server enforces the limits, and the
 * portal shows them.
 */
export interface RoleLimits {
  /** In seconds; null for no limit. */
  readonly longestBanSeconds: number | null
  readonly longestMuteSeconds: number | null
  /** Of records that they create or edit; null for any. */
  readonly highestSeverity: Severity | null
  /** Bans that one person imposes within an hour; null for any number. */
  readonly bansPerHour: number | null
  /** Records of this severity or a higher one need evidence; null if none do. */
  readonly evidenceFromSeverity: Severity | null
  /** Whether they can request permanent bans, which another person approves. */
  readonly permanentBansNeedApproval: boolean
}

export const NO_LIMITS: RoleLimits = {
  longestBanSeconds: null,
  longestMuteSeconds: null,
  highestSeverity: null,
  bansPerHour: null,
  evidenceFromSeverity: null,
  permanentBansNeedApproval: false,
}

export const limitNames = /* @__PURE__ */ Object.keys(NO_LIMITS) as readonly (keyof RoleLimits)[]

/**
 * Where permanent bans need approval, a ban longer than a year counts as permanent: otherwise one of a thousand years would
 * be a way around the approval.
 */
const PERMANENT_FROM_SECONDS = 365 * 24 * 60 * 60

/** Bans per hour are counted within this time. */
export const BAN_WINDOW_MS = 60 * 60 * 1000

/** The highest number of bans per hour that a limit can have. */
export const MAX_BANS_PER_HOUR = 1000

/** How many hours a ban that waits for approval is in effect, if the workspace has no setting. */
export const DEFAULT_APPROVAL_HOURS = 24
export const MAX_APPROVAL_HOURS = 168

/** The permissions that limits apply to. */
const limitedPermissions: readonly Permission[] = [...Object.values(CREATE_PERMISSIONS), 'moderation.edit']

/** The limits of an actor by permission. A permission without an entry has no limits. */
export type ActorLimits = ReadonlyMap<Permission, RoleLimits>

export const UNLIMITED: ActorLimits = new Map()

/** The limits that apply to what an actor does with a permission. */
export const getLimits = (actor: { readonly limits: ActorLimits }, permission: Permission): RoleLimits =>
  actor.limits.get(permission) ?? NO_LIMITS

/** The stored form of limits: null for none. */
export const formatLimits = (limits: RoleLimits): string | null =>
  limitNames.every((name) => limits[name] === NO_LIMITS[name]) ? null : JSON.stringify(limits)

/** Limits from their stored form. */
export const parseLimits = (stored: string | null): RoleLimits =>
  stored === null ? NO_LIMITS : { ...NO_LIMITS, ...(JSON.parse(stored) as Partial<RoleLimits>) }

const rankSeverity = (severity: Severity | null): number =>
  severity === null ? severities.length : severities.indexOf(severity)

export const exceedsSeverity = (severity: Severity, highest: Severity | null): boolean =>
  rankSeverity(severity) > rankSeverity(highest)

export const needsEvidence = ({ evidenceFromSeverity: from }: RoleLimits, severity: Severity): boolean =>
  rankSeverity(severity) >= rankSeverity(from)

/** The longest ban without an approval. */
export const getLongestBan = ({ longestBanSeconds, permanentBansNeedApproval }: RoleLimits): number | null =>
  longestBanSeconds ?? (permanentBansNeedApproval ? PERMANENT_FROM_SECONDS : null)

/** Whether a ban of a duration is possible, needs an approval, or neither. @param seconds null is permanent */
export function decideBan(limits: RoleLimits, seconds: number | null): 'allowed' | 'approval' | 'refused' {
  const longest = getLongestBan(limits)
  if (longest === null || (seconds !== null && seconds <= longest)) return 'allowed'
  const countsAsPermanent = seconds === null || seconds > PERMANENT_FROM_SECONDS
  return limits.permanentBansNeedApproval && countsAsPermanent ? 'approval' : 'refused'
}

const least = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))
const most = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.max(a, b))
const lower = (a: Severity | null, b: Severity | null) => (rankSeverity(a) <= rankSeverity(b) ? a : b)
const higher = (a: Severity | null, b: Severity | null) => (rankSeverity(a) >= rankSeverity(b) ? a : b)

/** What is possible within one of two limits at least: a person with two roles may do what either of them allows. */
function widenLimits(a: RoleLimits, b: RoleLimits): RoleLimits {
  const longestBanSeconds = most(getLongestBan(a), getLongestBan(b))
  return {
    longestBanSeconds,
    longestMuteSeconds: most(a.longestMuteSeconds, b.longestMuteSeconds),
    highestSeverity: higher(a.highestSeverity, b.highestSeverity),
    bansPerHour: most(a.bansPerHour, b.bansPerHour),
    evidenceFromSeverity: higher(a.evidenceFromSeverity, b.evidenceFromSeverity),
    permanentBansNeedApproval:
      longestBanSeconds !== null && (a.permanentBansNeedApproval || b.permanentBansNeedApproval),
  }
}

const canBanPermanently = (limits: RoleLimits): boolean => decideBan(limits, null) !== 'refused'

/** What is possible within both of two limits. */
export function tightenLimits(a: RoleLimits, b: RoleLimits): RoleLimits {
  const longestBanSeconds = least(getLongestBan(a), getLongestBan(b))
  return {
    longestBanSeconds,
    longestMuteSeconds: least(a.longestMuteSeconds, b.longestMuteSeconds),
    highestSeverity: lower(a.highestSeverity, b.highestSeverity),
    bansPerHour: least(a.bansPerHour, b.bansPerHour),
    evidenceFromSeverity: lower(a.evidenceFromSeverity, b.evidenceFromSeverity),
    permanentBansNeedApproval: longestBanSeconds !== null && canBanPermanently(a) && canBanPermanently(b),
  }
}

/** The form of limits in which those with the same meaning are equal. */
const normalizeLimits = (limits: RoleLimits): RoleLimits => tightenLimits(limits, limits)

const isSame = (a: RoleLimits, b: RoleLimits): boolean => limitNames.every((name) => a[name] === b[name])

/** Whether limits allow nothing that others do not. */
const areWithin = (limits: RoleLimits, others: RoleLimits): boolean =>
  isSame(tightenLimits(limits, others), normalizeLimits(limits))

/**
 * Combines the roles of a member: for each permission the widest limits among the roles that grant it, because a role without
 * the permission does not say how far it goes.
 */
export function combineLimits(
  roles: readonly { readonly permissions: readonly Permission[]; readonly limits: RoleLimits }[],
): ActorLimits {
  if (roles.every(({ limits }) => limits === NO_LIMITS)) return UNLIMITED
  const combined = new Map<Permission, RoleLimits>()
  for (const permission of limitedPermissions) {
    const granting = roles.filter((role) => role.permissions.includes(permission))
    const [first, ...others] = granting.map(({ limits }) => normalizeLimits(limits))
    if (first) combined.set(permission, others.reduce(widenLimits, first))
  }
  return combined
}

/** The limits of an API key, which apply to all of its permissions. */
export const toKeyLimits = (limits: RoleLimits): ActorLimits =>
  limits === NO_LIMITS ? UNLIMITED : new Map(limitedPermissions.map((permission) => [permission, limits]))

/** The strictest of the limits that apply to some permissions of an actor: those of an API key that they create. */
export const boundLimits = (
  actor: { readonly limits: ActorLimits },
  granted: readonly Permission[],
): RoleLimits =>
  limitedPermissions
    .filter((permission) => granted.includes(permission))
    .map((permission) => selectRelevant(getLimits(actor, permission), permission))
    .reduce(tightenLimits, NO_LIMITS)

/** The limits that matter for a permission: the longest ban for that to ban, for example. */
function selectRelevant(limits: RoleLimits, permission: Permission): RoleLimits {
  const { highestSeverity, evidenceFromSeverity } = limits
  if (permission === CREATE_PERMISSIONS.ban) return { ...limits, longestMuteSeconds: null }
  const texts = { ...NO_LIMITS, highestSeverity, evidenceFromSeverity }
  return permission === CREATE_PERMISSIONS.mute
    ? { ...texts, longestMuteSeconds: limits.longestMuteSeconds }
    : texts
}

/** The permissions that a role would grant more widely than the actor has them. */
export const findUngrantableLimits = (
  actor: { readonly limits: ActorLimits },
  role: { readonly permissions: readonly Permission[]; readonly limits: RoleLimits },
): Permission[] =>
  limitedPermissions.filter(
    (permission) =>
      role.permissions.includes(permission) &&
      !areWithin(
        selectRelevant(role.limits, permission),
        selectRelevant(getLimits(actor, permission), permission),
      ),
  )

/** Whether a change of a role lets its members do more with a permission. */
export const isWidened = (permission: Permission, before: RoleLimits, after: RoleLimits): boolean =>
  !areWithin(selectRelevant(after, permission), selectRelevant(before, permission))
