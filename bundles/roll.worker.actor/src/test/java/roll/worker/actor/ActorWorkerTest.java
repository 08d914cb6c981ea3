package roll.worker.actor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.option.Options;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.math.TokenPass;
import roll.runtime.config.RunConfig;
import roll.runtime.option.YamlOptions;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRuns;
import roll.testkit.TestWorkerContext;
import roll.testkit.Unigram;

@NullMarked
class ActorWorkerTest {
  private static final Path HERE = Path.of("model");
  private static final Options NONE = YamlOptions.checked("pg_variant_args", Map.of(), List.of());

  /** Six samples of 2 to 4 tokens: a prompt of one token, then token 1 or 2; 1 is what is good. */
  private static Batch batch() {
    int[] offsets = {0, 2, 5, 9, 11, 14, 18};
    int[] tokens = {0, 1, 0, 2, 1, 0, 1, 1, 2, 0, 2, 0, 1, 2, 0, 2, 2, 1};
    int[] turns = new int[tokens.length];
    double[] advantages = new double[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      turns[t] = Arrays.binarySearch(offsets, t) >= 0 ? -1 : 0;
      advantages[t] = tokens[t] == 1 ? 1 : -1;
    }
    return Batch.of(offsets, tokens, turns).withColumn(Batch.ADVANTAGES, advantages);
  }

  private static Worker train(Unigram model, PolicyLoss loss, int epochs) {
    return train(ExampleRuns.small(HERE, epochs), model, loss);
  }

  private static Worker train(RunConfig run, Unigram model, PolicyLoss loss) {
    var stage =
        new TestWorkerContext(run, run.actorTrain()).withTraining(config -> model).withLoss(loss);
    return new ActorTrainWorker().open(stage).join();
  }

  private static double metric(TaskReply<?> result, String name) {
    return Objects.requireNonNull(result.metrics().get(name), name);
  }

  @Test
  void scoresAreAddedToTheBatch() {
    Unigram model = new Unigram(4, 2, 1);
    TaskReply<Batch> result =
        train(model, new Surrogate(1), 1).perform(new Task.Score(batch())).join();
    Batch scored = result.value();
    for (int t = 0; t < scored.size(); t++) {
      double expected = scored.layout().mask()[t] ? Math.log(0.25) : 0;
      assertEquals(expected, scored.column(Batch.OLD_LOG_PROBS)[t], 1e-12);
      assertEquals(-expected, scored.column(Batch.ENTROPIES)[t], 1e-12);
    }
    assertEquals(Math.log(0.25), metric(result, "critic/old_log_prob/mean"), 1e-12);
    assertEquals(-Math.log(0.25), metric(result, "critic/entropy/mean"), 1e-12);
  }

  @Test
  void theReferenceIsTheModelWithItsAdaptersOff() {
    Unigram model = new Unigram(4, 2, 1);
    Worker worker = train(model, new Surrogate(1), 1);
    worker.perform(new Task.Train(batch(), 0)).join();
    TaskReply<Batch> result = worker.perform(new Task.ScoreReference(batch())).join();
    Batch scored = result.value();
    for (int t = 0; t < scored.size(); t++) {
      double expected = scored.layout().mask()[t] ? Math.log(0.25) : 0;
      assertEquals(expected, scored.column(Batch.REFERENCE_LOG_PROBS)[t], 1e-12);
    }
    assertEquals(Math.log(0.25), metric(result, "critic/ref_log_prob/mean"), 1e-12);
    assertTrue(model.logProbs()[1] > Math.log(0.25));
  }

