/** Roles to start from, in the order in which they are offered. */
export const rolePresetIds = ['moderator', 'senior-moderator', 'event-host', 'administrator'] as const
export type RolePresetId = (typeof rolePresetIds)[number]

export const rolePresetNames: Readonly<Record<RolePresetId, string>> = {
  moderator: 'Moderator',
  'senior-moderator': 'Senior moderator',
  'event-host': 'Event host',
  administrator: 'Administrator',
}
