package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class BundleCatalogTest {
  @Test
  void aPluginsBundleIsKnownByKindAndName() {
    BundleCatalog bundles = BundleCatalog.read();
    assertEquals("roll.estimator.grpo", bundles.of("roll.estimator", "grpo_vectorized"));
    assertEquals("roll.grader.math_verify", bundles.of("roll.grader", "math_verify"));
    assertEquals("roll.reward.math_verify", bundles.of("roll.reward", "math_verify"));
    assertEquals("roll.estimator.reinforce_plus_plus", bundles.of("roll.estimator", "reinforce++"));
    assertNull(bundles.of("roll.estimator", "no_such"));
  }
}