  @Test
  void trainingMakesWhatWasGoodLikelier() {
    Unigram model = new Unigram(4, 2, 1);
    Surrogate loss = new Surrogate(1);
    TaskReply<TrainReport> result =
        train(model, loss, 3).perform(new Task.Train(batch(), 0)).join();
    assertTrue(model.logProbs()[1] > Math.log(0.25));
    assertTrue(model.logProbs()[2] < Math.log(0.25));
    // mini-batches of 4 and 2 samples in each of 3 passes, cut into parts of 2
    assertEquals(9, loss.seen.size());
    assertEquals(6, metric(result, "actor/backward_steps"));
    assertEquals(6, model.weights().version());
    assertEquals(0, metric(result, "actor/skipped_updates"));
    assertEquals(1, metric(result, "actor/lr"));
    assertEquals(3, metric(result, "time/actor_train/loss"));
    assertTrue(metric(result, "actor_train/grad_norm") > 0);
    double most = 0;
    double sum = 0;
    for (LossInput input : loss.seen) {
      var share = new Surrogate(1).evaluateWhole(input, NONE, new long[0]);
      sum += share.loss();
      most = Math.max(most, share.metrics().getOrDefault("actor/ratio_max", Double.NaN));
    }
    assertEquals(sum / 6, metric(result, "actor/pg_loss"), 1e-12);
    assertEquals(most, metric(result, "actor/ratio_max"));
  }

  @Test
  void countsAreThoseOfTheWholeMiniBatch() {
    Surrogate loss = new Surrogate(1);
    train(new Unigram(4, 1, 1), loss, 1).perform(new Task.Train(batch(), 0)).join();
    assertEquals(
        List.of(4L, 4L, 4L, 4L, 2L, 2L),
        loss.seen.stream().map(input -> input.denominators().samples()).toList());
    long tokens =
        loss.seen.getFirst().denominators().tokens() + loss.seen.getLast().denominators().tokens();
    assertEquals(12, tokens);
  }

  @Test
  void howAMiniBatchIsCutDoesNotMatter() {
    double[][] after = new double[3][];
    int[] cuts = {1, 2, 4};
    for (int i = 0; i < cuts.length; i++) {
      Unigram model = new Unigram(4, cuts[i], 0.5);
      train(model, new Surrogate(1), 2).perform(new Task.Train(batch(), 3)).join();
      after[i] = model.logProbs();
    }
    assertArrayEquals(after[0], after[1], 1e-12);
    assertArrayEquals(after[0], after[2], 1e-12);
  }

  @Test
  void withoutOldLogProbsThoseOfTheFirstPassCount() {
    Surrogate loss = new Surrogate(1);
    train(new Unigram(4, 2, 1), loss, 2).perform(new Task.Train(batch(), 0)).join();
    Map<List<Double>, double[]> first = new LinkedHashMap<>();
    for (LossInput input : loss.seen.subList(0, 3)) {
      assertArrayEquals(input.policy().logProbs(), input.policy().oldLogProbs());
      forEachSample(input, first::put);
    }
    assertEquals(6, first.size());
    boolean moved = false;
    for (LossInput input : loss.seen.subList(3, 6)) {
      forEachSample(
          input, (key, old) -> assertArrayEquals(first.getOrDefault(key, new double[0]), old));
      moved |= !Arrays.equals(input.policy().logProbs(), input.policy().oldLogProbs());
    }
    assertTrue(moved, "the second pass has new log-probs");
  }

  /** The six samples of {@link #batch} differ in their advantages, which name them here. */
  private static void forEachSample(LossInput input, BiConsumer<List<Double>, double[]> use) {
    for (int i = 0; i < input.samples(); i++) {
      int from = input.layout().offsets()[i];
      int to = input.layout().offsets()[i + 1];
      use.accept(
          Arrays.stream(input.advantages(), from, to).boxed().toList(),
          Arrays.copyOfRange(input.policy().oldLogProbs(), from, to));
    }
  }

