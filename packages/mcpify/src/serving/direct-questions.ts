import type { Answer } from '@mcpify/markers';

import type { Question } from '../execution/invocation.js';
import type { RpcMessage, RpcResponse } from './json-rpc.js';

/** Questions to the client of a connection that was opened by a handshake, without the SDK. */
export class DirectQuestions {
  private readonly open = new Map<string, OpenQuestion>();
  private asked = 0;

  constructor(private readonly send: (message: RpcMessage) => void) {}

  ask({ message, schema }: Question, signal: AbortSignal): Promise<Answer> {
    this.asked += 1;
    // The SDK counts its own requests in numbers.
    const id = `question ${this.asked}`;
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.open.delete(id);
        signal.removeEventListener('abort', withdraw);
      };
      const withdraw = () => {
        settle();
        this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(new Error('The call has ended: nobody answers any more.'));
      };
      if (signal.aborted) {
        reject(new Error('The call has ended: nobody can be asked any more.'));
        return;
      }
      signal.addEventListener('abort', withdraw, { once: true });
      this.open.set(id, { settle, resolve, reject });
      const params = { message, requestedSchema: schema };
      this.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
    });
  }

  /** @returns whether it answers one of these questions */
  takeAnswer({ id, result, error }: RpcResponse): boolean {
    const question = typeof id === 'string' ? this.open.get(id) : undefined;
    if (!question) return false;
    question.settle();
    const action = result?.['action'];
    if (action === 'accept' || action === 'decline' || action === 'cancel') {
      question.resolve({ action, content: result?.['content'] } as Answer);
    } else {
      question.reject(new Error(`The client did not answer: ${error?.message ?? 'no action was given'}`));
    }
    return true;
  }
}

interface OpenQuestion {
  settle(): void;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}
