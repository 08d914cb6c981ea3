package roll.cluster.training;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.torch.parallel.shard.RankShares;
import roll.torch.training.TrainState.Kind;

/**
 * Some numbers of a parameter, of which those move that the ranks of one node have, one behind the
 * other, f32 in the native byte order, which all machines that libtorch runs on have in common.
 *
 * @param kind of number
 * @param parameter which of the whole model
 * @param first of its numbers
 * @param count how many
 */
record StateRun(Kind kind, int parameter, long first, long count) {
  /** Most numbers that are asked for at once: 4 MiB. */
  static final long MOST = 1 << 20;

  static void write(ByteWriter out, StateRun run) {
    out.constant(run.kind).int32(run.parameter).int64(run.first).int64(run.count);
  }

  /** At most {@link #MOST} numbers. */
  static StateRun read(ByteReader in) {
    StateRun run = new StateRun(in.constant(Kind.values()), in.int32(), in.int64(), in.int64());
    if (run.first < 0 || run.count < 0 || run.count > MOST || run.parameter < 0) {
      throw new IllegalArgumentException("a run of " + run.count + " numbers from " + run.first);
    }
    return run;
  }

  /** How many of the numbers are there. */
  long there(RankShares shares) {
    long[] sum = {0};
    shares.forEach(
        parameter, first, count, (rank, segment, share, from, length) -> sum[0] += length);
    return sum[0];
  }

  /** Those of {@code all} the numbers that are there. */
  byte[] pack(RankShares shares, MemorySegment all) {
    byte[] packed = new byte[Math.toIntExact(there(shares) * Float.BYTES)];
    int[] at = {0};
    shares.forEach(
        parameter,
        first,
        count,
        (rank, segment, share, from, length) -> {
          int bytes = Math.toIntExact(length * Float.BYTES);
          MemorySegment.copy(all, ValueLayout.JAVA_BYTE, from * Float.BYTES, packed, at[0], bytes);
          at[0] += bytes;
        });
    return packed;
  }

  /** Puts {@code packed} where they belong in {@code all}. */
  void unpack(RankShares shares, byte[] packed, MemorySegment all) {
    if (packed.length != there(shares) * Float.BYTES) {
      throw new IllegalArgumentException("numbers of " + packed.length + " bytes for " + this);
    }
    int[] at = {0};
    shares.forEach(
        parameter,
        first,
        count,
        (rank, segment, share, from, length) -> {
          int bytes = Math.toIntExact(length * Float.BYTES);
          MemorySegment.copy(packed, at[0], all, ValueLayout.JAVA_BYTE, from * Float.BYTES, bytes);
          at[0] += bytes;
        });
  }
}
