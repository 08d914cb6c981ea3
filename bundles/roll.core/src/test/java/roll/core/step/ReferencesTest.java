package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.strategy.Gradients;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.TaskReply;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.UnigramModel;

/** Tests which model scores which samples of a batch. */
@NullMarked
class ReferencesTest {
  /** Four samples of two tokens to five, with a prompt of one token. */
  private static final Batch BATCH =
      Batch.of(
              new int[] {0, 2, 5, 7, 12},
              new int[] {0, 1, 0, 2, 1, 1, 2, 2, 0, 1, 1, 2},
              new int[] {-1, 0, -1, 0, 0, -1, 0, -1, 0, 0, 0, 0})
          .withColumn(Batch.TAGS, List.of("Sums", "Game", "Programs", "Sums"));

  private final Map<String, UnigramModel> models = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final Map<String, Double> metrics = new LinkedHashMap<>();

  private Batch score(String role, Batch batch) {
    asked.add(role + " " + batch.column(Batch.TAGS));
    UnigramModel model = Objects.requireNonNull(models.get(role), role);
    Scores scores = model.score(TokenBatch.ofPolicy(batch)).join();
    return TaskReply.ofReference(batch, scores).value();
  }

  /** Adds a model that has learned to write {@code token} rather than others. */
  private void model(String role, int token) {
    UnigramModel model = new UnigramModel(3, 4, 1);
    TokenBatch text =
        new TokenBatch(new int[] {0, 2}, new int[] {0, token}, new boolean[] {false, true});
    model.update(text, (s, scores) -> new Gradients(new double[] {0, -1}, new double[2])).join();
    models.put(role, model);
  }

  @Test
  void eachSampleHasTheLogProbsOfTheModelOfItsTag() {
    model("teachers.math", 1);
    model("teachers.code", 2);
    model("reference", 0);
    RunConfig run = ExampleRunConfigs.small(Path.of("folder"), 1);
    run = ExampleRunConfigs.withTeacher(run, "math", "Sums");
    run = ExampleRunConfigs.withTeacher(run, "code", "Programs");
    Batch scored = references(run, BATCH);
    assertEquals(
        List.of("teachers.math [Sums, Sums]", "reference [Game]", "teachers.code [Programs]"),
        asked);
    double[] found = scored.column(Batch.REFERENCE_LOG_PROBS);
    List<String> roles = List.of("teachers.math", "reference", "teachers.code", "teachers.math");
    double sum = 0;
    for (int i = 0; i < roles.size(); i++) {
      UnigramModel own = Objects.requireNonNull(models.get(roles.get(i)));
      double[] alone = own.score(TokenBatch.ofPolicy(BATCH)).join().logProbs();
      int from = BATCH.layout().offsets()[i];
      int to = BATCH.layout().offsets()[i + 1];
      assertArrayEquals(
          Arrays.copyOfRange(alone, from, to), Arrays.copyOfRange(found, from, to), roles.get(i));
      sum += Arrays.stream(alone, from, to).sum();
    }
    assertEquals(sum / 8, metrics.getOrDefault("critic/ref_log_prob/mean", Double.NaN), 1e-12);
    assertSame(BATCH.tokens(), scored.tokens());
  }

  @Test
  void withoutTeachersTheReferenceScoresAll() {
    model("reference", 0);
    references(ExampleRunConfigs.small(Path.of("folder"), 1), BATCH);
    assertEquals(List.of("reference [Sums, Game, Programs, Sums]"), asked);
  }

  private Batch references(RunConfig run, Batch batch) {
    try {
      return new References(run.roles(), this::score, metrics).score(batch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