  @Test
  void givenOldLogProbsAndReferenceReachTheLoss() {
    Surrogate loss = new Surrogate(1);
    Batch batch = batch();
    double[] old = IntStream.range(0, batch.size()).mapToDouble(t -> -1 - t * 0.125).toArray();
    Batch scored =
        batch.withColumn(Batch.OLD_LOG_PROBS, old).withColumn(Batch.REFERENCE_LOG_PROBS, old);
    train(new Unigram(4, 2, 1), loss, 1).perform(new Task.Train(scored, 0)).join();
    double sum = 0;
    for (LossInput input : loss.seen) {
      assertArrayEquals(input.policy().oldLogProbs(), input.column(Batch.REFERENCE_LOG_PROBS));
      assertFalse(Arrays.equals(input.policy().oldLogProbs(), input.policy().logProbs()));
      sum += Arrays.stream(input.policy().oldLogProbs()).sum();
    }
    assertEquals(Arrays.stream(old).sum(), sum, 1e-12);
  }

  @Test
  void gradientsThatAreNotFiniteAreCounted() {
    Unigram model = new Unigram(4, 2, 1);
    TaskReply<TrainReport> result =
        train(model, new Surrogate(Double.NaN), 1).perform(new Task.Train(batch(), 0)).join();
    assertEquals(2, metric(result, "actor/skipped_updates"));
    assertFalse(result.metrics().containsKey("actor_train/grad_norm"));
    assertEquals(Math.log(0.25), model.logProbs()[1], 1e-12);
  }

  /** The first update breaks the model; the others end before the optimizer. */
  @Test
  void logProbsThatAreNotFiniteStopBeforeTheOptimizer() {
    Unigram model = new Unigram(4, 2, Double.POSITIVE_INFINITY);
    Surrogate loss = new Surrogate(1);
    TaskReply<TrainReport> result =
        train(model, loss, 2).perform(new Task.Train(batch(), 0)).join();
    String problem = result.value().problem().orElseThrow();
    assertTrue(
        problem.matches("log_probs of trajectory number \\d at token 1 \\(id \\d\\) is NaN"),
        problem);
    assertEquals(2, loss.seen.size());
    assertEquals(4, metric(result, "actor/backward_steps"));
    assertEquals(3, metric(result, "actor/skipped_updates"));
    assertEquals(1, model.weights().version());
  }

  /** The third token of the second sample was not likely when it was sampled: weight and filter. */
  @Test
  void tokensAreCorrectedForTheEngineThatSampledThem() {
    Batch batch = batch();
    double[] old = new double[batch.size()];
    Arrays.fill(old, -1);
    double[] sampled = old.clone();
    sampled[4] = -3;
    Batch scored =
        batch.withColumn(Batch.OLD_LOG_PROBS, old).withColumn(Batch.BEHAVIOUR_LOG_PROBS, sampled);
    Surrogate loss = new Surrogate(1);
    Unigram model = new Unigram(4, 6, 1);
    TaskReply<TrainReport> result =
        train(ExampleRuns.small(HERE, 1, correction(null)), model, loss)
            .perform(new Task.Train(scored, 0))
            .join();
    assertEquals(12 - 1, loss.seen.stream().mapToLong(in -> in.denominators().tokens()).sum());
    assertEquals(11 / 12.0, metric(result, "actor/train_infer_final_mask_mean"), 1e-12);

    Surrogate weighted = new Surrogate(1);
    train(ExampleRuns.small(HERE, 1, correction(5.0)), model, weighted)
        .perform(new Task.Train(scored, 0))
        .join();
    double sum =
        weighted.seen.stream()
            .flatMapToDouble(in -> Arrays.stream(in.column(LossInput.IMPORTANCE)))
            .sum();
    assertEquals(batch.size() - 1 + 5, sum, 1e-12);
  }

  /** A weight with this bound, or else a filter. */
  private static TrainInferCorrection correction(@Nullable Double bound) {
    return bound == null
        ? new TrainInferCorrection(
            null,
            List.of(new TrainInferCorrection.Filter(Level.TOKEN, new Range(0.5, 2), null, null)))
        : new TrainInferCorrection(
            new TrainInferCorrection.Weight(Level.TOKEN, bound, false), List.of());
  }

