package roll.cluster.training;

import org.jspecify.annotations.Nullable;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.parallel.world.ScoredCells;

/** Columns of numbers, one for each token, as bytes. */
final class ColumnCodec {
  private ColumnCodec() {}

  static void write(ByteWriter out, double @Nullable [][] columns) {
    out.bool(columns != null);
    if (columns != null) {
      out.int32(columns.length);
      for (double[] column : columns) {
        out.doubles(column);
      }
    }
  }

  /** No columns where none were written. */
  static double[][] columns(ByteReader in) {
    if (!in.bool()) {
      return new double[0][];
    }
    return in.list(ByteReader::doubles).toArray(double[][]::new);
  }

  static void write(ByteWriter out, ScoredCells scored) {
    out.ints(scored.cells()).int32(scored.columns().length);
    for (float[] column : scored.columns()) {
      int[] bits = new int[column.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Float.floatToRawIntBits(column[i]);
      }
      out.ints(bits);
    }
  }

  static ScoredCells scored(ByteReader in) {
    return new ScoredCells(in.ints(), in.list(ColumnCodec::floats).toArray(float[][]::new));
  }

  private static float[] floats(ByteReader in) {
    int[] bits = in.ints();
    float[] column = new float[bits.length];
    for (int i = 0; i < bits.length; i++) {
      column[i] = Float.intBitsToFloat(bits[i]);
    }
    return column;
  }
}
