import childProcess from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import fs, { createWriteStream, writeSync as importedWriteSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { pino } from 'pino';

/* All of this is taken while the program is loaded, as real programs do. */
const { log } = console;
const write = process.stdout.write.bind(process.stdout);
const { stdout } = process;
const ownConsole = new Console(process.stdout, process.stderr);
const logger = pino({ base: null, timestamp: false });
const syncLogger = pino({ base: null, timestamp: false }, pino.destination({ fd: 1, sync: true }));
const asyncLogger = pino({ base: null, timestamp: false }, pino.destination({ fd: 1, sync: false }));

/** Each prints exactly the given text to stdout. */
export const WAYS: Readonly<Record<string, (text: string) => unknown>> = {
  'console.log': (text) => console.log(text),
  'console.log taken earlier': (text) => log(text),
  'console.log of several': (text) => console.log('%s', text),
  'console.info': (text) => console.info(text),
  'console.debug': (text) => console.debug(text),
  'console.dir': (text) => console.dir({ text }),
  'console.group': (text) => {
    console.group(text);
    console.log(text);
    console.groupEnd();
  },
  'console.table': (text) => console.table([{ text }]),
  'console.count': (text) => console.count(text),
  'new Console': (text) => ownConsole.log(text),
  'console.log in a timer': async (text) => {
    await sleep(1);
    console.log(text);
  },
  'console.log in a microtask': (text) =>
    Promise.resolve().then(() => queueMicrotask(() => console.log(text))),
  'process.stdout.write': (text) => process.stdout.write(text),
  'write taken earlier': (text) => write(text),
  'write of bytes': (text) => stdout.write(Buffer.from(text)),
  'write in another encoding': (text) => stdout.write(Buffer.from(text).toString('base64'), 'base64'),
  'write with a callback': (text) => new Promise<void>((resolve) => stdout.write(text, () => resolve())),
  'write behind a cork': (text) => {
    stdout.cork();
    stdout.write(text);
    stdout.write(text);
    stdout.uncork();
  },
  'end with a text': (text) => new Promise<void>((resolve) => stdout.end(text, resolve)),
  pipe: async (text) => {
    const source = Readable.from([text, text]);
    source.pipe(stdout);
    await once(source, 'end');
  },
  'pipeline into stdout': (text) => pipeline(Readable.from([text]), stdout),
  'pipeline with a transform': (text) =>
    pipeline(
      Readable.from([text]),
      new Transform({ transform: (chunk, _encoding, callback) => callback(null, chunk) }),
      stdout,
      { end: false },
    ),
  'fs.writeSync': (text) => fs.writeSync(1, text),
  'fs.writeSync imported by name': (text) => importedWriteSync(1, text),
  'fs.writeSync of a part': (text) => fs.writeSync(1, Buffer.from(`--${text}--`), 2, Buffer.byteLength(text)),
  'fs.writevSync': (text) => fs.writevSync(1, [Buffer.from(text), Buffer.from(text)]),
  'fs.write': (text) => promisify(fs.write)(1, text),
  'fs.write of bytes': (text) => promisify(fs.write)(1, Buffer.from(text)),
  'fs.writev': (text) => promisify(fs.writev)(1, [Buffer.from(text)]),
  'fs.writeFileSync(1)': (text) => fs.writeFileSync(1, text),
  'fs.appendFileSync(/dev/stdout)': (text) => fs.appendFileSync('/dev/stdout', text),
  'fs.writeFile(1)': (text) => promisify(fs.writeFile)(1, text),
  'fs.promises.writeFile(/dev/stdout)': (text) => fs.promises.writeFile('/dev/stdout', text),
  'a write stream on 1': (text) =>
    new Promise<void>((resolve) => createWriteStream('', { fd: 1 }).end(text, () => resolve())),
  'a write stream on /dev/stdout': (text) =>
    new Promise<void>((resolve) => createWriteStream('/dev/stdout').end(text, () => resolve())),
  pino: (text) => logger.info(text),
  'pino, synchronous': (text) => syncLogger.info(text),
  'spawn with inherit': async (text) => {
    const child = childProcess.spawn('printf', ['%s', text], { stdio: 'inherit' });
    await once(child, 'exit');
  },
  'spawn into process.stdout': async (text) => {
    const child = childProcess.spawn('printf', ['%s', text], {
      stdio: ['ignore', process.stdout, 2],
    });
    await once(child, 'close');
  },
  'spawn into 1': async (text) => {
    const child = childProcess.spawn('printf', ['%s', text], { stdio: [0, 1, 2] });
    await once(child, 'close');
  },
  'spawnSync with inherit': (text) => childProcess.spawnSync('printf', ['%s', text], { stdio: 'inherit' }),
  'execSync with inherit': (text) => childProcess.execSync(`printf %s '${text}'`, { stdio: 'inherit' }),
  'execFileSync with inherit': (text) =>
    childProcess.execFileSync('printf', ['%s', text], { stdio: 'inherit' }),
};

/** Whose texts may come late, or from the context of another call. */
export const BUFFERED: Readonly<Record<string, (text: string) => unknown>> = {
  'pino, asynchronous': (text) => asyncLogger.info(text),
};

/** What each way prints of a text, where it is not the text itself. */
export const PRINTED: Readonly<Record<string, (text: string) => string>> = {
  'console.dir': (text) => `{ text: '${text}' }\n`,
  'console.group': (text) => `${text}\n  ${text}\n`,
  'console.count': (text) => `${text}: 1\n`,
  'write behind a cork': (text) => text + text,
  pipe: (text) => text + text,
  'fs.writevSync': (text) => text + text,
  ...Object.fromEntries(
    ['pino', 'pino, synchronous', 'pino, asynchronous'].map((name) => [
      name,
      (text: string) => `{"level":30,"msg":"${text}"}\n`,
    ]),
  ),
  ...Object.fromEntries(
    [
      'console.log',
      'console.log taken earlier',
      'console.log of several',
      'console.info',
      'console.debug',
      'new Console',
      'console.log in a timer',
      'console.log in a microtask',
    ].map((name) => [name, (text: string) => `${text}\n`]),
  ),
};