  /**
   * What is marked does not depend on how a mini-batch is cut; marks come back with their cells.
   */
  @Test
  void aSurveySeesTheWholeMiniBatchFirst() {
    double[][] after = new double[2][];
    int[] cuts = {1, 4};
    for (int i = 0; i < cuts.length; i++) {
      Unigram model = new Unigram(4, cuts[i], 0.5);
      Surveying loss = new Surveying();
      train(model, loss, 2).perform(new Task.Train(batch(), 3)).join();
      assertEquals(List.of(4, 2, 4, 2), loss.surveyed);
      after[i] = model.logProbs();
    }
    assertArrayEquals(after[0], after[1], 1e-12);
  }

  /** Trains on the half of the samples with the lower keys. */
  private static final class Surveying implements PolicyLoss {
    final List<Integer> surveyed = new ArrayList<>();

    @Override
    public LossInfo info() {
      return LossInfo.of("test", "test", "test").withSurvey();
    }

    @Override
    public double[] survey(LossInput whole, Options options, long[] keys) {
      surveyed.add(whole.samples());
      double[] marks = new double[whole.layout().mask().length];
      for (int i = 0; i < keys.length; i++) {
        Arrays.fill(
            marks,
            whole.layout().offsets()[i],
            whole.layout().offsets()[i + 1],
            keys[i] < 0 ? 1 : 0);
      }
      return marks;
    }

    @Override
    public LossResult evaluate(LossInput input, Options options) {
      double[] marks = input.column(LossInput.SURVEY);
      return new TokenPass(input)
          .evaluate(
              token ->
                  token.byLogProb(
                      -marks[token.cell()] * token.advantage() * token.logProb(),
                      -marks[token.cell()] * token.advantage()));
    }
  }

  @Test
  void savedTrainingContinuesWhereItWas(@TempDir Path folder) {
    Unigram once = new Unigram(4, 2, 1);
    Worker worker = train(once, new Surrogate(1), 1);
    worker.perform(new Task.Train(batch(), 0)).join();
    worker.perform(new Task.Save(folder)).join();
    worker.perform(new Task.Train(batch(), 1)).join();
    Unigram resumed = new Unigram(4, 2, 1);
    Worker again = train(resumed, new Surrogate(1), 1);
    again.perform(new Task.Restore(folder)).join();
    again.perform(new Task.Train(batch(), 1)).join();
    assertArrayEquals(once.logProbs(), resumed.logProbs());
    again.close();
    assertTrue(resumed.closed());
  }

  @Test
  void theSamplingPolicyWritesWithTheWeightsItWasGiven() {
    Unigram trained = new Unigram(4, 2, 4);
    Worker trainer = train(trained, new Surrogate(1), 3);
    trainer.perform(new Task.Train(batch(), 0)).join();
    Unigram sampler = new Unigram(4, 2, 1);
    var run = ExampleRuns.small(HERE, 1);
    var stage = new TestWorkerContext(run, run.actorInfer()).withInference(config -> sampler);
    Worker infer = new ActorInferWorker().open(stage).join();
    var shared = trainer.perform(new Task.ShareWeights()).join().value();
    infer.perform(new Task.TakeWeights(shared)).join();
    assertArrayEquals(trained.logProbs(), sampler.logProbs());
    var request = new GenerationRequest(new int[] {0}, Sampling.of(6), List.of(3), 9);
    var written = infer.perform(new Task.Generate(List.of(request, request))).join().value();
    assertEquals(2, Objects.requireNonNull(written).size());
    assertArrayEquals(written.get(0).tokens(), written.get(1).tokens());
    long version = trained.weights().version();
    for (long drawn : written.get(0).weightVersions()) {
      assertEquals(version, drawn);
    }
    var refused =
        assertThrows(
            CompletionException.class, () -> infer.perform(new Task.Score(batch())).join());
    assertTrue(refused.toString().contains("actor_infer has no part in Score"));
  }
}
