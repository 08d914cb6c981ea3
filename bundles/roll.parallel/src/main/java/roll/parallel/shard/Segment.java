package roll.parallel.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * Parameters of a rank that are gathered, reduced and released together, concatenated in a flat
 * tensor. Those that tensor parallelism does not shard come first.
 *
 * @param name for messages and files
 * @param parameters in their order
 * @param size number of floats, padded to be divisible by the data-parallel ranks
 * @param resident whether every rank always has all of it
 * @param trained whether it has trained parameters; otherwise it has neither gradients nor moments
 */
public record Segment(
    String name, List<Parameter> parameters, long size, boolean resident, boolean trained) {
  /** Alignment of shares for vector instructions, in floats. */
  private static final int ALIGNMENT = 16;

  /**
   * A parameter in a segment.
   *
   * @param index index in the whole model's specification
   * @param name name in checkpoints
   * @param rows of the rank's share; 1 for one dimension
   * @param columns of the rank's share
   * @param dimensions 1, or 2 for two or more, with rows along the first dimension
   * @param cut tensor-parallel axis
   * @param at offset in the segment
   * @param counted whether its gradient counts toward the norm, false for a second copy
   * @param trained whether it is trained
   */
  record Parameter(
      int index,
      String name,
      long rows,
      long columns,
      int dimensions,
      ShardAxis cut,
      long at,
      boolean counted,
      boolean trained) {
    long size() {
      return rows * columns;
    }

    /** Returns the same parameter at another offset. */
    private Parameter moved(long to) {
      return new Parameter(index, name, rows, columns, dimensions, cut, to, counted, trained);
    }
  }

  /** Lays out {@code parameters} for {@code owners} data-parallel ranks. */
  static Segment of(String name, List<Parameter> parameters, int owners, boolean resident) {
    List<Parameter> placed = new ArrayList<>();
    long at = 0;
    for (boolean whole : new boolean[] {true, false}) {
      for (Parameter parameter : parameters) {
        if ((parameter.cut() == ShardAxis.WHOLE) == whole) {
          placed.add(parameter.moved(at));
          at += parameter.size();
        }
      }
    }
    boolean trained = placed.stream().anyMatch(Parameter::trained);
    long unit = (long) ALIGNMENT * owners;
    return new Segment(name, placed, Math.ceilDiv(at, unit) * unit, resident, trained);
  }
}
