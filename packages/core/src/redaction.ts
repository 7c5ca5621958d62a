/** What a redacted record keeps in place of its texts, by column. */
export const blankTexts = { reason: null, evidence: '[]', comments: '[]', revoke_reason: null } as const
