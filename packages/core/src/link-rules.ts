/** How sure staff are that two players are the same person, from unsure to sure. */
export const linkConfidences = ['low', 'medium', 'high'] as const
export type LinkConfidence = (typeof linkConfidences)[number]
