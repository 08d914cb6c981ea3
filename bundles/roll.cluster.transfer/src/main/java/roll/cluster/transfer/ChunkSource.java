package roll.cluster.transfer;

import java.util.BitSet;

/** Somebody who is asked for chunks. All but who it is is guarded by its {@link ChunkPool}. */
final class ChunkSource {
  final TransferPeer peer;

  /** Whether it is who published the version. */
  final boolean origin;

  /** What it has, as far as it has said. */
  final BitSet has = new BitSet();

  /** Connections that broke since it last gave something. */
  int failures;

  /** When it last gave something, or was first to be asked. */
  long heard;

  /** Whether it has said what it has. */
  boolean answered;

  /** Whether it is asked for nothing more. */
  boolean lost;

  /** Checked bytes that it gave. */
  long bytes;

  ChunkSource(TransferPeer peer, boolean origin, long now) {
    this.peer = peer;
    this.origin = origin;
    this.heard = now;
  }

  TransferPeer peer() {
    return peer;
  }

  boolean origin() {
    return origin;
  }

  /** It says which of {@code chunks} it has; bits behind them mean nothing. */
  void answer(byte[] bits, int chunks) {
    answered = true;
    has.clear();
    has.or(BitSet.valueOf(bits));
    has.clear(chunks, Math.max(chunks, has.length()));
  }
}
