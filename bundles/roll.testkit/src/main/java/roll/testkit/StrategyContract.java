package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Gradients;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Sampling;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.UpdateReport;
import roll.runtime.option.YamlOptions;

/**
 * The observable guarantees of a {@link TrainStrategy} with an {@link InferStrategy}: scores are
 * log-probs, training raises the right probabilities, weights and checkpoints are complete, and
 * sampled tokens depend on the request alone.
 */
public abstract class StrategyContract {
  private static final double LEARNING_RATE = 0.01;

  /** Returns the strategy that trains. */
  protected abstract TrainStrategy training();

  /** Returns the strategy that scores and samples with the trained weights. */
  protected abstract InferStrategy inference();

  /** Returns the folder of a small model. */
  protected abstract Path model();

  /** Returns the size of the model's vocabulary. */
  protected abstract int vocabulary();

  /** Returns the {@code strategy_config} to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** Returns the allowed difference between a log-prob computed alone and in a batch. */
  protected double tolerance() {
    return 1e-5;
  }

  @ContractTest(
      value = "Scored tokens have the log-prob and the entropy of a distribution, others 0.",
      look = "score()")
  void scoresAreThoseOfADistribution() {
    TokenBatch batch = StrategyCases.batch(1, vocabulary());
    try (TrainSession session = training().open(config())) {
      Scores scores = session.score(batch).join();
      assertEquals(batch.tokens().length, scores.logProbs().length);
      for (int t = 0; t < batch.tokens().length; t++) {
        double logProb = scores.logProbs()[t];
        double entropy = scores.entropies()[t];
        assertTrue(batch.scored()[t] ? logProb < 0 : logProb == 0, () -> "log-prob " + logProb);
        assertTrue(
            batch.scored()[t]
                ? entropy >= 0 && entropy <= Math.log(vocabulary()) + tolerance()
                : entropy == 0,
            () -> "entropy " + entropy);
      }
    }
  }

  @ContractTest(
      value = "The probabilities of all tokens after a prompt add up to 1.",
      look = "score(): the log-softmax over the full vocabulary")
  void probabilitiesAddUp() {
    int[] offsets = new int[vocabulary() + 1];
    int[] tokens = new int[2 * vocabulary()];
    boolean[] scored = new boolean[tokens.length];
    for (int v = 0; v < vocabulary(); v++) {
      offsets[v + 1] = 2 * v + 2;
      tokens[2 * v] = 1;
      tokens[2 * v + 1] = v;
      scored[2 * v + 1] = true;
    }
    try (TrainSession session = training().open(config())) {
      double[] logProbs = session.score(new TokenBatch(offsets, tokens, scored)).join().logProbs();
      double sum = 0;
      for (int v = 0; v < vocabulary(); v++) {
        sum += Math.exp(logProbs[2 * v + 1]);
      }
      assertEquals(1, sum, tolerance());
    }
  }

  @ContractTest(
      value = "A sample has the same scores alone and in a batch.",
      look = "score(): padding, attention mask and positions")
  void scoresDoNotDependOnTheBatch() {
    TokenBatch batch = StrategyCases.batch(2, vocabulary());
    try (TrainSession session = training().open(config())) {
      double[] together = session.score(batch).join().logProbs();
      for (int i = 0; i < batch.samples(); i++) {
        int from = batch.offsets()[i];
        int to = batch.offsets()[i + 1];
        TokenBatch alone =
            new TokenBatch(
                new int[] {0, to - from},
                Arrays.copyOfRange(batch.tokens(), from, to),
                Arrays.copyOfRange(batch.scored(), from, to));
        assertArrayEquals(
            Arrays.copyOfRange(together, from, to),
            session.score(alone).join().logProbs(),
            tolerance());
      }
    }
  }

  @ContractTest(
      value =
          "A loss that falls with the log-probs of some tokens makes these tokens more "
              + "likely, and each update increments the version.",
      look = "update(): the sign of the gradient and the optimizer step")
  void trainingRaisesProbabilities() {
    TokenBatch batch = StrategyCases.batch(3, vocabulary());
    try (TrainSession session = training().open(config())) {
      double before = sum(session.score(batch).join().logProbs());
      long version = session.weights().version();
      for (int step = 1; step <= 5; step++) {
        UpdateReport report = session.update(batch, StrategyCases.likelier(batch)).join();
        assertTrue(report.gradNorm() > 0, "the gradient norm is 0");
        assertTrue(report.learningRate() > 0, "the learning rate is 0");
        assertEquals(version + step, session.weights().version());
      }
      double after = sum(session.score(batch).join().logProbs());
      assertTrue(after > before, () -> "the sum of log-probs fell from " + before + " to " + after);
    }
  }

  @ContractTest(
      value =
          "An update with a NaN gradient is skipped, is reported as skipped and changes no "
              + "weight.",
      look = "update(): check the gradient norm before the optimizer step")
  void brokenGradientsAreSkipped() {
    TokenBatch batch = StrategyCases.batch(4, vocabulary());
    try (TrainSession session = training().open(config())) {
      double[] before = session.score(batch).join().logProbs();
      LossFunction broken =
          (samples, scores) -> {
            double[] nan = new double[scores.logProbs().length];
            Arrays.fill(nan, Double.NaN);
            return new Gradients(nan, new double[nan.length]);
          };
      assertTrue(session.update(batch, broken).join().skipped());
      assertArrayEquals(before, session.score(batch).join().logProbs());
    }
  }

