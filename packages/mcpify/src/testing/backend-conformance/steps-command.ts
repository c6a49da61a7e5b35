/*
 * The command that the conformance suite runs as a task. Its arguments are steps, done one after the other:
 *
 *   out:TEXT err:TEXT     writes a line to stdout or stderr
 *   raw:HEX               writes bytes to stdout
 *   lines:COUNT           writes so many lines, to stdout and stderr in turn
 *   sleep:MS              waits
 *   exit:CODE             ends by process.exit()
 *   signal:NAME           ends by a signal
 *   throw:TEXT            ends by an exception
 *   stubborn              ignores SIGTERM from here on
 *   cwd stdin cmdline     writes its working directory; how many bytes stdin held; what `ps` shows of it
 *   tree:KIND             starts other processes (`plant-tree.ts`); writes a line `pid NUMBER` for each that lives
 *   argv                  writes all arguments as JSON, and ends
 */
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const steps = process.argv.slice(2);
for (const step of steps) {
  const [, name = '', argument = ''] = /^([a-z]*):?([\s\S]*)$/.exec(step) ?? [];
  if (name === 'argv') {
    write(1, JSON.stringify(steps));
    break;
  }
  await run(name, argument);
}

async function run(name: string, argument: string): Promise<void> {
  switch (name) {
    case 'out':
      return write(1, argument);
    case 'err':
      return write(2, argument);
    case 'raw':
      return void writeSync(1, Buffer.from(argument, 'hex'));
    case 'lines':
      return writeLines(Number(argument));
    case 'sleep':
      return delay(Number(argument));
    case 'exit':
      return process.exit(Number(argument));
    case 'signal':
      process.kill(process.pid, argument);
      return delay(60_000);
    case 'throw':
      throw new Error(argument);
    case 'stubborn':
      return void process.on('SIGTERM', () => {});
    case 'cwd':
      return write(1, process.cwd());
    case 'stdin':
      return write(1, String(readFileSync(0).length));
    case 'cmdline':
      return write(1, readFileSync('/proc/self/cmdline', 'utf8').replaceAll('\0', ' '));
    case 'tree':
      return (await import('./plant-tree.js')).plantTree(argument);
    default:
      throw new Error(`No such step: ${name}`);
  }
}

function write(fd: 1 | 2, text: string): void {
  writeSync(fd, `${text}\n`);
}

function writeLines(count: number): void {
  for (let line = 0; line < count; line += 1) {
    if (line % 2 === 0) process.stdout.write(`line ${line}\n`);
    else process.stderr.write(`line ${line}\n`);
  }
}
