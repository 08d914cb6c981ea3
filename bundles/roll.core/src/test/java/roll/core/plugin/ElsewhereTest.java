package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** What is said of names that other systems' files have and nobody offers. */
class ElsewhereTest {
  private final Elsewhere elsewhere = Elsewhere.read();

  @Test
  void aNameIsFoundAsItIsOrByItsBeginning() {
    assertEquals(
        "'rock_tb_native_env' is tasks in containers of ROCK's sandbox service, which roll does not"
            + " speak to",
        elsewhere.of("roll.env", "rock_tb_native_env"));
    assertEquals(
        "'logic:rustbench' is an environment of GEM, in Python; env_type dataset plays such"
            + " questions",
        elsewhere.of("roll.env", "logic:rustbench"));
  }

  @Test
  void ofOthersNothingIsKnown() {
    assertNull(elsewhere.of("roll.env", "frozen_lak"));
    assertNull(elsewhere.of("roll.env", "logic"));
    assertNull(elsewhere.of("roll.reward", "deepeyes"));
    assertNull(elsewhere.of("roll.env", "*"));
  }
}
