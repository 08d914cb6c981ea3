package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class PluginCatalogTest {
  private final PluginCatalog catalog = new PluginCatalog();

  @Test
  void aPluginsBundleIsKnownByKindAndName() {
    assertEquals("roll.estimator.grpo", catalog.bundle("roll.estimator", "grpo_vectorized"));
    assertEquals("roll.grader.math_verify", catalog.bundle("roll.grader", "math_verify"));
    assertEquals("roll.reward.math_verify", catalog.bundle("roll.reward", "math_verify"));
    assertEquals(
        "roll.estimator.reinforce_plus_plus", catalog.bundle("roll.estimator", "reinforce++"));
    assertNull(catalog.bundle("roll.estimator", "no_such"));
  }

  @Test
  void aNameOfOtherSystemsIsFoundAsItIsOrByItsBeginning() {
    assertEquals(
        "'rock_tb_native_env' is tasks in containers of ROCK's sandbox service, which roll does not"
            + " speak to",
        catalog.foreign("roll.env", "rock_tb_native_env"));
    assertEquals(
        "'logic:rustbench' is an environment of GEM, in Python; env_type dataset plays such"
            + " questions",
        catalog.foreign("roll.env", "logic:rustbench"));
  }

  @Test
  void ofOthersNothingIsKnown() {
    assertNull(catalog.foreign("roll.env", "frozen_lak"));
    assertNull(catalog.foreign("roll.env", "logic"));
    assertNull(catalog.foreign("roll.reward", "deepeyes"));
    assertNull(catalog.foreign("roll.env", "*"));
  }
}
