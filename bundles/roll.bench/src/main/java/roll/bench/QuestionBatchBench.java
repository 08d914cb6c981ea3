package roll.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/**
 * Measures the benefit of batching the questions to a solver: 120 greedy questions one by one and
 * as one batch, with a comparison of the responses.
 */
final class QuestionBatchBench {
  private static final int QUESTIONS = 120;
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;
  private static final int ANSWER = 64;

  private final PrintStream out;

  /** Creates a solver bench and prints to {@code out}. */
  QuestionBatchBench(PrintStream out) {
    this.out = out;
  }

  /** Measures {@code subject} on each of {@code strategies}. */
  void run(List<BenchStrategy> strategies, BenchModel subject, int rounds) {
    out.printf(
        "%nSolver, %d questions of %d to %d tokens, responses of %d, greedy; seconds, best of"
            + " %d%n",
        QUESTIONS, SHORTEST, LONGEST, ANSWER, rounds);
    BenchTable table =
        new BenchTable(
            out, 26, 10, "model, dtype, strategy", "one by one", "batched", "ratio", "equal");
    for (BenchStrategy served : strategies) {
      try (InferSession session = served.open(subject, Dtype.FP32, QUESTIONS, LONGEST + ANSWER)) {
        table.row(row(subject.label(Dtype.FP32) + " " + served.label(), session, subject, rounds));
      }
    }
  }

  private static Object[] row(String name, InferSession session, BenchModel subject, int rounds) {
    double alone = Double.POSITIVE_INFINITY;
    double together = Double.POSITIVE_INFINITY;
    int equal = QUESTIONS;
    for (int round = 0; round <= rounds; round++) { // the first is not measured
      List<GenerationRequest> questions = questions(subject, round);
      long begun = System.nanoTime();
      List<Generation> first = new ArrayList<>();
      for (GenerationRequest question : questions) {
        first.addAll(session.generate(List.of(question)).join());
      }
      long between = System.nanoTime();
      List<Generation> second = session.generate(questions(subject, -1 - round)).join();
      long ended = System.nanoTime();
      equal = Math.min(equal, equal(first, session.generate(questions).join()));
      if (round > 0 && second.size() == QUESTIONS) {
        alone = Math.min(alone, (between - begun) * 1e-9);
        together = Math.min(together, (ended - between) * 1e-9);
      }
    }
    return new Object[] {
      name,
      "%.3f".formatted(alone),
      "%.3f".formatted(together),
      "%.1f".formatted(alone / together),
      equal + "/" + QUESTIONS
    };
  }

  /** Returns the number of responses with equal tokens. */
  private static int equal(List<Generation> one, List<Generation> other) {
    int equal = 0;
    for (int i = 0; i < one.size(); i++) {
      equal += Arrays.equals(one.get(i).tokens(), other.get(i).tokens()) ? 1 : 0;
    }
    return equal;
  }

  /** Returns questions that are unique to a round, so that none is cached. */
  private static List<GenerationRequest> questions(BenchModel subject, int round) {
    List<GenerationRequest> questions = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      RandomGenerator random = RandomStreams.of(1, "bench question", round, i);
      int length = random.nextInt(SHORTEST, LONGEST + 1);
      int[] tokens = random.ints(length, 0, subject.spec().vocabulary()).toArray();
      questions.add(
          new GenerationRequest(tokens, Sampling.of(ANSWER).withTemperature(0), List.of(), i));
    }
    return questions;
  }
}
