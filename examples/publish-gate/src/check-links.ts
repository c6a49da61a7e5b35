import { askLink, NoNetworkError, type Answer, type AskOptions } from './ask-link.js';
import type { Finding } from './finding.js';
import { findLinks } from './links.js';
import { withoutCodeBlocks, withoutInlineCode } from './markdown.js';

export interface CheckLinksOptions extends AskOptions {
  /** How many links are asked at the same time. @default 8 */
  readonly concurrency?: number;
  /** Called behind each link, in the order of the answers. */
  readonly onChecked?: (done: number, total: number, url: string) => void;
}

/**
 * Reports each link of the draft that does not answer with a status of 200 to 299, redirects followed.
 *
 * A link is asked once, however often it stands in the draft. The part behind `#` is not looked at, nor are links in
 * code. That a link answers does not mean that its page says what the draft claims.
 *
 * @throws NoNetworkError where this machine seems to have no network: then nothing is known about the links
 */
export async function checkLinks(
  draft: string,
  options: CheckLinksOptions = {},
): Promise<readonly Finding[]> {
  const linesOfUrl = collectLines(draft);
  const answers = await askAll([...linesOfUrl.keys()], options);
  checkNetwork(answers);
  return [...linesOfUrl].flatMap(([url, lines]) => {
    const answer = answers.get(url);
    return answer === undefined || answer.kind === 'good'
      ? []
      : [{ lines: [...lines], text: `${url} ${answer.problem}` }];
  });
}

function collectLines(draft: string): ReadonlyMap<string, ReadonlySet<number>> {
  const linesOfUrl = new Map<string, Set<number>>();
  for (const { url, line } of findLinks(withoutInlineCode(withoutCodeBlocks(draft)))) {
    const target = url.replaceAll('&amp;', '&').replace(/#.*$/, '');
    linesOfUrl.set(target, (linesOfUrl.get(target) ?? new Set()).add(line));
  }
  return linesOfUrl;
}

async function askAll(
  urls: readonly string[],
  { concurrency = 8, onChecked, signal, ...options }: CheckLinksOptions,
): Promise<ReadonlyMap<string, Answer>> {
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const answers = new Map<string, Answer>();
  const waiting = urls.values();
  const work = async () => {
    // One iterator, shared: each worker takes the next link that no other has taken.
    for (const url of waiting) {
      answers.set(url, await askLink(url, { ...options, signal: either }));
      onChecked?.(answers.size, urls.length, url);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    // Where one failed, the others have no more use.
    stop.abort();
  }
  return answers;
}

/** A name that does not exist and a machine without network look alike, until another link answers. */
function checkNetwork(answers: ReadonlyMap<string, Answer>): void {
  const all = [...answers];
  const unknown = all.find(([, { kind }]) => kind === 'nameNotFound');
  const isOnline = all.some(([, { kind }]) => kind === 'good' || kind === 'refused');
  if (unknown && !isOnline) {
    throw new NoNetworkError(
      `no link could be checked: ${unknown[0]} ${unknown[1].problem}, nor does any other`,
    );
  }
}
