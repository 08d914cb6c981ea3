package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sampled tokens of {@code sequences}, one for each sequence and pass, with both of their
 * log-probs; NaN where a sequence has fewer.
 */
record Drawn(List<EngineRequest> sequences, double[] numbers) {
  /** No tokens. */
  static final Drawn NONE = new Drawn(List.of(), new double[0]);

  /**
   * Returns the tokens of a step in which a sequence with proposed tokens has several rows in
   * succession: the sampled ones up to the first that differs from the proposed.
   */
  static Drawn of(List<EngineRequest> rows, double[] numbers) {
    List<EngineRequest> sequences = rows.stream().distinct().toList();
    if (sequences.size() == rows.size()) {
      return new Drawn(rows, numbers);
    }
    int passes = 1 + sequences.stream().mapToInt(EngineRequest::proposed).max().orElse(0);
    double[] kept = new double[3 * passes * sequences.size()];
    Arrays.fill(kept, Double.NaN);
    int first = 0;
    for (int row = 0; row < sequences.size(); row++) {
      EngineRequest sequence = sequences.get(row);
      boolean follows = true;
      for (int pass = 0; pass <= sequence.proposed(); pass++) {
        for (int kind = 0; kind < 3 && follows; kind++) {
          kept[(3 * pass + kind) * sequences.size() + row] =
              numbers[kind * rows.size() + first + pass];
        }
        follows =
            follows
                && pass < sequence.proposed()
                && (int) numbers[first + pass] == sequence.token(sequence.length() + pass);
      }
      first += 1 + sequence.proposed();
    }
    return new Drawn(sequences, kept);
  }

  /** Returns the number of passes: one if no tokens were sampled. */
  int passes() {
    return sequences.isEmpty() ? 1 : numbers.length / (3 * sequences.size());
  }

  /** Returns whether {@code row} has a token of {@code pass}. */
  boolean has(int pass, int row) {
    return pass < passes() && !Double.isNaN(number(pass, 0, row));
  }

  int token(int pass, int row) {
    return (int) number(pass, 0, row);
  }

  double logProb(int pass, int row) {
    return number(pass, 1, row);
  }

  double samplingLogProb(int pass, int row) {
    return number(pass, 2, row);
  }

  /** Returns these tokens followed by those of {@code more}, from as many passes. */
  Drawn and(Drawn more) {
    if (sequences.isEmpty() || more.sequences.isEmpty()) {
      return sequences.isEmpty() ? more : this;
    }
    List<EngineRequest> all = new ArrayList<>(sequences);
    all.addAll(more.sequences);
    int here = sequences.size();
    double[] both = new double[numbers.length + more.numbers.length];
    for (int i = 0; i < numbers.length / here; i++) {
      int there = more.sequences.size();
      System.arraycopy(numbers, i * here, both, i * all.size(), here);
      System.arraycopy(more.numbers, i * there, both, i * all.size() + here, there);
    }
    return new Drawn(all, both);
  }

  private double number(int pass, int kind, int row) {
    return numbers[(3 * pass + kind) * sequences.size() + row];
  }
}
