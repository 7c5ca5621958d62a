/**
 * Loaded before the tests by `bun run verify`: the allocator of this process has read how it returns memory, and the programs that tests
 * start, some of whose memory is measured, return theirs as they do for users.
 */
delete process.env.MIMALLOC_PURGE_DELAY
