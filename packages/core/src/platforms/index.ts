export { addDashes, knownPlatforms, normalizeUuid } from './id-rules.ts'
export * from './platforms.ts'
export * from './player-id.ts'
export * from './profile-links.ts'
