package roll.parallel.shard;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Which numbers of a whole parameter are in the share of one rank, and where: tensor parallelism
 * cuts it by rows or columns, and ZeRO cuts the segment it is in.
 *
 * @param parameter as the rank's stage has it
 * @param layout of the ranks
 * @param coordinates of the rank
 * @param segment floats of the whole segment
 */
public record ShardRanges(
    Segment.Parameter parameter,
    ParallelLayout layout,
    ParallelLayout.Coordinates coordinates,
    long segment) {
  /** Takes runs of numbers that lie one behind the other both here and there. */
  @ConsumerType
  public interface Run {
    void at(long share, long whole, long length);
  }

  /**
   * Tells which of {@code count} numbers of the whole parameter, from number {@code first} on, the
   * rank has.
   */
  public void forEach(long first, long count, Run run) {
    long end = first + count;
    long whole = first;
    while (whole < end) {
      long size = parameter.size();
      long columns = parameter.columns();
      long owner;
      long local;
      long length;
      switch (parameter.cut()) {
        case WHOLE -> {
          owner = coordinates.tensor();
          local = whole;
          length = size - local;
        }
        case ROWS -> {
          owner = whole / size;
          local = whole % size;
          length = size - local;
        }
        case COLUMNS -> {
          long row = whole / (columns * layout.tensor());
          long column = whole % (columns * layout.tensor());
          owner = column / columns;
          local = row * columns + column % columns;
          length = columns - column % columns;
        }
        default -> throw new IllegalStateException(parameter.name());
      }
      length = Math.min(length, end - whole);
      if (owner == coordinates.tensor()) {
        inShare(local, whole, length, run);
      }
      whole += length;
    }
  }

  /** Of {@code length} numbers of the tensor-parallel rank those in this data-parallel rank. */
  private void inShare(long local, long whole, long length, Run run) {
    long share = segment / layout.owners();
    long from = layout.owners() == 1 ? 0 : coordinates.data() * share;
    long begin = Math.max(from, parameter.at() + local);
    long end = Math.min(from + share, parameter.at() + local + length);
    if (begin < end) {
      run.at(begin - from, whole + begin - parameter.at() - local, end - begin);
    }
  }
}
