/** For fields whose text is no prose: nothing is corrected, capitalised or underlined. */
export const plainTextProps = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
