import { program } from './task-program.mjs';

await program.parseAsync();
