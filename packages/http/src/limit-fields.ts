import { MAX_BANS_PER_HOUR, NO_LIMITS, type RoleLimits, severities, wire } from '@reeve/core'
import { inputField, nullableInput, nullableString, stringField } from './field.ts'

/** The limits of roles, API keys and people as requests and responses have them. */

const seconds = wire.integer({ min: 60, max: wire.MAX_DURATION_SECONDS, example: '604800' })
const severity = wire.oneOf(severities)

const descriptions = {
  longestBanSeconds: 'The longest ban in seconds; null for no limit',
  longestMuteSeconds: 'The longest mute in seconds; null for no limit',
  highestSeverity: 'The highest severity of records that they create or edit; null for any',
  bansPerHour: 'Bans that one person imposes within an hour; null for any number',
  evidenceFromSeverity: 'Records of this severity or a higher one need evidence; null if none do',
  permanentBansNeedApproval:
    'Whether permanent bans, and those longer than a year, take effect for a limited time until another person approves them',
} as const satisfies Record<keyof RoleLimits, string>

/** The fields of a request that sets limits. */
export const limitInputs = {
  longestBanSeconds: nullableInput(seconds, descriptions.longestBanSeconds),
  longestMuteSeconds: nullableInput(seconds, descriptions.longestMuteSeconds),
  highestSeverity: nullableInput(severity, descriptions.highestSeverity),
  bansPerHour: nullableInput(
    wire.integer({ min: 1, max: MAX_BANS_PER_HOUR, example: '20' }),
    descriptions.bansPerHour,
  ),
  evidenceFromSeverity: nullableInput(severity, descriptions.evidenceFromSeverity),
  permanentBansNeedApproval: inputField(wire.boolean, descriptions.permanentBansNeedApproval),
}

/** The fields of a response that has limits. */
export const limitFields = {
  longestBanSeconds: nullableString(descriptions.longestBanSeconds, seconds.example),
  longestMuteSeconds: nullableString(descriptions.longestMuteSeconds, seconds.example),
  highestSeverity: nullableString(descriptions.highestSeverity, 'high'),
  bansPerHour: nullableString(descriptions.bansPerHour, '20'),
  evidenceFromSeverity: nullableString(descriptions.evidenceFromSeverity, 'high'),
  permanentBansNeedApproval: stringField(descriptions.permanentBansNeedApproval, 'true'),
}

const writeNullable = (value: number | null): string | null => (value === null ? null : String(value))

export const presentLimits = (limits: RoleLimits) => ({
  longestBanSeconds: writeNullable(limits.longestBanSeconds),
  longestMuteSeconds: writeNullable(limits.longestMuteSeconds),
  highestSeverity: limits.highestSeverity,
  bansPerHour: writeNullable(limits.bansPerHour),
  evidenceFromSeverity: limits.evidenceFromSeverity,
  permanentBansNeedApproval: wire.boolean.write(limits.permanentBansNeedApproval),
})

type LimitInput = { readonly [Name in keyof RoleLimits]?: RoleLimits[Name] | undefined }

/** The limits after a change. A field that is absent stays. */
export const applyLimitInput = (before: RoleLimits, input: LimitInput): RoleLimits => {
  const after = { ...before, ...Object.fromEntries(listGiven(input)) }
  return listGiven(after).every(([name, value]) => value === NO_LIMITS[name]) ? NO_LIMITS : after
}

const listGiven = (input: LimitInput): [keyof RoleLimits, unknown][] =>
  (Object.keys(NO_LIMITS) as (keyof RoleLimits)[]).flatMap((name) =>
    input[name] === undefined ? [] : [[name, input[name]]],
  )
