package roll.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Batch;

class FiniteGuardTest {
  private static final double NAN = Double.NaN;
  private static final Batch BATCH =
      Batch.of(new int[] {0, 2, 4}, new int[] {5, 6, 7, 8}, new int[] {-1, 0, -1, 2})
          .withLabels(Batch.TRAJECTORY_IDS, List.of("a", "b"))
          .withTokens(Batch.VALUES, new double[] {NAN, 1, NAN, 2});

  @TempDir Path run;

  @Test
  void tokens_of_the_environment_may_be_anything() {
    new FiniteGuard(run, 3).check(BATCH);
    assertFalse(Files.exists(run.resolve("not-finite")));
  }

  @Test
  void the_first_column_with_a_bad_number_is_named_and_the_batch_saved() throws IOException {
    Batch bad =
        BATCH
            .withTokens(Batch.TOKEN_REWARDS, new double[] {0, 1, 0, Double.NEGATIVE_INFINITY})
            .withTokens(Batch.ADVANTAGES, new double[] {0, NAN, 0, NAN});
    Path file = run.resolve("not-finite").resolve("step-3.jsonl");
    assertEquals(
        "step 3: token_level_rewards of trajectory b, token 1 (turn 2) is -Infinity; nothing was"
            + " trained, the batch is in "
            + file,
        assertThrows(IllegalStateException.class, () -> new FiniteGuard(run, 3).check(bad))
            .getMessage());
    assertEquals(
        "{\"id\":\"b\",\"tokens\":[7,8],\"turns\":[-1,2],\"values\":[NaN,2.0],"
            + "\"token_level_rewards\":[0.0,-Infinity],\"advantages\":[0.0,NaN]}",
        Files.readAllLines(file).getLast());
  }
}
