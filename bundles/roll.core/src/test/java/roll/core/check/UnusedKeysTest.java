package roll.core.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.estimator.EstimatorInfo;
import roll.api.loss.LossInfo;
import roll.api.option.Option;

class UnusedKeysTest {
  private static final EstimatorInfo ESTIMATOR =
      EstimatorInfo.of("test", "A", "none")
          .reading(EstimatorInfo.GAMMA)
          .withOptions(Option.number("step_reward_gamma", "discount").withDefault(0.95));
  private static final LossInfo LOSS =
      LossInfo.of("test", "L", "none").reading(LossInfo.RATIO_TYPE);

  private static List<String> notices(String... changed) {
    UnusedKeys unused = new UnusedKeys(Set.of(changed));
    unused.by("e", ESTIMATOR);
    unused.by("l", LOSS);
    return unused.notices();
  }

  @Test
  void whatIsReadOrWasNotSetIsNotPointedOut() {
    assertEquals(List.of(), notices());
    assertEquals(List.of(), notices("gamma", "step_reward_gamma", "ratio_type", "max_steps"));
  }

  @Test
  void whatIsSetAndNotReadIs() {
    assertEquals(
        List.of(
            "key 'lambd' has no effect here: adv_estimator e does not read it",
            "key 'step_reward_weight' has no effect here: adv_estimator e does not read it",
            "key 'pg_clip_low' has no effect here: pg_variant l does not read it",
            "key 'dual_clip_loss' has no effect here: pg_variant l does not read it"),
        notices("dual_clip_loss", "pg_clip_low", "step_reward_weight", "lambd", "gamma"));
  }
}
