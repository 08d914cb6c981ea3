package roll.parallel.shard;

import java.util.ArrayList;
import java.util.List;

/**
 * Some parameters of a rank that are gathered, reduced and let go together, one behind the other in
 * a flat tensor. Those that tensor parallelism does not cut come first.
 *
 * @param name for messages and files
 * @param parameters in their order
 * @param size floats, padded so that it can be cut over all data-parallel ranks
 * @param resident whether every rank has all of it all the time
 * @param trained whether something of it changes in training; otherwise it has neither gradients
 *     nor moments
 */
public record Segment(
    String name, List<Parameter> parameters, long size, boolean resident, boolean trained) {
  /** Shares begin at addresses that vector instructions like. */
  private static final int ALIGNMENT = 16;

  /**
   * One parameter.
   *
   * @param index in the whole model's specification
   * @param name by which checkpoints know it
   * @param rows of the rank's share; 1 where it has one dimension
   * @param columns of the rank's share
   * @param dimensions 1, or 2 also where there are more: then rows are of the first alone
   * @param cut how tensor parallelism cuts it
   * @param at where it begins in the segment
   * @param counted whether its gradient counts for the norm: not where it is a second copy
   * @param trained whether it changes in training
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

    /** The same at another place. */
    private Parameter moved(long to) {
      return new Parameter(index, name, rows, columns, dimensions, cut, to, counted, trained);
    }
  }

  /** Lays {@code parameters} out for {@code owners} data-parallel ranks. */
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
