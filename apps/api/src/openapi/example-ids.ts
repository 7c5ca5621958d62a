/** The IDs used in examples: placeholders for the caller's own. */
export const exampleIds = {
  workspace: '0198c0de-0000-7000-8000-000000000001',
  archivedWorkspace: '0198c0de-0000-7000-8000-000000000002',
  archive: '0198c0de-0000-7000-8000-000000000003',
  role: '0198c0de-0000-7000-8000-000000000004',
  department: '0198c0de-0000-7000-8000-000000000005',
  deletedDepartment: '0198c0de-0000-7000-8000-000000000006',
  event: '0198c0de-0000-7000-8000-000000000007',
  ban: '0198c0de-0000-7000-8000-000000000008',
  archiveOfArchived: '0198c0de-0000-7000-8000-000000000009',
  epoch: '5b0c3f9a17de-0',
  webhook: '0198c0de-0000-7000-8000-000000000010',
  delivery: '0198c0de-0000-7000-8000-000000000011',
  appealCode: '7K3M9-Q9TX2',
  /** Of a ban with an open appeal. */
  openAppealCode: '4ZJ2N-8RWC7',
  approval: '0198c0de-0000-7000-8000-000000000014',
  template: '0198c0de-0000-7000-8000-000000000012',
  ladder: '0198c0de-0000-7000-8000-000000000013',
  link: '0198c0de-0000-7000-8000-000000000021',
} as const

/** The players used in examples: one banned, one muted, and one neither. */
export const examplePlayers = { banned: '261', muted: '156', other: '4416' } as const
