/** What a redacted record keeps in place of its texts, by column. */
export const redactedTexts = { reason: null, evidence: '[]', comments: '[]', revoke_reason: null } as const
