package roll.worker.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.model.Tokenizer;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.runtime.worker.Task;
import roll.runtime.worker.Worker;
import roll.testkit.CharacterTokenizer;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

@NullMarked
class ReferenceWorkerTest {
  /** Gradients that make the tokens of both samples more likely. */
  private static final Gradients LIKELIER =
      new Gradients(new double[] {0, -1, 0, -1, 0}, new double[5]);

  private static final Tokenizer TOKENS = new CharacterTokenizer();

  /** A teacher of some tags is the same worker under its own name. */
  @Test
  void aTeacherHasItsOwnName() {
    var run = ExampleRunConfigs.withTeacher(ExampleRunConfigs.small(Path.of("model"), 1), "m", "A");
    var own = Objects.requireNonNull(run.roles().teachers().get("m")).worker();
    UnigramModel model = new UnigramModel(4, 2, 1);
    var stage =
        new TestWorkerContext(run, own).withTokenizers(TOKENS, TOKENS).withInference(_ -> model);
    Worker worker = new ReferenceWorker().open(stage).join();
    var refused =
        assertThrows(
            CompletionException.class,
            () -> worker.perform(new Task.TakeWeights(model.weights())).join());
    assertTrue(refused.toString().contains("teachers.m has no part in TakeWeights"));
    worker.close();
  }

  @Test
  void scoresWithItsOwnModelAndTakesNoWeights() {
    var run = ExampleRunConfigs.small(Path.of("model"), 1);
    UnigramModel model = new UnigramModel(4, 2, 1);
    List<SessionConfig> opened = new ArrayList<>();
    var stage =
        new TestWorkerContext(run, Objects.requireNonNull(run.roles().reference()))
            .withTokenizers(TOKENS, TOKENS)
            .withInference(
                config -> {
                  opened.add(config);
                  return model;
                });
    Worker worker = new ReferenceWorker().open(stage).join();
    assertEquals("reference", opened.getFirst().worker().role());
    assertEquals(run.seed(), opened.getFirst().seed(), "random weights are the actor's");
    Batch batch =
        Batch.of(new int[] {0, 2, 5}, new int[] {0, 1, 0, 2, 3}, new int[] {-1, 0, -1, 0, -1});
    var result = worker.perform(new Task.Score(batch)).join();
    double quarter = Math.log(0.25);
    assertArrayEquals(
        new double[] {0, quarter, 0, quarter, 0},
        result.value().column(Batch.REFERENCE_LOG_PROBS),
        1e-12);
    assertEquals(
        quarter, result.metrics().getOrDefault("critic/ref_log_prob/mean", Double.NaN), 1e-12);
    assertEquals(1, result.metrics().size());
    var tokens = TokenBatch.ofPolicy(batch);
    var lent = worker.perform(new Task.LendDistributions()).join().value();
    assertEquals(0, model.divergences(tokens, lent).join()[1]);
    model.update(tokens, (samples, scores) -> LIKELIER).join();
    assertTrue(model.divergences(tokens, lent).join()[1] > 1e-3, "lent before the update");
    var refused =
        assertThrows(
            CompletionException.class,
            () -> worker.perform(new Task.TakeWeights(model.weights())).join());
    assertTrue(refused.toString().contains("reference has no part in TakeWeights"));
    worker.close();
    assertTrue(model.closed());
  }
}
