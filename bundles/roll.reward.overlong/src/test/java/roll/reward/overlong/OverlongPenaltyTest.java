package roll.reward.overlong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.Options;
import roll.testkit.TestOptions;

/** Values of the paper's equation computed by hand. */
class OverlongPenaltyTest {
  @ParameterizedTest
  @CsvSource({"0, 0", "6, 0", "7, -0.25", "8, -0.5", "9, -0.75", "10, -1", "11, -1", "1000, -1"})
  void fallsOverTheBuffer(int written, double score) {
    assertEquals(score, OverlongPenalty.score(written, 10, 4), 1e-12);
  }

  @Test
  void theBufferIsPartOfTheLength() {
    OverlongPenalty reward = new OverlongPenalty();
    Options options =
        TestOptions.of("rewards.overlong", Map.of("max_length", 4, "buffer", 5), reward.options());
    assertEquals(
        "rewards.overlong.buffer: expected an integer from 1 to 4, found '5'",
        userError(() -> reward.configure(options)));
  }
}
