import { expect, test } from 'bun:test'
import { openBrowser, openTab, settlePages } from './browser.ts'
import { WAIT_MS } from './page-actions.ts'

/** The ways in which a page loads `/data`, as programs that return the text. */
const WAYS = {
  fetch: `(await fetch('/data')).text()`,
  XMLHttpRequest: `new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/data')
    request.onload = () => resolve(request.responseText)
    request.send()
  })`,
  import: `import('/data').then(({ text }) => text)`,
}

test.each(Object.entries(WAYS))(
  'a page is not settled while it loads with %s, and is once it shows the result',
  async (name, load) => {
    const isSent = Promise.withResolvers<void>()
    const body = Promise.withResolvers<string>()
    const html = `<p>Waiting</p><script type="module">
      document.querySelector('p').textContent = await ${load}
    </script>`
    const [start, end] =
      name === 'import' ? ["export const text = 'Received", " completely'"] : ['Received', ' completely']
    const type = name === 'import' ? 'text/javascript' : 'text/plain'
    const server = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        url.endsWith('/data')
          ? new Response(
              new ReadableStream({
                async start(controller) {
                  controller.enqueue(start)
                  isSent.resolve()
                  controller.enqueue(await body.promise)
                  controller.close()
                },
              }),
              { headers: { 'content-type': type } },
            )
          : new Response(html, { headers: { 'content-type': 'text/html' } }),
    })
    const browser = await openBrowser()
    try {
      const { page } = await openTab(browser, 'about:blank')
      // Requests delay the load event.
      await page.goto(server.url.href, { waitUntil: 'commit' })
      await isSent.promise
      let isSettled = false
      const settled = settlePages(WAIT_MS).then(() => {
        isSettled = true
      })
      // Many more frames than an idle page needs to be settled.
      await page.evaluate(
        'new Promise((resolve) => { const next = (count) => count === 0 ? resolve() : requestAnimationFrame(() => next(count - 1)); next(30) })',
      )
      expect(isSettled).toBe(false)
      body.resolve(end)
      await settled
      expect(await page.locator('p').textContent()).toBe('Received completely')
    } finally {
      await browser.close()
      await server.stop(true)
    }
  },
)
