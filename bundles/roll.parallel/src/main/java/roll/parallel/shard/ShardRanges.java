package roll.parallel.shard;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * The ranges of a whole parameter in the share of one rank: tensor parallelism shards it by rows or
 * columns, and ZeRO shards its segment.
 *
 * @param parameter on the rank's stage
 * @param layout of the ranks
 * @param coordinates of the rank
 * @param segment size of the whole segment in floats
 */
public record ShardRanges(
    Segment.Parameter parameter,
    ParallelLayout layout,
    ParallelLayout.Coordinates coordinates,
    long segment) {
  /** Receives runs of numbers that are contiguous both in the parameter and in the share. */
  @ConsumerType
  public interface Run {
    void at(long share, long whole, long length);
  }

  /**
   * Reports the runs of {@code count} numbers of the whole parameter, from number {@code first} on,
   * that the rank has.
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

  /**
   * Reports the part of {@code length} numbers of the tensor-parallel share that is on this
   * data-parallel rank.
   */
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