  @ContractTest(
      value = "An inference session with the weights of a training session has its scores.",
      look = "weights() of the training session and update(weights) of the inference session")
  void weightsAreComplete() {
    TokenBatch batch = StrategyCases.batch(5, vocabulary());
    try (TrainSession trained = training().open(config());
        InferSession receiving = inference().open(config())) {
      trained.update(batch, StrategyCases.likelier(batch)).join();
      receiving.update(trained.weights()).join();
      assertArrayEquals(
          trained.score(batch).join().logProbs(),
          receiving.score(batch).join().logProbs(),
          tolerance());
    }
  }

  @ContractTest(
      value = "A restored session continues like the saved one, bit for bit.",
      look = "save() and restore(): weights, optimizer state, scheduler and version")
  void checkpointsAreComplete(@TempDir Path folder) {
    TokenBatch batch = StrategyCases.batch(6, vocabulary());
    try (TrainSession saved = training().open(config());
        TrainSession restored = training().open(config())) {
      saved.update(batch, StrategyCases.likelier(batch)).join();
      saved.save(folder).join();
      saved.update(batch, StrategyCases.likelier(batch)).join();
      restored.restore(folder).join();
      assertEquals(
          List.of(), restored.numericsInfo().changes(), "changes of arithmetic on one machine");
      restored.update(batch, StrategyCases.likelier(batch)).join();
      assertArrayEquals(
          saved.score(batch).join().logProbs(), restored.score(batch).join().logProbs());
      assertEquals(saved.weights().version(), restored.weights().version());
    }
  }

  @ContractTest(
      value =
          "Sampled tokens depend on the request alone: its prompt, its sampling settings and "
              + "its seed.",
      look = "generate(): random streams that requests share, and padding")
  void responsesDependOnTheRequestAlone() {
    List<GenerationRequest> requests =
        new GenerationRequest(new int[] {1, 5, 2}, Sampling.of(4), List.of(), 7).sequences(8);
    try (InferSession session = inference().open(config())) {
      List<Generation> together = session.generate(requests).join();
      assertEquals(requests.size(), together.size());
      for (int i = 0; i < requests.size(); i++) {
        int[] sampled = together.get(i).tokens();
        assertEquals(4, sampled.length, "tokens of a response without stop tokens");
        assertTrue(Arrays.stream(sampled).allMatch(token -> token >= 0 && token < vocabulary()));
        Generation alone = session.generate(List.of(requests.get(i))).join().getFirst();
        assertArrayEquals(sampled, alone.tokens());
        assertArrayEquals(together.get(i).logProbs(), alone.logProbs(), tolerance());
      }
    }
  }

  @ContractTest(
      value =
          "Requests with different cache salts share no prefix-cache entry, and have equal "
              + "results.",
      look = "generate(): the key of the prefix cache")
  void saltsKeepCachesApart() {
    var request = new GenerationRequest(new int[] {1, 5, 2, 5, 1}, Sampling.of(3), List.of(), 7);
    try (InferSession session = inference().open(config())) {
      double[] first = session.generate(List.of(request)).join().getFirst().logProbs();
      List<GenerationRequest> other = List.of(request.withCacheSalt(3));
      assertArrayEquals(first, session.generate(other).join().getFirst().logProbs());
    }
  }

  @ContractTest(
      value = "A response has the log-probs that scoring gives its tokens.",
      look = "the log-probs of generate() and of score()")
  void responsesHaveTheirLogProbs() {
    int[] prompt = {1, 5, 2};
    try (InferSession session = inference().open(config())) {
      Generation written =
          session
              .generate(List.of(new GenerationRequest(prompt, Sampling.of(3), List.of(), 11)))
              .join()
              .getFirst();
      int[] tokens = Arrays.copyOf(prompt, prompt.length + 3);
      System.arraycopy(written.tokens(), 0, tokens, prompt.length, 3);
      boolean[] scored = {false, false, false, true, true, true};
      double[] scores =
          session.score(new TokenBatch(new int[] {0, 6}, tokens, scored)).join().logProbs();
      assertArrayEquals(
          Arrays.copyOfRange(scores, prompt.length, scores.length),
          written.logProbs(),
          tolerance());
    }
  }

  @ContractTest(
      value =
          "At temperature 0 the seed has no influence; a stop token ends a response and is "
              + "its last token.",
      look = "generate(): greedy sampling and stop tokens")
  void stopTokensEndAResponse() {
    int[] prompt = {1, 5, 2};
    Sampling greedy = Sampling.greedy(3);
    try (InferSession session = inference().open(config())) {
      Generation free =
          session
              .generate(List.of(new GenerationRequest(prompt, greedy, List.of(), 1)))
              .join()
              .getFirst();
      int first = free.tokens()[0];
      Generation stopped =
          session
              .generate(List.of(new GenerationRequest(prompt, greedy, List.of(first), 2)))
              .join()
              .getFirst();
      assertArrayEquals(new int[] {first}, stopped.tokens());
      assertTrue(stopped.stopped());
    }
  }

  @ContractTest(value = "Unknown options are refused before a model is loaded.", look = "notices()")
  void unknownOptionsAreRefused() {
    WorkerConfig wrong = worker(Map.of("no such option", 1));
    assertThrows(UserException.class, () -> training().notices(wrong));
    assertThrows(UserException.class, () -> inference().notices(wrong));
    assertEquals(List.of(), training().notices(worker(options())));
  }

  private SessionConfig config() {
    return new SessionConfig(worker(options()), 42, 1, 64, true, 0);
  }

  private WorkerConfig worker(Map<String, Object> strategyOptions) {
    return new WorkerConfig(
        "actor_train",
        ModelConfig.of(model(), WorkerConfig.Dtype.FP32),
        "qwen2_5",
        "under_test",
        YamlOptions.strategy("actor_train", strategyOptions),
        new TrainingConfig(LEARNING_RATE, 0, 0.9, 0.999, 4, 2, "constant", 0, 100),
        List.of(),
        16);
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }
}
