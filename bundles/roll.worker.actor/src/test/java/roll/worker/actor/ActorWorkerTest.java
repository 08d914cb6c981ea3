package roll.worker.actor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;
import roll.api.loss.LossInput;
import roll.api.option.Options;
import roll.api.scoring.Distributions;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.RunPosition;
import roll.api.strategy.Sampling;
import roll.runtime.option.YamlOptions;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.TrainReport;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

/** The tasks of the trained policy: scoring, training, saving, sharing weights. */
@NullMarked
class ActorWorkerTest {
  private static final Options NONE = YamlOptions.checked("pg_variant_args", Map.of(), List.of());

  @Test
  void scoresAreAddedToTheBatch() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    TaskReply<Batch> result =
        ActorCases.train(model, new Surrogate(1), 1)
            .perform(new Task.Score(ActorCases.batch()))
            .join();
    Batch scored = result.value();
    for (int t = 0; t < scored.size(); t++) {
      double expected = scored.layout().mask()[t] ? Math.log(0.25) : 0;
      assertEquals(expected, scored.column(Batch.OLD_LOG_PROBS)[t], 1e-12);
      assertEquals(-expected, scored.column(Batch.ENTROPIES)[t], 1e-12);
    }
    assertEquals(Math.log(0.25), ActorCases.metric(result, "critic/old_log_prob/mean"), 1e-12);
    assertEquals(-Math.log(0.25), ActorCases.metric(result, "critic/entropy/mean"), 1e-12);
  }

  @Test
  void theReferenceIsTheModelWithItsAdaptersOff() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    Worker worker = ActorCases.train(model, new Surrogate(1), 1);
    worker.perform(new Task.Train(ActorCases.batch(), 0)).join();
    TaskReply<Batch> result = worker.perform(new Task.ScoreReference(ActorCases.batch())).join();
    Batch scored = result.value();
    for (int t = 0; t < scored.size(); t++) {
      double expected = scored.layout().mask()[t] ? Math.log(0.25) : 0;
      assertEquals(expected, scored.column(Batch.REFERENCE_LOG_PROBS)[t], 1e-12);
    }
    assertEquals(Math.log(0.25), ActorCases.metric(result, "critic/ref_log_prob/mean"), 1e-12);
    assertTrue(model.logProbs()[1] > Math.log(0.25));
  }

  @Test
  void divergencesAreFromTheModelGivenOrFromTheOneWithoutAdapters() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    UnigramModel other = new UnigramModel(4, 2, 1);
    Worker worker = ActorCases.train(model, new Surrogate(1), 1);
    Worker another = ActorCases.train(other, new Surrogate(1), 2);
    worker.perform(new Task.Train(ActorCases.batch(), 0)).join();
    another.perform(new Task.Train(ActorCases.batch(), 0)).join();
    double[] quarters = {Math.log(.25), Math.log(.25), Math.log(.25), Math.log(.25)};
    for (Distributions reference : Arrays.asList(null, other.distributions())) {
      double[] from = reference == null ? quarters : other.logProbs();
      double expected = 0;
      for (int v = 0; v < 4; v++) {
        expected += Math.exp(model.logProbs()[v]) * (model.logProbs()[v] - from[v]);
      }
      Batch found =
          worker.perform(new Task.MeasureDivergences(ActorCases.batch(), reference)).join().value();
      assertTrue(expected > 1e-3);
      for (int t = 0; t < found.size(); t++) {
        assertEquals(
            found.layout().mask()[t] ? expected : 0, found.column(Batch.DIVERGENCES)[t], 1e-12);
      }
    }
  }

  @Test
  void trainingMakesWhatWasGoodLikelier() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    Surrogate loss = new Surrogate(1);
    TaskReply<TrainReport> result =
        ActorCases.train(model, loss, 3).perform(new Task.Train(ActorCases.batch(), 0)).join();
    assertTrue(model.logProbs()[1] > Math.log(0.25));
    assertTrue(model.logProbs()[2] < Math.log(0.25));
    // mini-batches of 4 and 2 samples in each of 3 passes, cut into parts of 2
    assertEquals(9, loss.seen.size());
    assertEquals(6, ActorCases.metric(result, "actor/backward_steps"));
    assertEquals(6, model.weights().version());
    assertEquals(0, ActorCases.metric(result, "actor/skipped_updates"));
    assertEquals(1, ActorCases.metric(result, "actor/lr"));
    assertEquals(3, ActorCases.metric(result, "time/actor_train/loss"));
    assertTrue(ActorCases.metric(result, "actor_train/grad_norm") > 0);
    double most = 0;
    double sum = 0;
    for (LossInput input : loss.seen) {
      var share = new Surrogate(1).evaluateWhole(input, NONE, new long[0]);
      sum += share.loss();
      most = Math.max(most, share.metrics().getOrDefault("actor/ratio_max", Double.NaN));
    }
    assertEquals(sum / 6, ActorCases.metric(result, "actor/pg_loss"), 1e-12);
    assertEquals(most, ActorCases.metric(result, "actor/ratio_max"));
  }

  /** Mini-batches of 4 and 2 samples in each of 2 passes. */
  @Test
  void eachUpdateHasItsPlaceInTheRun() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    ActorCases.train(model, new Surrogate(1), 2)
        .perform(new Task.Train(ActorCases.batch(), 3))
        .join();
    int steps = ExampleRunConfigs.small(ActorCases.HERE, 2).schedule().maxSteps();
    assertEquals(
        IntStream.range(0, 4).mapToObj(i -> new RunPosition(3, steps, i, 4)).toList(),
        model.positions());
  }

  @Test
  void gradientsThatAreNotFiniteAreCounted() {
    UnigramModel model = new UnigramModel(4, 2, 1);
    TaskReply<TrainReport> result =
        ActorCases.train(model, new Surrogate(Double.NaN), 1)
            .perform(new Task.Train(ActorCases.batch(), 0))
            .join();
    assertEquals(2, ActorCases.metric(result, "actor/skipped_updates"));
    assertFalse(result.metrics().containsKey("actor_train/grad_norm"));
    assertEquals(Math.log(0.25), model.logProbs()[1], 1e-12);
  }

  /** The first update breaks the model; the others end before the optimizer. */
  @Test
  void logProbsThatAreNotFiniteStopBeforeTheOptimizer() {
    UnigramModel model = new UnigramModel(4, 2, Double.POSITIVE_INFINITY);
    Surrogate loss = new Surrogate(1);
    TaskReply<TrainReport> result =
        ActorCases.train(model, loss, 2).perform(new Task.Train(ActorCases.batch(), 0)).join();
    String problem = Objects.requireNonNull(result.value().problem());
    assertTrue(
        problem.matches("log_probs of trajectory number \\d at token 1 \\(id \\d\\) is NaN"),
        problem);
    assertEquals(2, loss.seen.size());
    assertEquals(4, ActorCases.metric(result, "actor/backward_steps"));
    assertEquals(3, ActorCases.metric(result, "actor/skipped_updates"));
    assertEquals(1, model.weights().version());
  }

  @Test
  void savedTrainingContinuesWhereItWas(@TempDir Path folder) {
    UnigramModel once = new UnigramModel(4, 2, 1);
    Worker worker = ActorCases.train(once, new Surrogate(1), 1);
    worker.perform(new Task.Train(ActorCases.batch(), 0)).join();
    worker.perform(new Task.Save(folder)).join();
    worker.perform(new Task.Train(ActorCases.batch(), 1)).join();
    UnigramModel resumed = new UnigramModel(4, 2, 1);
    Worker again = ActorCases.train(resumed, new Surrogate(1), 1);
    again.perform(new Task.Restore(folder)).join();
    again.perform(new Task.Train(ActorCases.batch(), 1)).join();
    assertArrayEquals(once.logProbs(), resumed.logProbs());
    again.close();
    assertTrue(resumed.closed());
  }

  @Test
  void theSamplingPolicyWritesWithTheWeightsItWasGiven() {
    UnigramModel trained = new UnigramModel(4, 2, 4);
    Worker trainer = ActorCases.train(trained, new Surrogate(1), 3);
    trainer.perform(new Task.Train(ActorCases.batch(), 0)).join();
    UnigramModel sampler = new UnigramModel(4, 2, 1);
    var run = ExampleRunConfigs.small(ActorCases.HERE, 1);
    var stage =
        new TestWorkerContext(run, run.roles().actorInfer()).withInference(config -> sampler);
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
            CompletionException.class,
            () -> infer.perform(new Task.Score(ActorCases.batch())).join());
    assertTrue(refused.toString().contains("actor_infer has no part in Score"));
  }
}
