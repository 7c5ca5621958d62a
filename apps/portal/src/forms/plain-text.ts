/** For fields whose text is no prose: nothing is corrected, capitalised or underlined. */
export const plainText = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
