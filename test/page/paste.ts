import type {Page} from 'playwright-core';

/** Pastes a text into the payload's field, and waits until it was read. */
export function paste(page: Page, text: string): Promise<void> {
  return page.evaluate(async (given) => {
    const drawn = () => new Promise(requestAnimationFrame);
    const field = document.querySelector<HTMLTextAreaElement>('.payload textarea');
    field?.focus();
    field?.select();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', given);
    const event = {clipboardData, bubbles: true, cancelable: true};
    field?.dispatchEvent(new ClipboardEvent('paste', event));
    do await drawn();
    while (!document.querySelector('main[aria-busy="false"]'));
  }, text);
}

/** Drops a file on the page. */
export function drop(page: Page, name: string, bytes: Uint8Array, type = ''): Promise<unknown> {
  return page.evaluate(
    ([called, content, kind]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(content)], called, {type: kind}));
      return dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
    },
    [name, [...bytes], type] as const,
  );
}
