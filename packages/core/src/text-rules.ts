/** A name as it is compared for uniqueness: without regard to case. */
export const normalizeName = (name: string): string => name.normalize('NFKC').toLowerCase()
