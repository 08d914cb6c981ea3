package roll.strategy.zero3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.OptimizerName;
import roll.api.config.WorkerConfig;

/** Ranks have shares of the numbers, not matrices. */
class OptimizersTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADAMW")
  void allButAdamWAreRefusedBeforeARun(OptimizerName optimizer) {
    try (Tiny tiny = new Tiny()) {
      WorkerConfig worker = Tiny.RUNS.worker(2, Map.of());
      assertEquals(List.of(), tiny.strategy().notices(worker));
      WorkerConfig other = worker.withTraining(worker.training().with(optimizer));
      assertEquals(
          "actor_train.training_args.optimizer: %s: zero3 trains with adamw; local_train has others"
              .formatted(optimizer.text()),
          userError(() -> tiny.strategy().notices(other)));
    }
  }
}
