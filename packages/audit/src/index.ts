export * from './append.ts'
export * from './read.ts'
export * from './sequence.ts'
export * from './verify.ts'
