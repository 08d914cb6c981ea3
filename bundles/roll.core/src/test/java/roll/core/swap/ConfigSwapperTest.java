package roll.core.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConfigSwapperTest {
  /** {@code lambd} is another system's default, {@code pg_clip} is the default again. */
  @Test
  void aKeyThatNobodyWroteIsNotChanged() {
    assertEquals(
        Set.of("gamma", "value_clip", "critic"),
        ConfigSwapper.changed(
            Set.of("gamma", "pg_clip"),
            Set.of("gamma", "lambd", "value_clip", "critic"),
            List.of("adv_estimator=gae", "value_clip=0.3", "critic.infer_batch_size=2")));
  }
}
