package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;
import roll.shell.command.Syntax;

class ClusterListenerTest {
  private static final Syntax SYNTAX = TrainCommand.SYNTAX;

  @Test
  void lostRanksAreWaitedForSoLong() {
    assertEquals(Duration.ofMinutes(1), patience("run.yaml"));
    assertEquals(Duration.ZERO, patience("run.yaml", "--fewer-after", "0"));
    assertNull(patience("run.yaml", "--fewer-after", "never"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1", "1.5", "1000001", "Never"})
  void anythingElseIsRefusedWithWhatIsAllowed(String given) {
    UserException refused =
        assertThrows(UserException.class, () -> patience("run.yaml", "--fewer-after", given));
    String line = String.valueOf(refused.getMessage());
    assertTrue(
        line.startsWith(
            "train: --fewer-after: expected seconds from 0 to 1000000, or never, found '%s';"
                .formatted(given)),
        line);
  }

  private static @Nullable Duration patience(String... given) {
    return ClusterListener.patience(SYNTAX, SYNTAX.read(given));
  }
}
