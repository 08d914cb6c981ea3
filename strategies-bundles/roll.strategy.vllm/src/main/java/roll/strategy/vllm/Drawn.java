package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.List;

/**
 * The sampled tokens of {@code sequences}, one for each sequence and pass, with both of their
 * log-probs.
 */
record Drawn(List<EngineRequest> sequences, double[] numbers) {
  /** No tokens. */
  static final Drawn NONE = new Drawn(List.of(), new double[0]);

  /** Returns the number of passes: one if no tokens were sampled. */
  int passes() {
    return sequences.isEmpty() ? 1 : numbers.length / (3 * sequences.size());
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
