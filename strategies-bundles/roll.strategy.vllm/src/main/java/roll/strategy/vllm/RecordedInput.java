package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.sampling.ResponseState;
import roll.sampling.SamplingNumbers;

/**
 * The integers of {@code recorded_pass.py}. Rows without a sequence compute a token that nothing
 * reads: their cells are a block and a token behind all others.
 *
 * @param rows number of rows, a bucket
 * @param passes maximum passes
 * @param blockSize tokens of a block
 * @param spareCell a cell of the cache that belongs to no sequence
 * @param spareToken a token of the table that belongs to no range
 */
record RecordedInput(int rows, int passes, int blockSize, int spareCell, int spareToken) {
  /** Maximum rows of a recorded step. */
  static final int MOST_ROWS = 512;

  /** Returns the number of rows with which {@code sequences} sequences are computed. */
  static int bucket(int sequences) {
    return Integer.highestOneBit(2 * sequences - 1);
  }

  /** Returns the buckets of at most {@code rows} rows, the largest first. */
  static List<Integer> buckets(int rows) {
    List<Integer> buckets = new ArrayList<>();
    for (int bucket = bucket(rows); bucket > 0; bucket /= 2) {
      buckets.add(bucket);
    }
    return buckets;
  }

  /** Returns how many integers {@code rows} rows take. */
  static int size(int rows, int passes, List<Integer> widths) {
    return 1 + rows * (4 + 2 * passes) + SamplingNumbers.size(rows, widths);
  }

  /**
   * Returns the integers for {@code seats}, at most as many as rows.
   *
   * @param used passes that are run
   * @param sampling settings of the seats
   * @param widths of the settings
   */
  long[] numbers(
      List<DecodeRanges.Seat> seats, int used, SamplingNumbers sampling, List<Integer> widths) {
    long[] numbers = new long[size(rows, passes, widths)];
    int starts = 1 + 2 * rows;
    int slots = 1 + 4 * rows;
    int uniforms = slots + passes * rows;
    Arrays.fill(numbers, starts, starts + rows, spareToken);
    Arrays.fill(numbers, slots, uniforms, spareCell);
    for (int row = 0; row < seats.size(); row++) {
      StepPlan.Part part = seats.get(row).part();
      EngineRequest sequence = part.sequence();
      ResponseState response = sequence.response();
      numbers[1 + row] = sequence.token(part.from());
      numbers[1 + rows + row] = part.from();
      numbers[starts + row] = seats.get(row).start();
      numbers[starts + rows + row] = response.remaining();
      boolean warm = response.sampling().temperature() > 0;
      for (int pass = 0; pass < used; pass++) {
        int ahead = part.ahead(pass + 1);
        numbers[slots + pass * rows + row] = cell(sequence, part.from() + ahead);
        if (warm && pass < response.remaining()) {
          numbers[uniforms + pass * rows + row] =
              Double.doubleToRawLongBits(response.uniform(pass));
        }
      }
    }
    sampling.put(numbers, uniforms + passes * rows, rows, widths);
    return numbers;
  }

  private long cell(EngineRequest sequence, int index) {
    return (long) sequence.blocks().get(index / blockSize).id * blockSize + index % blockSize;
  }
}
