/** More than this waiting to be read by the client: what may be dropped, is (B5.3). */
const CONGESTED_BYTES = 4 * 1024 * 1024;

/** A request as Node's server hands it on (srvx). */
interface Served {
  readonly runtime?: { readonly node?: { readonly res?: NodeResponse } };
}

interface NodeResponse {
  readonly writableNeedDrain: boolean;
  readonly socket: { readonly bytesWritten: number; readonly writableLength: number } | null;
}

/**
 * How much of what was sent on the stream of a request its client has not read. Most of it lies in queues of the SDK and
 * of Node that cannot be asked: it is what was sent, less what has left the socket.
 */
export class Backlog {
  private sentBytes = 0;
  private leftBefore = 0;

  /** @param request undefined where there is no stream of HTTP: then there is never a backlog here */
  constructor(private readonly request: Request | undefined) {}

  /** @returns whether the message may be sent; false where the client does not read */
  takes(params: Readonly<Record<string, unknown>>): boolean {
    const response = (this.request as Served | undefined)?.runtime?.node?.res;
    if (!response?.socket) return true;
    const { bytesWritten, writableLength } = response.socket;
    const left = bytesWritten - writableLength;
    if (!response.writableNeedDrain) {
      this.sentBytes = 0;
      this.leftBefore = left;
      return true;
    }
    if (this.sentBytes - (left - this.leftBefore) > CONGESTED_BYTES) return false;
    this.sentBytes += Buffer.byteLength(JSON.stringify(params));
    return true;
  }
}
