// The locale module reads the browser's languages on import: import this file first.
Object.defineProperty(navigator, 'languages', { value: ['en-GB'], configurable: true })
