/** Whether the caller says that it has what this tag stands for already. */
export const matchesIfNoneMatch = (request: Request, etag: string): boolean =>
  (request.headers.get('if-none-match') ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag)
