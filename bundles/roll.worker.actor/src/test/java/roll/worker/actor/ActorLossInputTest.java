package roll.worker.actor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.api.loss.TrainInferCorrection.Level;
import roll.api.loss.TrainInferCorrection.Range;
import roll.api.option.Options;
import roll.math.PolicyLossEvaluator;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.UnigramModel;

/** The loss input of a mini-batch. */
@NullMarked
class ActorLossInputTest {
  @Test
  void countsAreThoseOfTheWholeMiniBatch() {
    Surrogate loss = new Surrogate(1);
    ActorCases.train(new UnigramModel(4, 1, 1), loss, 1)
        .perform(new Task.Train(ActorCases.batch(), 0))
        .join();
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
      UnigramModel model = new UnigramModel(4, cuts[i], 0.5);
      ActorCases.train(model, new Surrogate(1), 2)
          .perform(new Task.Train(ActorCases.batch(), 3))
          .join();
      after[i] = model.logProbs();
    }
    assertArrayEquals(after[0], after[1], 1e-12);
    assertArrayEquals(after[0], after[2], 1e-12);
  }

  @Test
  void withoutOldLogProbsThoseOfTheFirstPassCount() {
    Surrogate loss = new Surrogate(1);
    ActorCases.train(new UnigramModel(4, 2, 1), loss, 2)
        .perform(new Task.Train(ActorCases.batch(), 0))
        .join();
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

  /**
   * The six samples of {@link ActorCases#batch} differ in their advantages, which name them here.
   */
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
    Batch batch = ActorCases.batch();
    double[] old = IntStream.range(0, batch.size()).mapToDouble(t -> -1 - t * 0.125).toArray();
    Batch scored =
        batch.withColumn(Batch.OLD_LOG_PROBS, old).withColumn(Batch.REFERENCE_LOG_PROBS, old);
    ActorCases.train(new UnigramModel(4, 2, 1), loss, 1).perform(new Task.Train(scored, 0)).join();
    double sum = 0;
    for (LossInput input : loss.seen) {
      assertArrayEquals(input.policy().oldLogProbs(), input.column(Batch.REFERENCE_LOG_PROBS));
      assertFalse(Arrays.equals(input.policy().oldLogProbs(), input.policy().logProbs()));
      sum += Arrays.stream(input.policy().oldLogProbs()).sum();
    }
    assertEquals(Arrays.stream(old).sum(), sum, 1e-12);
  }

  /** The third token of the second sample was not likely when it was sampled: weight and filter. */
  @Test
  void tokensAreCorrectedForTheEngineThatSampledThem() {
    Batch batch = ActorCases.batch();
    double[] old = new double[batch.size()];
    Arrays.fill(old, -1);
    double[] sampled = old.clone();
    sampled[4] = -3;
    Batch scored =
        batch.withColumn(Batch.OLD_LOG_PROBS, old).withColumn(Batch.BEHAVIOR_LOG_PROBS, sampled);
    Surrogate loss = new Surrogate(1);
    UnigramModel model = new UnigramModel(4, 6, 1);
    TaskReply<TrainReport> result =
        ActorCases.train(ExampleRunConfigs.small(ActorCases.HERE, 1, correction(null)), model, loss)
            .perform(new Task.Train(scored, 0))
            .join();
    assertEquals(12 - 1, loss.seen.stream().mapToLong(in -> in.denominators().tokens()).sum());
    assertEquals(11 / 12.0, ActorCases.metric(result, "actor/train_infer_final_mask_mean"), 1e-12);

    Surrogate weighted = new Surrogate(1);
    ActorCases.train(ExampleRunConfigs.small(ActorCases.HERE, 1, correction(5.0)), model, weighted)
        .perform(new Task.Train(scored, 0))
        .join();
    double sum =
        weighted.seen.stream()
            .flatMapToDouble(in -> Arrays.stream(in.column(LossInput.IMPORTANCE)))
            .sum();
    assertEquals(batch.size() - 1 + 5, sum, 1e-12);
  }

  /**
   * Probabilities begin at ¼ and move; the token sampled with e^−5 has the ratio 37 and fails the
   * filter at each update, yet counts in denominators.
   */
  @Test
  void aCorrectionMayFollowTheCurrentPolicy() {
    Batch batch = ActorCases.batch();
    double[] sampled = new double[batch.size()];
    Arrays.fill(sampled, Math.log(.25));
    sampled[4] = -5;
    Batch scored =
        batch
            .withColumn(Batch.OLD_LOG_PROBS, sampled)
            .withColumn(Batch.BEHAVIOR_LOG_PROBS, sampled);
    TrainInferCorrection correction =
        new TrainInferCorrection(
            new TrainInferCorrection.Weight(Level.TOKEN, 10, false),
            List.of(new TrainInferCorrection.Filter(Level.TOKEN, new Range(.1, 9), null, null)),
            true);
    Surrogate loss = new Surrogate(1);
    UnigramModel model = new UnigramModel(4, 6, .1);
    ActorCases.train(ExampleRunConfigs.small(ActorCases.HERE, 1, correction), model, loss)
        .perform(new Task.Train(scored, 0))
        .join();
    assertEquals(12, loss.seen.stream().mapToLong(in -> in.denominators().tokens()).sum());
    int dropped = 0;
    boolean moved = false;
    for (LossInput in : loss.seen) {
      double[] weights = in.column(LossInput.IMPORTANCE);
      for (int t = 0; t < weights.length; t++) {
        boolean fails = in.policy().oldLogProbs()[t] == -5;
        double ratio = Math.exp(in.policy().logProbs()[t] - in.policy().oldLogProbs()[t]);
        if (in.layout().mask()[t]) {
          assertEquals(fails ? 0 : ratio, weights[t], 1e-12);
          dropped += fails ? 1 : 0;
          moved |= !fails && Math.abs(ratio - 1) > 1e-3;
        }
      }
    }
    assertEquals(1, dropped);
    assertTrue(moved, "the second update has new log-probs");
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
   * The tokens selected by a survey do not depend on the cutting of a mini-batch into
   * micro-batches.
   */
  @Test
  void aSurveySeesTheWholeMiniBatchFirst() {
    double[][] after = new double[2][];
    int[] cuts = {1, 4};
    for (int i = 0; i < cuts.length; i++) {
      UnigramModel model = new UnigramModel(4, cuts[i], 0.5);
      Surveying loss = new Surveying();
      ActorCases.train(model, loss, 2).perform(new Task.Train(ActorCases.batch(), 3)).join();
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
      return new PolicyLossEvaluator(input)
          .evaluate(
              token ->
                  token.byLogProb(
                      -marks[token.cell()] * token.advantage() * token.logProb(),
                      -marks[token.cell()] * token.advantage()));
    }
  }
}
